//! A generated client against the generated server of the same contract, in one process and over no transport.

use mcp_codegen_runtime::{
    CallContext, Content, PromptMessages, ResourceContents, Revision, ToolError, ToolResult,
    client::{Client, ClientError, Connect, Direction},
    testing::block_on,
};

use super::compiled::client::kit::{
    DescribeInput, Kit, KitClient, KitServer, LogoVariables, LogoVariablesTheme, NewInput,
    ReviewArguments,
};

#[derive(Clone, Debug)]
struct Studio;

impl Kit for Studio {
    async fn describe(&self, _: DescribeInput, cx: CallContext) -> ToolResult<Content> {
        Ok(Content::text(format!("A kit, in {}.", cx.revision())))
    }

    async fn new(&self, input: NewInput, _: CallContext) -> ToolResult<Vec<String>> {
        match input.name.as_str() {
            "none" => Err(ToolError::new("every palette has a colour")),
            // Its own server would not send that.
            "red" => Ok(vec!["red".to_owned()]),
            _ => Ok(vec!["#ff0000".to_owned(), "#00ff00".to_owned()]),
        }
    }

    async fn read_guidelines(&self, _: CallContext) -> ToolResult<ResourceContents> {
        Ok("# Space".into())
    }

    async fn read_logo(
        &self,
        variables: LogoVariables,
        _: CallContext,
    ) -> ToolResult<ResourceContents> {
        let size = variables.size.unwrap_or_default();
        Ok(ResourceContents::text(format!(
            "{:?} {size}",
            variables.theme
        )))
    }

    async fn review_prompt(
        &self,
        arguments: ReviewArguments,
        _: CallContext,
    ) -> ToolResult<PromptMessages> {
        Ok(PromptMessages::user(format!("Review: {}", arguments.text)))
    }
}

#[test]
fn all_that_the_contract_offers_can_be_reached() {
    for revision in Revision::ALL {
        let client = KitClient::over(Client::in_process_as(KitServer::new(Studio), revision));
        block_on(all(&client)).expect("the server keeps the contract");
    }
}

async fn all(client: &KitClient) -> Result<(), ClientError> {
    let description = client.describe(&DescribeInput {}).await?;
    let revision = client.client().revision();
    assert_eq!(description.text(), format!("A kit, in {revision}."));
    // The tool, not the constructor of that name.
    let palette = client
        .new(&NewInput {
            name: "traffic".to_owned(),
        })
        .await?;
    assert_eq!(palette, ["#ff0000", "#00ff00"]);
    assert_eq!(client.read_guidelines().await?.text(), "# Space");
    let logo = LogoVariables {
        theme: LogoVariablesTheme::Dark,
        size: Some("32".to_owned()),
    };
    let logo = client.read_logo(&logo).await?;
    let contents: Vec<_> = logo.contents().map(|it| (it.uri(), it.text())).collect();
    assert_eq!(contents, [("kit://logos/dark?size=32", Some("Dark 32"))]);
    let review = ReviewArguments {
        text: "Hi".to_owned(),
        tone: None,
    };
    let review = client.review_prompt(&review).await?;
    assert_eq!(review.messages().count(), 1);
    Ok(())
}

#[test]
fn errors_say_who_is_to_blame() {
    let client = <KitClient as Connect>::in_process(KitServer::new(Studio));
    let new = |name: &str| {
        let input = NewInput {
            name: name.to_owned(),
        };
        block_on(client.new(&input)).expect_err("it is refused")
    };
    let refused = new("none");
    assert!(
        matches!(&refused, ClientError::Tool(it) if it.text() == "every palette has a colour"),
        "{refused}"
    );
    // A plain type does not check what it writes.
    let too_long = new("the palette of a very long name");
    assert!(
        matches!(&too_long, ClientError::Contract(it) if it.direction == Direction::Sent),
        "{too_long}"
    );
    // The server's own contract is the first to break, and it says so as a tool.
    let broken = new("red");
    assert!(matches!(&broken, ClientError::Tool(_)), "{broken}");
}
