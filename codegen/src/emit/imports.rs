//! The `use` lines of a module: what it uses and nothing else, in rustfmt's order.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{
    checks,
    derives::{Codec, Derives},
    enums,
    shape::Types,
    structs,
    types::Module,
};
use crate::graph::{Presence, ServerTypes, Shape, Struct, TypeKind, Unknown};

/// The imports of a server's module: from `std`, then from other crates. `offers` are those for what it has beside tools.
pub(super) fn imports(offers: &[&'static str], graph: &ServerTypes) -> Vec<TokenStream> {
    let used = Used::of(offers, graph);
    let map = used.map.then(|| {
        quote!(
            use std::collections::BTreeMap;
        )
    });
    let future = used.runtime.contains("CallContext").then(|| {
        quote!(
            use std::future::Future;
        )
    });
    // Upper-case names sort before lower-case ones, for rustfmt as for `str`.
    let runtime = used
        .runtime
        .iter()
        .map(|it| -> Ident { format_ident!("{it}") });
    let serde = used.serde.then(|| {
        quote!(
            use serde::{Deserialize, Serialize};
        )
    });
    let runtime = quote!(use mcp_codegen_runtime::{#(#runtime),*}; #serde);
    if map.is_none() && future.is_none() {
        vec![runtime]
    } else {
        vec![quote!(#map #future), runtime]
    }
}

/// What a module needs to import.
#[derive(Default)]
struct Used {
    map: bool,
    serde: bool,
    runtime: BTreeSet<&'static str>,
}

impl Used {
    fn of(offers: &[&'static str], graph: &ServerTypes) -> Self {
        let mut used = Self::default();
        used.runtime
            .extend(["CallError", "Contract", "ToolCall", "ToolOutput", "Toolset"]);
        used.runtime.extend(offers);
        for input in &graph.inputs {
            used.shape(input);
        }
        for tool in &graph.tools {
            used.runtime.extend(["CallContext", "ToolResult"]);
            used.shape(&tool.input);
            match &tool.output {
                Some(output) => used.shape(output),
                None => _ = used.runtime.insert("Content"),
            }
        }
        let derives = Derives::of(&graph.types);
        let module = Module {
            types: Types::inside(&graph.types),
            derives: &derives,
        };
        for def in &graph.types {
            used.kind(module, &def.kind);
        }
        used
    }

    fn kind(&mut self, module: Module<'_>, kind: &TypeKind) {
        match kind {
            TypeKind::Struct(it) => self.structure(module, it),
            TypeKind::Literals(it) => self.serde |= enums::literals_codec(it) == Codec::Serde,
            TypeKind::Constant(_) => {}
            TypeKind::Union(it) => it.variants.iter().for_each(|it| self.shape(&it.shape)),
            TypeKind::Alias(it) => self.shape(it),
            TypeKind::Constrained(it) => self.shape(&it.shape),
            TypeKind::Newtype(it) => {
                self.serde = true;
                self.shape(it);
            }
        }
    }

    fn structure(&mut self, module: Module<'_>, it: &Struct) {
        self.serde = true;
        for field in &it.fields {
            self.shape(&field.shape);
            let helped = match field.presence {
                Presence::Required => structs::absent_reads_as_none(module, &field.shape),
                Presence::Optional => true,
                Presence::Default(_) => false,
            };
            if helped && checks::reader(module.types, &field.name, &field.shape).is_none() {
                self.runtime.insert("de");
            }
        }
        match &it.unknown {
            Unknown::Deny | Unknown::Drop => {}
            Unknown::Keep(name, shape) => {
                self.map = true;
                if checks::reader(module.types, name, shape).is_none() {
                    self.runtime.insert("de");
                }
                self.shape(shape);
            }
        }
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Any => _ = self.runtime.insert("Value"),
            Shape::Never => _ = self.runtime.insert("Never"),
            Shape::Map(inner) => {
                self.map = true;
                self.shape(inner);
            }
            Shape::List(inner) | Shape::Nullable(inner) | Shape::Boxed(inner) => self.shape(inner),
            Shape::Tuple(items) => items.iter().for_each(|it| self.shape(it)),
            Shape::Limited(it) => self.shape(&it.shape),
            Shape::Foreign(it) => it.parameters.iter().for_each(|it| self.shape(it)),
            Shape::Null
            | Shape::Boolean
            | Shape::Integer(_)
            | Shape::Number
            | Shape::String
            | Shape::Named(_) => {}
        }
    }
}
