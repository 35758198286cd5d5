//! Folders to source maps.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::{env, fs, path::PathBuf, process};

use super::*;
use crate::diagnostics::render;

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = Self(env::temp_dir().join(format!("mcp-codegen-{}-{name}", process::id())));
        fs::create_dir_all(folder.0.join("schemas")).unwrap();
        for (path, bytes) in files {
            let path = folder.0.join("schemas").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        folder
    }

    fn config(&self) -> Config {
        Config::new(self.0.join("schemas"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays in the temporary folder.
        drop(fs::remove_dir_all(&self.0));
    }
}

fn check(config: &Config, expected: &str) -> SourceMap {
    let mut diagnostics = Diagnostics::new();
    let sources = load(config, &mut diagnostics);
    assert_eq!(render(&sources, &diagnostics, false), expected.trim_start());
    sources
}

#[test]
fn contract_files_in_path_order_and_nothing_else() {
    let folder = Folder::new(
        "order",
        &[
            ("weather/b.tool.json", b"{}"),
            ("weather/a.tool.yaml", b"\xef\xbb\xbfa: 1\n"),
            ("weather-two/a.tool.json", b"{}"),
            ("weather.server.yml", b"{}"),
            ("weather/types/place.schema.json", b"true"),
            ("weather/.hidden.json", b"{"),
            (".git/x.json", b"{"),
            ("weather/a.tool.json~", b"{"),
            ("weather/#a.tool.json#", b"{"),
            ("weather/a.tool.json.swp", b"{"),
            ("README.md", b"# x"),
            ("empty/notes.txt", b""),
        ],
    );
    let mut config = folder.config();
    config.file = Some(crate::config::ConfigFile {
        path: "mcp-codegen.toml".into(),
        label: "mcp-codegen.toml".to_owned(),
        text: "name = 'x'".to_owned(),
    });
    let sources = check(&config, "");
    let files: Vec<_> = sources
        .files()
        .map(|it| (it.path.as_str(), it.label.as_str()))
        .collect();
    assert_eq!(
        files,
        [
            ("weather-two/a.tool.json", "schemas/weather-two/a.tool.json"),
            ("weather.server.yml", "schemas/weather.server.yml"),
            ("weather/a.tool.yaml", "schemas/weather/a.tool.yaml"),
            ("weather/b.tool.json", "schemas/weather/b.tool.json"),
            (
                "weather/types/place.schema.json",
                "schemas/weather/types/place.schema.json"
            ),
        ]
    );
    assert_eq!(sources.files().nth(2).unwrap().text, "a: 1\n");
    assert_eq!(sources.config().unwrap().text, "name = 'x'");
    let root = &config.schemas;
    let directories: Vec<_> = sources
        .directories()
        .map(|it| it.strip_prefix(root).unwrap())
        .collect();
    assert_eq!(
        directories,
        ["", "empty", "weather", "weather/types", "weather-two"].map(Path::new)
    );
}

#[test]
fn remotes_stand_for_urls() {
    let folder = Folder::new(
        "remotes",
        &[
            ("weather/a.tool.json", b"{}"),
            ("vendor/a b.json", b"true"),
            ("vendor/geo/city.yaml", b"type: object"),
            ("vendor/geo/LICENSE", b"text"),
            ("other/geo/city.yaml", b"true"),
        ],
    );
    let mut config = folder.config();
    let root = config.schemas.clone();
    for (prefix, below) in [
        ("https://example.com", "vendor"),
        ("https://example.com/geo/", "other/geo"),
        ("no/url/", "vendor"),
        ("https://example.com/?q=/", "vendor"),
        ("http:///", "vendor"),
        ("http://localhost:1234/", "nowhere"),
    ] {
        config.remotes.insert(prefix.to_owned(), root.join(below));
    }
    let sources = check(
        &config,
        r#"
error[invalid-setting]: `https://example.com/?q=/` is not the beginning of a URL
 |
 = help: write scheme, host and path: `"https://example.com/schemas/"`

error[invalid-setting]: there is no folder `nowhere`
 |
 = help: copies of remote schemas are kept in folders; paths are relative to this file

error[invalid-setting]: `http:///` is not the beginning of a URL
 |
 = help: write scheme, host and path: `"https://example.com/schemas/"`

error[invalid-setting]: `no/url/` is not the beginning of a URL
 |
 = help: write scheme, host and path: `"https://example.com/schemas/"`

error[invalid-setting]: `https://example.com/geo/city.yaml` is here twice
--> vendor/geo/city.yaml
::: geo/city.yaml
 = help: keep one of the two files, or change the prefixes in `[remotes]`

error: 5 errors
"#,
    );
    let contracts: Vec<_> = sources.files().map(|it| it.path.as_str()).collect();
    assert_eq!(contracts, ["weather/a.tool.json"]);
    let remotes: Vec<_> = sources
        .remotes()
        .map(|it| (it.path.as_str(), it.label.as_str()))
        .collect();
    assert_eq!(
        remotes,
        [
            ("https://example.com/geo/city.yaml", "geo/city.yaml"),
            ("https://example.com/a%20b.json", "vendor/a b.json"),
            ("https://example.com/geo/city.yaml", "vendor/geo/city.yaml"),
        ]
    );
    let directories: Vec<_> = sources
        .directories()
        .map(|it| it.strip_prefix(&root).unwrap())
        .collect();
    let expected = ["", "other", "weather", "other/geo", "vendor", "vendor/geo"];
    assert_eq!(directories, expected.map(Path::new));
}

#[test]
fn roots_without_contracts() {
    let folder = Folder::new("empty", &[("x.txt", b"")]);
    let help = " |\n = help: put one folder per server into it, with a `<tool>.tool.json` for each tool; \
                `.yaml` and `.yml` are read too\n\nerror: 1 error\n";
    let problem = |path: &str, problem: &str| {
        let mut config = Config::new(folder.0.join(path));
        config.schemas_label = "contracts".to_owned();
        let expected =
            format!("error[empty-contract-root]: the contract root `contracts` {problem}\n{help}");
        check(&config, &expected);
    };
    problem("schemas", "holds no contract files");
    problem("nowhere", "does not exist");
    problem("schemas/x.txt", "is not a folder");
}

#[test]
fn files_that_are_not_utf8() {
    let folder = Folder::new(
        "encoding",
        &[
            ("a.tool.json", b"{\n  \"name\": \"caf\xe9\"\n}\n"),
            ("b.tool.json", b"\xff\xfe{\x00}\x00"),
        ],
    );
    check(
        &folder.config(),
        r#"
error[bad-encoding]: the file is not UTF-8 text
 --> schemas/a.tool.json:2:15
  |
2 |   "name": "caf�"
  |               ^ not UTF-8 from here
  |
  = help: save the file as UTF-8

error[bad-encoding]: the file is UTF-16, not UTF-8
 --> schemas/b.tool.json:1:1
  |
1 | ��{␀}␀
  | ^ not UTF-8 from here
  |
  = help: save the file as UTF-8

error: 2 errors
"#,
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_circles_reported() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new("links", &[("weather/a.tool.json", b"{}")]);
    let root = folder.0.join("schemas");
    fs::create_dir(folder.0.join("elsewhere")).unwrap();
    fs::write(folder.0.join("elsewhere/c.tool.json"), "{}").unwrap();
    symlink(folder.0.join("elsewhere"), root.join("linked")).unwrap();
    symlink(&root, root.join("weather/again")).unwrap();
    symlink("nowhere.json", root.join("weather/b.tool.json")).unwrap();
    symlink("nowhere.txt", root.join("weather/b.txt")).unwrap();
    symlink("user@host:1", root.join("weather/.#a.tool.json")).unwrap();
    let sources = check(
        &folder.config(),
        "
error[unreadable-file]: the symbolic link `schemas/weather/again` leads back to a folder that holds it
 |
 = help: remove the link

error[unreadable-file]: cannot read `schemas/weather/b.tool.json`: no such file or directory

error: 2 errors
",
    );
    let files: Vec<_> = sources.files().map(|it| it.path.as_str()).collect();
    assert_eq!(files, ["linked/c.tool.json", "weather/a.tool.json"]);
}

#[test]
fn the_configuration_is_found_above() {
    let folder = Folder::new("discover", &[("weather/a.tool.json", b"{}")]);
    let here = folder.0.join("schemas/weather");
    assert!(Config::discover(&here).unwrap().is_none());
    fs::write(folder.0.join("mcp-codegen.toml"), "version = '9.9.9'").unwrap();
    let config = Config::discover(&here).unwrap().unwrap();
    assert_eq!(config.version, "9.9.9");
    assert_eq!(config.schemas, folder.0.join("schemas"));
    assert_eq!(config.file.unwrap().label, "../../mcp-codegen.toml");

    fs::write(folder.0.join("mcp-codegen.toml"), "version = 9").unwrap();
    let failure = Config::discover(&here)
        .unwrap()
        .unwrap()
        .check()
        .unwrap_err();
    assert!(
        failure.to_string().contains("../../mcp-codegen.toml:1:11"),
        "{failure}"
    );
    let failure = Config::read(&folder.0.join("none.toml")).unwrap_err();
    assert!(
        failure.to_string().contains("no such file or directory"),
        "{failure}"
    );
}

#[cfg(unix)]
#[test]
fn only_regular_files_of_some_size_are_read() {
    let folder = Folder::new("irregular", &[("s/a.tool.json", b"{}")]);
    let at = |name: &str| folder.0.join("schemas/s").join(name);
    std::os::unix::fs::symlink("/dev/zero", at("zero.tool.json")).unwrap();
    let made = process::Command::new("mkfifo")
        .arg(at("pipe.tool.json"))
        .status();
    assert!(made.unwrap().success());
    let large = File::create(at("large.schema.json")).unwrap();
    large.set_len(MAX_BYTES + 1).unwrap();
    let sources = check(
        &folder.config(),
        "
error[limit-exceeded]: `schemas/s/large.schema.json` is larger than 64 MiB
 |
 = help: split it, or move it out of the contract root

error[unreadable-file]: cannot read `schemas/s/pipe.tool.json`: it is not a regular file
 |
 = help: remove it, or what it links to

error[unreadable-file]: cannot read `schemas/s/zero.tool.json`: it is not a regular file
 |
 = help: remove it, or what it links to

error: 3 errors
",
    );
    assert_eq!(sources.files().count(), 1);
    assert_eq!(sources.unread().count(), 3);
}
