//! A prompt of the contract that the implementation does not have.

use mcp_codegen_runtime::{CallContext, ResourceContents, ToolResult};

#[path = "../golden/offers/gen/mod.rs"]
mod contracts;

use contracts::handbook::Handbook;

struct Shelf;

impl Handbook for Shelf {
    async fn read_type(&self, _cx: CallContext) -> ToolResult<ResourceContents> {
        Ok(ResourceContents::text("Chapter 1"))
    }
}

struct Empty;

impl contracts::brand_kit::BrandKit for Empty {}

fn main() {}
