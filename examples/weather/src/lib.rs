//! A weather server: one trait to implement. `main.rs` serves it over stdio, other examples in other ways.
//!
//! The trait `Weather` and all types come out of the contract files in `schemas/weather`. Add a tool there and
//! this file no longer compiles until the tool is implemented.

mod cities;
mod upstream;

use std::collections::BTreeMap;

use mcp_codegen_runtime::{CallContext, Content, ToolError, ToolResult, Toolset};

use crate::cities::City;
use crate::contract::{
    Alert, FindStationInput, ForecastDay, GetAlertInput, GetForecastInput, GetTemperatureInput,
    GetTemperatureRangeInput, GetTemperaturesInput, GetTideInput, GetTideOutput, GetWeatherInput,
    GetWeatherUpstreamInput, Station, Weather, WeatherData, WeatherReportInput, WeatherServer,
};

/// What `build.rs` made of `schemas/weather`.
mod contract {
    mcp_codegen_runtime::include_contract!("weather");
}

/// The office as a server, for any transport.
pub fn server() -> impl Toolset + Clone {
    WeatherServer::new(Office)
}

/// The meteorological office: knows a handful of cities by heart.
#[derive(Clone, Debug)]
struct Office;

impl Weather for Office {
    async fn get_temperature(
        &self,
        input: GetTemperatureInput,
        _cx: CallContext,
    ) -> ToolResult<i64> {
        Ok(known(&input.city)?.whole_degrees())
    }

    async fn get_weather(
        &self,
        input: GetWeatherInput,
        _cx: CallContext,
    ) -> ToolResult<WeatherData> {
        Ok(known(&input.city)?.weather())
    }

    /// Passes on what another service says. Nothing here has to check it: `output` holds it against the promised
    /// schema, and a field that the other service forgot fails the call by name.
    async fn get_weather_upstream(
        &self,
        input: GetWeatherUpstreamInput,
        cx: CallContext,
    ) -> ToolResult<WeatherData> {
        cx.output(&upstream::fetch(&input.city)?)
    }

    async fn get_forecast(
        &self,
        input: GetForecastInput,
        _cx: CallContext,
    ) -> ToolResult<Vec<ForecastDay>> {
        let city = known(&input.city)?;
        let days = usize::try_from(input.days)?;
        Ok((0..).take(days).map(|day| city.forecast(day)).collect())
    }

    async fn get_temperatures(
        &self,
        input: GetTemperaturesInput,
        _cx: CallContext,
    ) -> ToolResult<BTreeMap<String, f64>> {
        let mut temperatures = BTreeMap::new();
        for name in input.cities {
            let temperature = known(&name)?.temperature;
            temperatures.insert(name, temperature);
        }
        Ok(temperatures)
    }

    async fn get_temperature_range(
        &self,
        input: GetTemperatureRangeInput,
        _cx: CallContext,
    ) -> ToolResult<(f64, f64)> {
        Ok(known(&input.city)?.range)
    }

    async fn find_station(
        &self,
        input: FindStationInput,
        _cx: CallContext,
    ) -> ToolResult<Option<Station>> {
        Ok(cities::station(&input.name))
    }

    async fn get_alert(&self, input: GetAlertInput, _cx: CallContext) -> ToolResult<Alert> {
        Ok(known(&input.city)?.alert.clone())
    }

    /// A tool may decline: the model reads the message and can do something else.
    async fn get_tide(&self, input: GetTideInput, _cx: CallContext) -> ToolResult<GetTideOutput> {
        let city = known(&input.city)?;
        city.tide
            .clone()
            .ok_or_else(|| ToolError::new(format!("{} has no sea, so it has no tide", city.name)))
    }

    async fn weather_report(
        &self,
        input: WeatherReportInput,
        _cx: CallContext,
    ) -> ToolResult<Content> {
        let city = known(&input.city)?;
        Ok(Content::text(format!(
            "{}: {} degrees, {}.",
            city.name,
            city.whole_degrees(),
            city.sky()
        )))
    }
}

/// The city, or an error that tells the model which cities there are.
fn known(name: &str) -> ToolResult<&'static City> {
    cities::city(name).ok_or_else(|| {
        let names: Vec<_> = cities::CITIES.iter().map(|it| it.name).collect();
        ToolError::new(format!(
            "nobody measures in `{name}`; try one of {}",
            names.join(", ")
        ))
    })
}
