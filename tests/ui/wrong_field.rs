//! A field that the contract does not have, read and written.

use mcp_codegen_runtime::{CallContext, Content, ToolResult};

#[path = "../golden/weather/gen/mod.rs"]
mod contracts;

use contracts::weather::{GetWeatherInput, GetWeatherOutput, Weather, WeatherReportInput};

struct Station;

impl Weather for Station {
    async fn get_weather(&self, input: GetWeatherInput, _cx: CallContext) -> ToolResult<GetWeatherOutput> {
        Ok(GetWeatherOutput { temperature: 20.0, condition: input.city })
    }

    async fn weather_report(&self, input: WeatherReportInput, _cx: CallContext) -> ToolResult<Content> {
        Ok(Content::text(input.location))
    }
}

fn main() {}
