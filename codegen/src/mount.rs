//! Where a crate takes the generated files in: its `mod` line, and their Rust path.

use std::path::{Component, Path};

use crate::naming;

/// An edition of Rust, as far as names differ between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edition {
    /// 2021, and those before it.
    E2021,
    /// 2024, in which `gen` is a keyword.
    #[default]
    E2024,
}

/// An output folder as a module of the crate around it.
///
/// # Examples
///
/// ```
/// use std::path::Path;
/// use mcp_codegen::mount::{Edition, Mount};
///
/// let mount = Mount::new(Path::new("src/gen"), Edition::E2024);
/// assert_eq!(mount.mod_line(), "pub mod r#gen;");
/// assert_eq!(mount.path(), "crate::r#gen");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    line: String,
    path: Vec<String>,
}

impl Mount {
    /// The module for an output folder. Its Rust path begins at the last folder called `src`.
    pub fn new(out: &Path, edition: Edition) -> Self {
        Self::of(out, edition, "pub mod", |folder| format!("{folder}/mod.rs"))
    }

    /// The module for a file such as `src/server.rs`.
    pub fn of_file(path: &Path, edition: Edition) -> Self {
        let module = path.with_extension("");
        if module.file_name().is_some_and(|it| it == "mod") {
            let folder = module.parent().unwrap_or(Path::new(""));
            return Self::of(folder, edition, "mod", |folder| format!("{folder}/mod.rs"));
        }
        Self::of(&module, edition, "mod", |stem| format!("{stem}.rs"))
    }

    fn of(path: &Path, edition: Edition, declare: &str, file: fn(&str) -> String) -> Self {
        let folders: Vec<_> = path
            .components()
            .filter_map(|it| match it {
                Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
                Component::Prefix(_)
                | Component::RootDir
                | Component::CurDir
                | Component::ParentDir => None,
            })
            .collect();
        let from = match folders.iter().rposition(|it| it == "src") {
            Some(src) => src + 1,
            None => folders.len().saturating_sub(1),
        };
        let below: Vec<_> = folders[from..].to_vec();
        let mut path: Vec<_> = below.iter().map(|it| module(it, edition)).collect();
        let folder = below.last().map_or("generated", String::as_str);
        let name = module(folder, edition);
        if path.is_empty() {
            path.push(name.clone());
        }
        let line = if name.trim_start_matches("r#") == folder {
            format!("{declare} {name};")
        } else {
            format!("#[path = {:?}]\n{declare} {name};", file(folder))
        };
        Self { line, path }
    }

    /// The line that declares the module, in the file of its parent module. Two lines where the
    /// folder's name is no Rust name.
    pub fn mod_line(&self) -> &str {
        &self.line
    }

    /// The path of the module in its crate.
    pub fn path(&self) -> String {
        format!("crate::{}", self.path.join("::"))
    }
}

/// A folder's name as a module name, raw where the edition needs that.
fn module(folder: &str, edition: Edition) -> String {
    let name = naming::method_name(folder).to_string();
    match (edition, name.strip_prefix("r#")) {
        (Edition::E2021, Some("gen")) => "gen".to_owned(),
        (Edition::E2021 | Edition::E2024, _) => name,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Edition, Mount};

    #[test]
    fn folders_become_modules() {
        let cases = [
            ("src/gen", "pub mod r#gen;", "crate::r#gen"),
            ("src/generated", "pub mod generated;", "crate::generated"),
            ("app/src/api/gen/", "pub mod r#gen;", "crate::api::r#gen"),
            ("./out", "pub mod out;", "crate::out"),
            (
                "src/my-gen",
                "#[path = \"my-gen/mod.rs\"]\npub mod my_gen;",
                "crate::my_gen",
            ),
            ("src/type", "pub mod r#type;", "crate::r#type"),
            ("src", "pub mod generated;", "crate::generated"),
        ];
        for (out, line, path) in cases {
            let mount = Mount::new(Path::new(out), Edition::E2024);
            assert_eq!(
                (mount.mod_line(), mount.path().as_str()),
                (line, path),
                "{out}"
            );
        }
        let files = [
            ("src/server.rs", "mod server;", "crate::server"),
            ("src/api/mod.rs", "mod api;", "crate::api"),
            ("src/gen.rs", "mod r#gen;", "crate::r#gen"),
            (
                "src/my-server.rs",
                "#[path = \"my-server.rs\"]\nmod my_server;",
                "crate::my_server",
            ),
        ];
        for (file, line, path) in files {
            let mount = Mount::of_file(Path::new(file), Edition::E2024);
            assert_eq!(
                (mount.mod_line(), mount.path().as_str()),
                (line, path),
                "{file}"
            );
        }
        let mount = Mount::new(Path::new("src/gen"), Edition::E2021);
        assert_eq!(
            (mount.mod_line(), mount.path().as_str()),
            ("pub mod gen;", "crate::gen")
        );
    }
}
