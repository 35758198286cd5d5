//! A tool whose future cannot move between threads.

use std::rc::Rc;

use mcp_codegen_runtime::{CallContext, Content, ToolResult};

#[path = "../golden/weather/gen/mod.rs"]
mod contracts;

use contracts::weather::{GetWeatherInput, GetWeatherOutput, Weather, WeatherReportInput};

struct Station;

impl Weather for Station {
    async fn get_weather(&self, input: GetWeatherInput, _cx: CallContext) -> ToolResult<GetWeatherOutput> {
        Ok(GetWeatherOutput { temperature: 20.0, conditions: input.location })
    }

    async fn weather_report(&self, input: WeatherReportInput, _cx: CallContext) -> ToolResult<Content> {
        let location = Rc::new(input.location);
        std::future::ready(()).await;
        Ok(Content::text(location.as_str()))
    }
}

fn main() {}
