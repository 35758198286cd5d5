//! What the office knows: a few cities, and a forecast rule that any grandmother could better.

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};

use crate::contract::{
    Alert, Calm, CalmKind, Conditions, ForecastDay, GetTideOutput, GetTideOutputTrend, HeatAlert,
    HeatAlertKind, Level, Position, Station, WeatherData, WindAlert, WindAlertKind,
};

/// A city and its weather.
#[derive(Debug)]
pub(crate) struct City {
    pub(crate) name: &'static str,
    /// Degrees Celsius, now.
    pub(crate) temperature: f64,
    /// The lowest and the highest temperature ever measured.
    pub(crate) range: (f64, f64),
    pub(crate) alert: Alert,
    /// What the gauge at the sea says, where there is a sea.
    pub(crate) tide: Option<GetTideOutput>,
    humidity: f64,
    conditions: Conditions,
}

/// Every city there is.
pub(crate) static CITIES: [City; 3] = [
    City {
        name: "Cairo",
        temperature: 34.1,
        range: (1.2, 47.8),
        alert: Alert::HeatAlert(HeatAlert {
            kind: HeatAlertKind,
            level: Level::V2,
            peak: 41.5,
        }),
        tide: None,
        humidity: 0.21,
        conditions: Conditions::Clear,
    },
    City {
        name: "London",
        temperature: 16.2,
        range: (-17.4, 40.2),
        alert: Alert::Calm(Calm { kind: CalmKind }),
        tide: Some(GetTideOutput {
            height: -0.4,
            trend: GetTideOutputTrend::Falling,
        }),
        humidity: 0.83,
        conditions: Conditions::Overcast,
    },
    City {
        name: "Reykjavik",
        temperature: 4.4,
        range: (-24.5, 25.7),
        alert: Alert::WindAlert(WindAlert {
            kind: WindAlertKind,
            level: Level::V3,
            gusts: 130.5,
            until: None,
        }),
        tide: Some(GetTideOutput {
            height: 1.8,
            trend: GetTideOutputTrend::Rising,
        }),
        humidity: 0.71,
        conditions: Conditions::Rain,
    },
];

/// The city of that name.
pub(crate) fn city(name: &str) -> Option<&'static City> {
    CITIES.iter().find(|it| it.name == name)
}

/// The station of that name.
pub(crate) fn station(name: &str) -> Option<Station> {
    let (city, online, position) = match name {
        "Heathrow" => (
            "London",
            true,
            Position {
                latitude: 51.479,
                longitude: -0.449,
                elevation: Some(25),
            },
        ),
        "Almaza" => (
            "Cairo",
            false,
            Position {
                latitude: 30.092,
                longitude: 31.363,
                elevation: None,
            },
        ),
        _ => return None,
    };
    Some(Station {
        name: name.to_owned(),
        city: city.to_owned(),
        online,
        position,
    })
}

impl City {
    /// The temperature in whole degrees Celsius.
    #[expect(clippy::cast_possible_truncation, reason = "no weather is that hot")]
    pub(crate) fn whole_degrees(&self) -> i64 {
        self.temperature.round() as i64
    }

    /// The weather now.
    pub(crate) fn weather(&self) -> WeatherData {
        WeatherData {
            temperature: self.temperature,
            humidity: self.humidity,
            conditions: self.conditions,
        }
    }

    /// The weather `days` from now: much like today's, and less and less sure.
    pub(crate) fn forecast(&self, days: u32) -> ForecastDay {
        let drift = f64::from(days) * 0.5;
        ForecastDay {
            date: in_days(days).to_string(),
            low: self.temperature - 4.0 - drift,
            high: self.temperature + 4.0 + drift,
            conditions: if days == 0 {
                self.conditions
            } else {
                Conditions::PartlyCloudy
            },
            confidence: (days < 7).then(|| 0.95 - f64::from(days) * 0.1),
        }
    }

    /// The sky in words.
    pub(crate) fn sky(&self) -> &'static str {
        match self.conditions {
            Conditions::Clear => "clear",
            Conditions::PartlyCloudy => "partly cloudy",
            Conditions::Overcast => "overcast",
            Conditions::Fog => "foggy",
            Conditions::Rain => "rainy",
            Conditions::Snow => "snowy",
            Conditions::Thunderstorm => "stormy",
        }
    }
}

fn in_days(days: u32) -> Date {
    TimeZone::UTC
        .to_datetime(Timestamp::now())
        .date()
        .saturating_add(i64::from(days).days())
}
