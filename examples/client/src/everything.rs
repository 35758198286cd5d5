//! `@modelcontextprotocol/server-everything`: most of its tools promise no output, so their content blocks are read.

use mcp_codegen_runtime::client::{Block, ClientError, Connect};

use crate::reference::everything::{
    EchoInput, EverythingClient, GetAnnotatedMessageInput, GetAnnotatedMessageInputMessageType,
    GetResourceLinksInput, GetResourceReferenceInput, GetResourceReferenceInputResourceType,
    GetStructuredContentInput, GetStructuredContentInputLocation, GetSumInput, GetTinyImageInput,
    SimulateResearchQueryInput,
};

/// Calls the tools whose answers are always the same.
pub(crate) async fn tour(client: EverythingClient) -> Result<(), ClientError> {
    println!("revision {}", client.client().revision());
    let echo = EchoInput {
        message: "hello".to_owned(),
    };
    println!("{}", client.echo(&echo).await?.text());
    println!(
        "{}",
        client
            .get_sum(&GetSumInput { a: 2.0, b: 3.5 })
            .await?
            .text()
    );
    for location in [
        GetStructuredContentInputLocation::NewYork,
        GetStructuredContentInputLocation::Chicago,
    ] {
        let weather = client
            .get_structured_content(&GetStructuredContentInput { location })
            .await?;
        println!(
            "{location:?}: {} degrees, {}",
            weather.temperature, weather.conditions
        );
    }
    blocks(&client).await?;

    let too_many = GetResourceLinksInput { count: 99.0 };
    match client.get_resource_links(&too_many).await {
        Err(ClientError::Contract(breach)) => println!("never sent: {breach}"),
        other => println!("{other:?}"),
    }
    let broken = GetResourceReferenceInput {
        resource_id: -1.0,
        ..Default::default()
    };
    match client.get_resource_reference(&broken).await {
        Err(ClientError::Tool(no)) => println!("the tool said no: {}", no.text()),
        other => println!("{other:?}"),
    }
    // Only as a task, which this client does not ask for.
    let query = SimulateResearchQueryInput {
        topic: "rust".to_owned(),
        ambiguous: false,
    };
    match client.simulate_research_query(&query).await {
        Err(ClientError::Tool(no)) => println!("the tool said no: {}", no.text()),
        Err(ClientError::Refused(no)) => println!("the server refused: {}", no.message),
        other => println!("{other:?}"),
    }
    client.client().close().await
}

/// Images, links and resources.
async fn blocks(client: &EverythingClient) -> Result<(), ClientError> {
    let image = client.get_tiny_image(&GetTinyImageInput {}).await?;
    for block in image.blocks() {
        match block {
            Block::Text(text) => println!("text: {text}"),
            Block::Image(image) => {
                let length = image.bytes().map_or(0, |it| it.len());
                println!("{} of {length} bytes", image.mime_type());
            }
            other => println!("{other:?}"),
        }
    }
    let links = client
        .get_resource_links(&GetResourceLinksInput { count: 2.0 })
        .await?;
    for block in links.blocks() {
        let Block::Link(link) = block else { continue };
        // What a link leads to need not be part of the contract.
        let contents = client.client().read_uri(link.uri()).await?;
        println!(
            "{} has {} contents",
            link.uri(),
            contents.contents().count()
        );
    }
    let blob = GetResourceReferenceInput {
        resource_type: GetResourceReferenceInputResourceType::Blob,
        resource_id: 2.0,
    };
    for block in client.get_resource_reference(&blob).await?.blocks() {
        if let Block::Resource(resource) = block {
            println!("{} is {:?}", resource.uri(), resource.mime_type());
        }
    }
    let message = GetAnnotatedMessageInput {
        message_type: GetAnnotatedMessageInputMessageType::Error,
        include_image: false,
    };
    let reply = client.get_annotated_message(&message).await?;
    if let Some(block) = reply.content().first() {
        println!("{}: {}", reply.text(), block["annotations"]);
    }
    Ok(())
}
