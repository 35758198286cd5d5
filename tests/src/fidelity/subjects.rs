//! Schemas with judged instances, read from every layout that the shared data uses.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use mcp_codegen::config::FormatPolicy;
use serde_json::{Map, Value, json};

use super::{args::Args, judge, random};

/// One schema and what is known about instances of it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Unique and stable: `suite/draft7/ref.json/3`.
    pub id: String,
    /// The row of the table that counts it.
    pub row: String,
    /// The schema; names its dialect where it is not the default.
    pub schema: Value,
    /// Which half of a tool it stands in.
    pub side: Side,
    /// Whether `format` is asserted, where the dialect's own rule is not what the judge goes by.
    pub formats: Option<FormatPolicy>,
    /// A folder that answers for `http://localhost:1234/`.
    pub remotes: Option<PathBuf>,
    /// What `generate` should say.
    pub expect: Expect,
    /// Whether instances are to be made from the schema, and judged by another validator.
    pub sampled: bool,
    /// Why the other validator could not judge some of them.
    pub unjudged: Option<String>,
    /// Judged instances.
    pub instances: Vec<Instance>,
}

/// Input or output of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `inputSchema`.
    Input,
    /// `outputSchema`.
    Output,
}

/// Whether a schema should be generated or refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// It is a right schema.
    Generated,
    /// It is wrong, and a diagnostic must say so.
    Refused,
}

/// A JSON value and the judgement that a right validator gives.
#[derive(Clone, Debug)]
pub struct Instance {
    /// What messages call it.
    pub name: String,
    /// The value.
    pub value: Value,
    /// Whether the schema accepts it.
    pub valid: bool,
}

/// Adds the subjects of a folder in one layout.
type Reader = fn(&Path, &mut Vec<Subject>) -> io::Result<()>;

/// Reads everything that the arguments name, thinned as they say.
///
/// # Errors
///
/// When a file cannot be read or is not JSON, a folder has nothing to read, or the judge of sampled instances fails.
pub fn read(args: &Args) -> io::Result<Vec<Subject>> {
    let mut all = Vec::new();
    let layouts: [(&[PathBuf], Reader); 4] = [
        (&args.suites, suite),
        (&args.cases, cases),
        (&args.published, published),
        (&args.tools, tools),
    ];
    for (folders, read) in layouts {
        for folder in folders {
            let before = all.len();
            read(folder, &mut all)?;
            if all.len() == before {
                // Nothing is not right, it is a misspelt folder.
                let message = format!("{}: no schema in this layout", folder.display());
                return Err(io::Error::other(message));
            }
        }
    }
    all.extend(random::subjects(args));
    if let Some(only) = &args.only {
        all.retain(|it| it.id.contains(only.as_str()));
        if all.is_empty() {
            return Err(io::Error::other(format!("--only {only}: no such schema")));
        }
    }
    let mut thinned: Vec<Subject> = all.into_iter().step_by(args.every).collect();
    judge::sampled(&mut thinned)?;
    Ok(thinned)
}

const DRAFTS: &[(&str, &str)] = &[
    (
        "draft2020-12",
        "https://json-schema.org/draft/2020-12/schema",
    ),
    (
        "draft2019-09",
        "https://json-schema.org/draft/2019-09/schema",
    ),
    ("draft7", "http://json-schema.org/draft-07/schema#"),
    ("draft6", "http://json-schema.org/draft-06/schema#"),
    ("draft4", "http://json-schema.org/draft-04/schema#"),
];

fn suite(folder: &Path, all: &mut Vec<Subject>) -> io::Result<()> {
    let remotes = folder.join("remotes");
    for (draft, dialect) in DRAFTS {
        let tests = folder.join("tests").join(draft);
        for (sub, formats) in [("", false), ("optional/format", true)] {
            for file in json_files(&tests.join(sub))? {
                let groups = read_json(&file)?;
                let name = file_name(&file);
                for (index, group) in groups.as_array().into_iter().flatten().enumerate() {
                    let row = if formats {
                        format!("{draft} format")
                    } else {
                        (*draft).to_owned()
                    };
                    let middle = if formats { "format/" } else { "" };
                    all.push(Subject {
                        id: format!("suite/{draft}/{middle}{name}/{index}"),
                        row,
                        schema: with_dialect(&group["schema"], dialect),
                        side: Side::Output,
                        formats: formats.then_some(FormatPolicy::Assert),
                        remotes: Some(remotes.clone()),
                        expect: Expect::Generated,
                        sampled: false,
                        unjudged: None,
                        instances: suite_instances(group),
                    });
                }
            }
        }
    }
    Ok(())
}

fn suite_instances(group: &Value) -> Vec<Instance> {
    let tests = group["tests"].as_array().into_iter().flatten();
    tests
        .map(|test| Instance {
            name: test["description"].as_str().unwrap_or_default().to_owned(),
            value: test["data"].clone(),
            valid: test["valid"] == true,
        })
        .collect()
}

/// Names the dialect first, where the schema does not.
fn with_dialect(schema: &Value, dialect: &str) -> Value {
    let Value::Object(members) = schema else {
        return schema.clone();
    };
    if members.contains_key("$schema") {
        return schema.clone();
    }
    let mut named = Map::new();
    named.insert("$schema".to_owned(), json!(dialect));
    named.extend(members.clone());
    Value::Object(named)
}

fn cases(folder: &Path, all: &mut Vec<Subject>) -> io::Result<()> {
    for file in json_files(folder)? {
        let case = read_json(&file)?;
        let refused = case["schema_invalid"] == true || case["dangling"] == true;
        let mut instances = judged(&case["valid"], true);
        instances.extend(judged(&case["invalid"], false));
        all.push(Subject {
            id: format!("cases/{}", file_name(&file)),
            row: "cases".to_owned(),
            schema: case["schema"].clone(),
            side: Side::Output,
            formats: None,
            remotes: None,
            expect: if refused {
                Expect::Refused
            } else {
                Expect::Generated
            },
            sampled: false,
            unjudged: None,
            instances,
        });
    }
    Ok(())
}

fn judged(values: &Value, valid: bool) -> Vec<Instance> {
    let all = values.as_array().into_iter().flatten();
    all.enumerate()
        .map(|(index, value)| Instance {
            name: format!("{} {index}", if valid { "valid" } else { "invalid" }),
            value: value.clone(),
            valid,
        })
        .collect()
}

fn published(folder: &Path, all: &mut Vec<Subject>) -> io::Result<()> {
    for file in json_files(&folder.join("schemas"))? {
        let stem = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut instances = Vec::new();
        for (sub, valid) in [("valid", true), ("invalid", false)] {
            for document in json_files(&folder.join("instances").join(&stem).join(sub))? {
                let name = format!("{sub}/{}", file_name(&document));
                instances.push(Instance {
                    name,
                    value: read_json(&document)?,
                    valid,
                });
            }
        }
        all.push(Subject {
            id: format!("published/{stem}"),
            row: "published".to_owned(),
            schema: read_json(&file)?,
            side: Side::Output,
            formats: None,
            remotes: None,
            expect: Expect::Generated,
            sampled: false,
            unjudged: None,
            instances,
        });
    }
    Ok(())
}

fn tools(folder: &Path, all: &mut Vec<Subject>) -> io::Result<()> {
    for file in json_files(folder)? {
        let stem = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let listing = read_json(&file)?;
        for tool in listing["tools"].as_array().into_iter().flatten() {
            let name = tool["name"].as_str().unwrap_or_default();
            for (member, side) in [("inputSchema", Side::Input), ("outputSchema", Side::Output)] {
                let Some(schema) = tool.get(member).filter(|it| !it.is_null()) else {
                    continue;
                };
                let id = format!("tools/{stem}/{name}/{member}");
                all.push(Subject {
                    row: format!("tools {member}"),
                    schema: schema.clone(),
                    side,
                    // The judge takes `format` for an annotation in every dialect.
                    formats: Some(FormatPolicy::Annotate),
                    remotes: None,
                    expect: Expect::Generated,
                    sampled: true,
                    unjudged: None,
                    instances: Vec::new(),
                    id,
                });
            }
        }
    }
    Ok(())
}

fn json_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?;
    let mut files: Vec<PathBuf> = entries
        .map(|it| it.map(|it| it.path()))
        .collect::<io::Result<_>>()?;
    files.retain(|it| it.extension().is_some_and(|it| it == "json"));
    files.sort();
    Ok(files)
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn read_json(path: &Path) -> io::Result<Value> {
    let text = fs::read_to_string(path)?;
    serde_json::from_str(&text)
        .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
}
