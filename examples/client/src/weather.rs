//! The weather example: scalars, objects, lists and unions come back as the types that its server has.

use mcp_codegen_runtime::client::{ClientError, Connect};

use crate::contracts::weather::{
    GetAlertInput, GetForecastInput, GetTemperatureInput, GetTideInput, GetWeatherInput,
    WeatherClient, WeatherReportInput,
};

/// Calls its tools, and one in a way that the contract does not allow.
pub(crate) async fn tour(client: WeatherClient) -> Result<(), ClientError> {
    println!("revision {}", client.client().revision());
    let city = || "London".to_owned();
    let degrees: i64 = client
        .get_temperature(&GetTemperatureInput { city: city() })
        .await?;
    println!("{degrees} degrees in London");
    println!(
        "{:?}",
        client
            .get_weather(&GetWeatherInput { city: city() })
            .await?
    );
    println!(
        "{:?}",
        client.get_alert(&GetAlertInput { city: city() }).await?
    );
    let forecast = GetForecastInput {
        city: city(),
        days: 2,
    };
    println!("{} days", client.get_forecast(&forecast).await?.len());
    let report = client
        .weather_report(&WeatherReportInput { city: city() })
        .await?;
    println!("{}", report.text());

    let inland = GetTideInput {
        city: "Cairo".to_owned(),
    };
    match client.get_tide(&inland).await {
        Err(ClientError::Tool(no)) => println!("the tool said no: {}", no.text()),
        other => println!("{other:?}"),
    }
    let nowhere = GetTideInput {
        city: String::new(),
    };
    match client.get_tide(&nowhere).await {
        Err(ClientError::Contract(breach)) => println!("never sent: {breach}"),
        other => println!("{other:?}"),
    }
    client.client().close().await
}
