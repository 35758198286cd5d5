//! The command line of `fidelity`.

use std::{path::PathBuf, str::FromStr};

use mcp_codegen::config::ConstraintPolicy;

/// What to run over, and where the results go.
#[derive(Clone, Debug, Default)]
pub struct Args {
    /// Folders in the layout of the official JSON Schema Test Suite.
    pub suites: Vec<PathBuf>,
    /// Folders of `{"schema", "valid", "invalid"}` files.
    pub cases: Vec<PathBuf>,
    /// Folders of files with `tools: […]`.
    pub tools: Vec<PathBuf>,
    /// Folders with `schemas/*.json` and `instances/<name>/{valid,invalid}/*.json`.
    pub published: Vec<PathBuf>,
    /// How many schemas to make up for each dialect.
    pub random: usize,
    /// What the made-up schemas depend on; the same seed gives the same schemas.
    pub seed: u64,
    /// Whether bounds, lengths and patterns become types of their own.
    pub constraints: ConstraintPolicy,
    /// Ask the generator's model of the types, and compile nothing.
    pub model: bool,
    /// Where the machine-readable table goes.
    pub json: Option<PathBuf>,
    /// The list of reasoned exceptions.
    pub exceptions: PathBuf,
    /// Take every n-th subject only.
    pub every: usize,
    /// Only subjects whose id contains this.
    pub only: Option<String>,
    /// Run typify over the same subjects.
    pub peer: bool,
    /// Keep the scratch folder and say where it is.
    pub keep: bool,
}

/// How to call it.
pub const USAGE: &str = "\
usage: fidelity [--suite DIR] [--cases DIR] [--tools DIR] [--published DIR] [--random N] [options]

Generates code for every schema with mcp-codegen, compiles it under deny(warnings), sends every
instance through the runtime's decoding path, and prints what was right.

  --random N         N made-up schemas for each of five dialects (needs Python's jsonschema, as --tools does)
  --seed S           what they are made from (default: 1)
  --constraints WORD `validator` (default), or `newtype`: bounds, lengths and patterns become types of their own
  --model            ask the generator's model of the types, which the proofs stand on, instead of compiled code;
                     quick, for many schemas
  --json FILE        also write the table as JSON
  --exceptions FILE  reasoned exceptions (default: tests/fidelity/exceptions.json)
  --every N          take every N-th subject only
  --only TEXT        take only subjects whose id contains TEXT
  --peer typify      the same columns for typify 0.8 (needs the feature `peer` of mcp-codegen-tests)
  --keep             keep the scratch folder and print where it is

exit codes: 0 nothing wrong but what the exceptions name, 1 faults or stale exceptions, 2 usage or I/O
";

impl Args {
    /// Reads the arguments that follow the program's name.
    ///
    /// # Errors
    ///
    /// A sentence for the user when they are not understood.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut args = Self {
            exceptions: crate::workspace().join("tests/fidelity/exceptions.json"),
            every: 1,
            seed: 1,
            ..Self::default()
        };
        while let Some(flag) = arguments.next() {
            match flag.as_str() {
                "--keep" => {
                    args.keep = true;
                    continue;
                }
                "--model" => {
                    args.model = true;
                    continue;
                }
                _ => {}
            }
            let value = arguments
                .next()
                .ok_or_else(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--suite" => args.suites.push(value.into()),
                "--cases" => args.cases.push(value.into()),
                "--tools" => args.tools.push(value.into()),
                "--published" => args.published.push(value.into()),
                "--json" => args.json = Some(value.into()),
                "--exceptions" => args.exceptions = value.into(),
                "--every" => args.every = number(&flag, &value)?,
                "--random" => args.random = number(&flag, &value)?,
                "--seed" => args.seed = number(&flag, &value)?,
                "--constraints" => args.constraints = constraints(&value)?,
                "--peer" => args.peer = peer(&value)?,
                "--only" => args.only = Some(value),
                _ => return Err(format!("{flag}: not an option")),
            }
        }
        if args.suites.is_empty()
            && args.cases.is_empty()
            && args.tools.is_empty()
            && args.published.is_empty()
            && args.random == 0
        {
            return Err(
                "name at least one of --suite, --cases, --tools, --published, --random".to_owned(),
            );
        }
        if args.model && args.peer {
            return Err("--model: the peer has no model of its types".to_owned());
        }
        args.every = args.every.max(1);
        Ok(args)
    }
}

fn number<T: FromStr>(flag: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("{flag} {value}: not a number"))
}

fn constraints(word: &str) -> Result<ConstraintPolicy, String> {
    [ConstraintPolicy::Validator, ConstraintPolicy::Newtype]
        .into_iter()
        .find(|it| it.as_str() == word)
        .ok_or_else(|| format!("--constraints {word}: `validator` or `newtype`"))
}

/// There is one peer, and not in every build.
fn peer(name: &str) -> Result<bool, String> {
    if name != "typify" {
        return Err(format!("--peer {name}: the only peer is typify"));
    }
    if cfg!(feature = "peer") {
        Ok(true)
    } else {
        Err("--peer typify: build with `--features peer`".to_owned())
    }
}
