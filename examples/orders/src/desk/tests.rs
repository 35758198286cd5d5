//! The desk behind an in-process client: what is on the wire, and what is refused.

use jiff::Timestamp;
use mcp_codegen_runtime::{
    Value,
    serde_json::json,
    testing::{InProcess, block_on},
};

use super::Desk;
use crate::contract::{CONTRACT, OrdersServer, PlaceOrderInput};

const ORDER: &str = "0198c0de-0000-7000-8000-000000000001";

fn arguments() -> Value {
    json!({
        "order": ORDER,
        "article": "kettle",
        "ship_to": { "name": "Ada", "street": "Storgata 1", "city": "Oslo", "country": "norway" }
    })
}

fn call(arguments: Value) -> Value {
    let desk = Desk::new(|| Timestamp::UNIX_EPOCH);
    block_on(InProcess::new(OrdersServer::new(desk)).call("place_order", arguments))
}

#[test]
fn types_of_others_travel_as_the_contract_says() {
    let answer = call(arguments());
    assert_eq!(
        answer["structuredContent"],
        json!({
            "order": ORDER,
            "due": "1970-01-02T00:00:00Z",
            "label": arguments()["ship_to"],
            "tracking": format!("https://orders.example/parcels/{ORDER}"),
        })
    );
}

#[test]
fn an_address_is_typifys() {
    let input: PlaceOrderInput = CONTRACT
        .tool(0)
        .decode_input(&arguments())
        .expect("the arguments are valid");
    let built: crate::address::Address = crate::address::Address::builder()
        .name("Ada")
        .street("Storgata 1")
        .city("Oslo")
        .country(crate::address::Country::Norway)
        .try_into()
        .expect("every field is set, and none too long");
    assert_eq!(input.ship_to, built);
}

#[test]
fn what_the_contract_or_a_type_refuses_does_not_reach_the_desk() {
    let with = |key: &str, value: Value| {
        let mut arguments = arguments();
        arguments[key] = value;
        call(arguments)
    };
    let ada =
        |country: &str| json!({ "name": "Ada", "street": "", "city": "Oslo", "country": country });
    let refused = [
        // The validator: all of it at once.
        (with("ship_to", ada("narnia")), "/ship_to/street"),
        (with("ship_to", ada("narnia")), "/ship_to/country"),
        // The types: `format` is a remark in this dialect, but no `Uuid` holds this.
        (with("order", json!("1")), "/order"),
        (with("gift_card", json!("a picture")), "/gift_card"),
    ];
    for (answer, place) in refused {
        assert_eq!(answer["isError"], true, "{answer}");
        let text = answer["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains(place), "{place}: {text}");
    }
}
