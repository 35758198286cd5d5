//! Templates, URIs, and what comes of them.

use serde_json::json;

use super::*;

/// The values as `name=value`, joined by a space; `None` where the URI does not match.
fn matched(template: &str, uri: &str) -> Option<String> {
    let template =
        UriTemplate::parse(template).unwrap_or_else(|error| panic!("{template}: {error}"));
    let values = template.matches(uri)?;
    let texts: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    Some(texts.join(" "))
}

#[test]
fn uris_give_the_values_that_were_put_in() {
    for (template, uri, expected) in [
        ("x://logos/{theme}", "x://logos/dark", Some("theme=dark")),
        ("x://logos/{theme}", "x://logos/", None),
        ("x://logos/{theme}", "x://logos/a/b", None),
        ("x://logos/{theme}", "x://logos/a%2Fb", Some("theme=a/b")),
        (
            "x://logos/{theme}",
            "x://logos/Oslo, N",
            Some("theme=Oslo, N"),
        ),
        ("x://logos/{theme}", "x://logos/%C3%A9é", Some("theme=éé")),
        ("x://logos/{theme}", "x://logos/%ff", None),
        ("x://logos/{theme}", "X://logos/dark", None),
        ("x://{a}.json", "x://a.json.json", Some("a=a.json")),
        ("x://{a}.json", "x://a.json5", None),
        ("x://{a}:{b}", "x://1:2", Some("a=1 b=2")),
        ("x://{a}/t/{b}", "x://t/t/t", Some("a=t b=t")),
        ("x://{a}/t/{b}", "x://t/t", None),
        (
            "file:///{+path}",
            "file:///a/b c?d#e",
            Some("path=a/b c?d#e"),
        ),
        ("file:///{+path}", "file:///", None),
        ("{+dir}/{file}", "a/b/c", Some("dir=a/b file=c")),
        ("x://{+a}:{b}", "x://1:2:3", Some("a=1:2 b=3")),
        ("x://{a}/{+b}", "x://1/2/3", Some("a=1 b=2/3")),
        ("x://a{/b}", "x://a", Some("")),
        ("x://a{/b}", "x://a/1", Some("b=1")),
        ("x://a{/b}", "x://a/", Some("b=")),
        ("x://a{/b}", "x://a/1/2", None),
        ("x://a{/b,c}", "x://a/1/2", Some("b=1 c=2")),
        ("x://a{/b,c}", "x://a/1", Some("b=1")),
        ("x://a{/b}/c", "x://a/c", Some("")),
        ("x://a{/b}/c", "x://a/c/c", Some("b=c")),
        ("x://{a}{/b}", "x://1/2", Some("a=1 b=2")),
        ("x://a{?q,r}", "x://a", Some("")),
        ("x://a{?q,r}", "x://a?", Some("")),
        ("x://a{?q,r}", "x://a?r=2&q=1%262", Some("r=2 q=1&2")),
        ("x://a{?q,r}", "x://a?q", Some("q=")),
        ("x://a{?q,r}", "x://a?q=1&q=2", None),
        ("x://a{?q,r}", "x://a?z=1", None),
        ("x://a{?q}{&r}", "x://a?q=1&r=2", Some("q=1 r=2")),
        ("x://{+p}{?q}", "x://a/b?q=1", Some("p=a/b q=1")),
        ("x://a?f=1{&q}", "x://a?f=1&q=2", Some("q=2")),
        ("x://a?f=1{&q}", "x://a?f=1", Some("")),
        ("x://a?f=1{&q}", "x://a?q=2", None),
        ("x://a?f=1&g={v}{&q}", "x://a?f=1&g=2&q=3", Some("v=2 q=3")),
        ("x://a?f={v}&g={w}", "x://a?f=1&g=2", Some("v=1 w=2")),
    ] {
        assert_eq!(
            matched(template, uri).as_deref(),
            expected,
            "{template} {uri}"
        );
    }
}

#[test]
fn values_make_the_uri_that_gives_them_back() {
    for (template, values, expected) in [
        (
            "x://logos/{theme}",
            json!({ "theme": "dark" }),
            Some("x://logos/dark"),
        ),
        (
            "x://logos/{theme}",
            json!({ "theme": "é a/b%?" }),
            Some("x://logos/%C3%A9%20a%2Fb%25%3F"),
        ),
        ("x://logos/{theme}", json!({ "theme": "" }), None),
        ("x://logos/{theme}", json!({}), None),
        (
            "x://logos/{theme}",
            json!({ "theme": "dark", "other": "1" }),
            None,
        ),
        (
            "file:///{+path}",
            json!({ "path": "a/b c" }),
            Some("file:///a/b%20c"),
        ),
        (
            "file:///{+path}",
            json!({ "path": "50%25" }),
            Some("file:///50%2525"),
        ),
        ("x://a{/b,c}", json!({ "b": "1" }), Some("x://a/1")),
        // What would stand in the place of `b`.
        ("x://a{/b,c}", json!({ "c": "1" }), None),
        (
            "x://a{?q,r}",
            json!({ "r": "1&2", "q": "=" }),
            Some("x://a?q=%3D&r=1%262"),
        ),
        ("x://a{?q,r}", json!({}), Some("x://a")),
        ("x://a?f=1{&q}", json!({ "q": "2" }), Some("x://a?f=1&q=2")),
    ] {
        let parsed = UriTemplate::parse(template).expect("it is one");
        let values = values.as_object().expect("an object");
        assert_eq!(parsed.expand(values).as_deref(), expected, "{template}");
    }
}

#[test]
fn what_can_be_read_in_two_ways_is_refused() {
    for (template, at, message) in [
        ("x://a", 0, "no variables"),
        ("x://{a", 4, "not closed"),
        ("x://{a{b}}", 4, "not closed"),
        ("x://a}{b}", 5, "`}` without `{`"),
        ("x://{}", 4, "without a name"),
        ("x://{a b}", 4, "`a b` is no name"),
        ("x://{a:3}", 4, "modifiers"),
        ("x://{?a*}", 4, "modifiers"),
        ("x://{#a}", 4, "operator `#`"),
        ("x://{.a}", 4, "operator `.`"),
        ("x://{;a}", 4, "operator `;`"),
        ("x://{a,b}", 4, "one variable per expression"),
        ("x://{a}{b}", 7, "where `a` ends and `b` begins"),
        ("x://{a}-{b}", 8, "where `a` ends and `b` begins"),
        ("x://{+a}{b}", 8, "where `a` ends and `b` begins"),
        ("x://{a}/{a}", 8, "`a` is there twice"),
        ("x://{+a}/{+b}", 9, "which slashes belong to `a`"),
        ("x://{+a}{/b}", 8, "which slashes belong to `a`"),
        ("x://{/b}/{+a}", 9, "which slashes belong to `b`"),
        ("x://{?a}/b", 8, "nothing but `{&…}`"),
        ("x://{?a}{b}", 8, "nothing but `{&…}`"),
        ("x://{?a}{?b}", 8, "begins twice"),
        ("x://a?b=1{?c}", 9, "has begun already"),
        ("x://a{&c}", 5, "has not begun"),
    ] {
        let error = match UriTemplate::parse(template) {
            Ok(parsed) => panic!("{template}: {parsed:?}"),
            Err(error) => error,
        };
        assert_eq!(error.at, at, "{template}: {error}");
        assert!(error.message.contains(message), "{template}: {error}");
    }
}

#[test]
fn a_hostile_uri_costs_no_more_than_its_length() {
    let template = UriTemplate::parse("x://{a}:{b}:{c}:{d}:{e}:{f}{/g}{?h}").expect("it is one");
    let uri = format!("x://{}", ":a".repeat(30_000));
    let begin = std::time::Instant::now();
    assert!(template.matches(&uri).is_some());
    assert!(template.matches(&format!("{uri}/a/b")).is_none());
    assert!(template.matches(&"a".repeat(1 << 20)).is_none());
    assert!(begin.elapsed().as_secs() < 5);
}

#[test]
fn variables_of_a_query_or_a_segment_may_be_missing() {
    for (text, variables, example) in [
        ("a://b/{c}", "c", "a://b/x"),
        ("a://b/{+c}{?d,e}", "c d? e?", "a://b/x?d=x&e=x"),
        ("a://b{/c,d}", "c? d?", "a://b/x/x"),
        ("a://b?c={c}{&d}", "c d?", "a://b?c=x&d=x"),
    ] {
        let template = UriTemplate::parse(text).expect("the template is right");
        let shown = template.variables().map(|it| {
            let mark = if it.always { "" } else { "?" };
            format!("{}{mark}", it.name)
        });
        assert_eq!(shown.collect::<Vec<_>>().join(" "), variables, "{text}");
        assert_eq!(template.example(), example);
    }
    assert!(UriTemplate::parse("a://b/{c}{d}").is_err());
}
