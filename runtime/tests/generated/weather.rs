// What mcp-codegen generates, written by hand: the reference for generator and runtime alike.

use std::{collections::BTreeMap, future::Future};

use mcp_codegen_runtime::{
    CallContext, CallError, Content, Contract, ToolCall, ToolOutput, ToolResult, Toolset, Value, de,
};
use serde::{Deserialize, Serialize};

/// Weather for any city.
///
/// Implement this trait and serve it with [`WeatherServer`].
pub trait Weather: Send + Sync + 'static {
    /// Current weather for a location.
    fn get_weather(
        &self,
        input: GetWeatherInput,
        cx: CallContext,
    ) -> impl Future<Output = ToolResult<GetWeatherOutput>> + Send;

    /// A report in words.
    fn weather_report(
        &self,
        input: WeatherReportInput,
        cx: CallContext,
    ) -> impl Future<Output = ToolResult<Content>> + Send;

    /// Whole degrees.
    fn temperature(
        &self,
        input: TemperatureInput,
        cx: CallContext,
    ) -> impl Future<Output = ToolResult<i64>> + Send;

    /// Every kind of type.
    fn shapes(
        &self,
        input: ShapesInput,
        cx: CallContext,
    ) -> impl Future<Output = ToolResult<Vec<Value>>> + Send;

    /// A list, one text per element, always wrapped.
    fn numbers(
        &self,
        input: WeatherReportInput,
        cx: CallContext,
    ) -> impl Future<Output = ToolResult<Vec<i64>>> + Send;
}

/// Serves a [`Weather`] implementation.
#[derive(Clone, Debug)]
pub struct WeatherServer<T>(T);

impl<T: Weather> WeatherServer<T> {
    /// A server around `implementation`.
    pub const fn new(implementation: T) -> Self {
        Self(implementation)
    }
}

impl<T: Weather> Toolset for WeatherServer<T> {
    fn contract(&self) -> &'static Contract {
        &CONTRACT
    }

    async fn call(&self, call: ToolCall) -> Result<ToolOutput, CallError> {
        match call.name() {
            "get_weather" => {
                call.structured(CONTRACT.tool(0), |input, cx| self.0.get_weather(input, cx))
                    .await
            }
            "weather_report" => {
                call.content(CONTRACT.tool(1), |input, cx| {
                    self.0.weather_report(input, cx)
                })
                .await
            }
            "temperature" => {
                call.structured(CONTRACT.tool(2), |input, cx| self.0.temperature(input, cx))
                    .await
            }
            "shapes" => {
                call.structured(CONTRACT.tool(3), |input, cx| self.0.shapes(input, cx))
                    .await
            }
            "numbers" => {
                call.structured(CONTRACT.tool(4), |input, cx| self.0.numbers(input, cx))
                    .await
            }
            _ => Err(call.unknown_tool()),
        }
    }
}

/// The contract as it is published.
pub static CONTRACT: Contract = Contract::new(include_str!("weather.json"));

// Fails to compile when generated code and runtime do not match.
const _: () = mcp_codegen_runtime::assert_format::<1>();

/// Arguments of [`Weather::get_weather`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetWeatherInput {
    /// City name.
    pub location: String,
    /// Measurement system.
    #[serde(default = "GetWeatherInput::default_units")]
    pub units: Units,
    /// Optional, not nullable.
    #[serde(
        default,
        deserialize_with = "de::some",
        skip_serializing_if = "Option::is_none"
    )]
    pub days: Option<i64>,
    /// Optional and nullable.
    #[serde(
        default,
        deserialize_with = "de::some",
        skip_serializing_if = "Option::is_none"
    )]
    pub note: Option<Option<String>>,
    /// Required and nullable.
    #[serde(deserialize_with = "de::required")]
    pub parent: Option<String>,
}

impl GetWeatherInput {
    fn default_units() -> Units {
        Units::Metric
    }
}

/// Measurement system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Units {
    /// `metric`.
    #[serde(rename = "metric")]
    Metric,
    /// `imperial`.
    #[serde(rename = "imperial")]
    Imperial,
}

/// Result of [`Weather::get_weather`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GetWeatherOutput {
    /// In the requested units.
    pub temperature: f64,
    /// In words.
    pub label: String,
    /// As asked.
    #[serde(
        default,
        deserialize_with = "de::some",
        skip_serializing_if = "Option::is_none"
    )]
    pub days: Option<i64>,
    /// As given.
    #[serde(
        default,
        deserialize_with = "de::some",
        skip_serializing_if = "Option::is_none"
    )]
    pub note: Option<Option<String>>,
    /// As given.
    #[serde(
        default,
        deserialize_with = "de::some",
        skip_serializing_if = "Option::is_none"
    )]
    pub parent: Option<Option<String>>,
}

/// Arguments of [`Weather::weather_report`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WeatherReportInput {}

/// Arguments of [`Weather::temperature`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TemperatureInput {
    /// City name.
    pub city: String,
}

/// Arguments of [`Weather::shapes`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapesInput {
    /// By tag.
    pub shape: Shape,
    /// Literals.
    pub level: Level,
    /// By kind.
    pub text: StringOrList,
    /// By kind of number.
    pub count: Count,
    /// By schema.
    pub filter: Filter,
    /// Recursive.
    pub tree: Tree,
    /// Exactly two.
    pub pair: (String, i64),
    /// Open.
    pub labels: Labels,
}

/// Round or square.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Round.
    Circle(Circle),
    /// Square.
    Square(Box<Square>),
}
mcp_codegen_runtime::tagged_union! {
    Shape by "kind" { Circle = ["\"circle\""], Square = ["\"square\"", "\"sq\""] } else Circle
}

/// Round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Circle {
    /// Always `circle`.
    #[serde(
        default,
        deserialize_with = "de::some",
        skip_serializing_if = "Option::is_none"
    )]
    pub kind: Option<CircleKind>,
    /// Half its width.
    pub radius: f64,
}

/// The constant `circle`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CircleKind;
mcp_codegen_runtime::constant! { CircleKind = "\"circle\"" }

/// Square.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Square {
    /// `square` or `sq`.
    pub kind: SquareKind,
    /// Its width.
    pub side: f64,
}

/// How a square is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SquareKind {
    /// `square`.
    #[serde(rename = "square")]
    Square,
    /// `sq`.
    #[serde(rename = "sq")]
    Sq,
}

/// Any literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// `1`.
    One,
    /// `0.5`.
    Half,
    /// `null`.
    Off,
    /// `true`.
    On,
}
mcp_codegen_runtime::literals! { Level { One = "1", Half = "0.5", Off = "null", On = "true" } }

/// One or many.
#[derive(Clone, Debug, PartialEq)]
pub enum StringOrList {
    /// One.
    Text(String),
    /// Many.
    List(Vec<String>),
}
mcp_codegen_runtime::kind_union! { StringOrList { Text = [string], List = [array] } }

/// Numbers and a flag.
#[derive(Clone, Debug, PartialEq)]
pub enum Count {
    /// Whole.
    Whole(i64),
    /// Not whole.
    Part(f64),
    /// A flag.
    Flag(bool),
}
mcp_codegen_runtime::kind_union! { Count { Whole = [integer], Part = [number], Flag = [boolean] } }

/// By id or by name.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// By id.
    ById(ById),
    /// By name.
    ByName(ByName),
}
mcp_codegen_runtime::schema_union! { Filter in CONTRACT { ById, ByName } }

/// By id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ById {
    /// The id.
    pub id: i64,
}

/// By name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ByName {
    /// The name.
    pub name: String,
}

/// Trees of trees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tree(pub Vec<Tree>);

/// Some known, others kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Labels {
    /// Known.
    #[serde(
        default,
        deserialize_with = "de::some",
        skip_serializing_if = "Option::is_none"
    )]
    pub first: Option<i64>,
    /// Others.
    #[serde(flatten, deserialize_with = "de::rest")]
    pub rest: BTreeMap<String, i64>,
}
