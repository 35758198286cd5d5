//! The desk: the generated trait, implemented with types of four other crates.

use std::fmt;

use jiff::{Timestamp, ToSpan};
use mcp_codegen_runtime::{CallContext, ToolResult};
use url::Url;

use crate::{
    address::Country,
    contract::{Orders, PlaceOrderInput, PlaceOrderOutput},
};

/// Takes orders; knows what time it is.
pub(crate) struct Desk {
    now: fn() -> Timestamp,
}

impl Desk {
    pub(crate) fn new(now: fn() -> Timestamp) -> Self {
        Self { now }
    }
}

impl Orders for Desk {
    async fn place_order(
        &self,
        input: PlaceOrderInput,
        _cx: CallContext,
    ) -> ToolResult<PlaceOrderOutput> {
        let PlaceOrderInput { order, ship_to, .. } = input;
        Ok(PlaceOrderOutput {
            order,
            due: (self.now)() + (24 * days_to(ship_to.country)).hours(),
            label: ship_to,
            tracking: Url::parse("https://orders.example/parcels/")?.join(&order.to_string())?,
        })
    }
}

/// How long a parcel is on its way: typify's enum, matched like one's own.
fn days_to(country: Country) -> i64 {
    match country {
        Country::Norway => 1,
        Country::Denmark | Country::Sweden => 2,
        Country::Finland => 3,
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
