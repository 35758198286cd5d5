//! Resources and resource templates: checked against what MCP says, named, and made ready to be published.

use mcp_codegen_grammar::uri_template::UriTemplate;

use super::{
    Resource, Template, completions, fields,
    inputs::{self, Declared},
    offers::{self, Source},
};
use crate::{
    config::Config,
    diagnostics::{Diagnostics, Id, Place},
    naming::{ModuleName, method_name},
    resolve::{Document, Kind, SchemaSet, is_uri},
};

/// The resources and templates of one server, each in name order.
pub(super) fn resources<'d>(
    set: &'d SchemaSet<'d>,
    module: &ModuleName,
    documents: &[&'d Document],
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> (Vec<Resource>, Vec<Template<'d>>) {
    let (mut resources, mut templates) = (Vec::new(), Vec::new());
    let (mut names, mut uris) = (Vec::new(), Vec::new());
    for document in documents.iter().filter(|it| it.kind == Kind::Resource) {
        let Some(source) = source(document, diagnostics) else {
            continue;
        };
        let with_place = |key: &str| {
            let text = source.text(key).filter(|it| !it.is_empty());
            text.map(|it| (it.to_owned(), source.place(key)))
        };
        names.extend(with_place("name"));
        uris.extend(with_place("uri").or_else(|| with_place("uriTemplate")));
        if source.members.contains_key("uriTemplate") {
            templates.extend(template(set, module, source, config, diagnostics));
        } else {
            inputs::report_stray(set, source, Kind::Variables, diagnostics);
            resources.extend(resource(source, diagnostics));
        }
    }
    offers::report_duplicates(Id::DuplicateResource, "resource", names, diagnostics);
    offers::report_duplicates(Id::DuplicateResource, "URI", uris, diagnostics);
    resources.sort_by(|a: &Resource, b| a.offer.name.cmp(&b.offer.name));
    templates.sort_by(|a: &Template<'_>, b| a.offer.name.cmp(&b.offer.name));
    (resources, templates)
}

/// A file whose members have the right types, or have been reported.
fn source<'d>(document: &'d Document, diagnostics: &mut Diagnostics) -> Option<Source<'d>> {
    let members = document.value.as_object()?;
    let is_template = members.contains_key("uriTemplate");
    let (noun, table) = if is_template {
        ("resource template", fields::RESOURCE_TEMPLATE)
    } else {
        ("resource", fields::RESOURCE)
    };
    let source = Source {
        document,
        members,
        noun,
        id: Id::InvalidResource,
    };
    source.check(table, diagnostics);
    let size = members.get("size").filter(|it| it.is_number());
    if size.is_some_and(|it| !it.is_u64()) {
        let message = format!("`size` of {} is a number of bytes", source.what());
        let finding = source.finding(message);
        diagnostics.push(finding.at(source.place("size"), "expected a whole number from 0 on"));
    }
    let found = match (members.contains_key("uri"), is_template) {
        (true, false) | (false, true) => return Some(source),
        (true, true) => source
            .finding(format!(
                "{} has both `uri` and `uriTemplate`",
                source.what()
            ))
            .at(source.place("uri"), "the URI of one resource")
            .and_at(source.place("uriTemplate"), "the URIs of many")
            .help("a file is one of the two: put the other into a file of its own"),
        (false, false) => source
            .finding(format!("{} has no `uri`", source.what()))
            .at(document.place(), "needs a `uri`, or a `uriTemplate`")
            .help("for example \"uri\": \"notes://all\", or \"uriTemplate\": \"notes://{id}\""),
    };
    diagnostics.push(found);
    None
}

fn resource(source: Source<'_>, diagnostics: &mut Diagnostics) -> Option<Resource> {
    let name = source.name(diagnostics);
    let uri = source.text("uri")?;
    if !is_uri(uri) {
        let braces = uri.contains(['{', '}']);
        let finding = source
            .finding(format!("the `uri` of {} is no URI", source.what()))
            .at(source.place("uri"), "not a URI with a scheme (RFC 3986)");
        diagnostics.push(if braces {
            finding.help("with variables it is a `uriTemplate`")
        } else {
            finding.help("such as `notes://all` or `file:///notes/all.md`, with other characters percent-encoded")
        });
        return None;
    }
    let name = name?;
    Some(Resource {
        offer: source.offer(name, method_name(&format!("read_{name}"))),
        uri: uri.to_owned(),
    })
}

fn template<'d>(
    set: &'d SchemaSet<'d>,
    module: &ModuleName,
    source: Source<'d>,
    config: &Config,
    diagnostics: &mut Diagnostics,
) -> Option<Template<'d>> {
    let name = source.name(diagnostics);
    let text = source.text("uriTemplate")?;
    let place = source.place("uriTemplate");
    let template = parsed(source, text, &place, diagnostics)?;
    let declared: Vec<_> = template
        .variables()
        .map(|it| Declared {
            name: it.name,
            required: it.always.then_some(true),
            place: place.clone(),
        })
        .collect();
    let variables = inputs::schema(set, source, Kind::Variables, &declared, diagnostics);
    let (name, variables) = (name?, variables?);
    let names = declared.iter().map(|it| it.name);
    Some(Template {
        offer: source.offer(name, method_name(&format!("read_{name}"))),
        uris: text.to_owned(),
        completions: completions::of(config, module, name, names),
        arguments: declared.iter().map(|it| it.name.to_owned()).collect(),
        variables,
    })
}

/// The template, where URIs can be held against it.
fn parsed(
    source: Source<'_>,
    text: &str,
    place: &Place,
    diagnostics: &mut Diagnostics,
) -> Option<UriTemplate> {
    let refused = |label: String| {
        let message = format!(
            "no URI can be held against the `uriTemplate` of {}",
            source.what()
        );
        source.finding(message).at(place.clone(), label)
    };
    let template = match UriTemplate::parse(text) {
        Ok(template) => template,
        Err(error) => {
            let before = text.get(..error.at).unwrap_or_default().chars().count();
            let label = match before {
                0 => error.message,
                _ => format!("after {before} characters: {}", error.message),
            };
            diagnostics.push(refused(label).help(
                "templates have `{v}`, `{+v}`, `{/v}`, `{?a,b}` and `{&a}` (RFC 6570), \
                 with text between that tells where each begins and ends",
            ));
            return None;
        }
    };
    if !is_uri(&template.example()) {
        let label = format!(
            "`{}` is not a URI with a scheme (RFC 3986)",
            template.example()
        );
        diagnostics.push(refused(label).help("such as `notes://{id}`"));
        return None;
    }
    Some(template)
}
