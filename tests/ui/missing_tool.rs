//! A tool of the contract that the implementation does not have.

use mcp_codegen_runtime::{CallContext, ToolResult};

#[path = "../golden/weather/gen/mod.rs"]
mod contracts;

use contracts::weather::{GetWeatherInput, GetWeatherOutput, Weather};

struct Station;

impl Weather for Station {
    async fn get_weather(&self, input: GetWeatherInput, _cx: CallContext) -> ToolResult<GetWeatherOutput> {
        Ok(GetWeatherOutput { temperature: 20.0, conditions: input.location })
    }
}

fn main() {}
