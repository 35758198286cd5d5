//! A tool that answers with another type than its output schema says.

use mcp_codegen_runtime::{CallContext, Content, ToolResult};

#[path = "../golden/weather/gen/mod.rs"]
mod contracts;

use contracts::weather::{GetWeatherInput, Weather, WeatherReportInput};

struct Station;

impl Weather for Station {
    async fn get_weather(&self, input: GetWeatherInput, _cx: CallContext) -> ToolResult<String> {
        Ok(input.location)
    }

    async fn weather_report(&self, input: WeatherReportInput, _cx: CallContext) -> ToolResult<Content> {
        Ok(Content::text(input.location))
    }
}

fn main() {}
