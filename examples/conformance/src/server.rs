//! The generated trait [`Conformance`], implemented as the suites describe each tool, resource and prompt.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use mcp_codegen_runtime::{
    Ability, CallContext, Content, Elicitation, Elicited, LogLevel, Partial, Progress,
    PromptMessages, ResourceContents, ResourceUpdates, Sampling, ToolError, ToolResult, Toolset,
    content::{Audio, EmbeddedResource, Image, ImageFormat},
    serde_json, watched,
};
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::sleep;

use crate::contract::{self, Conformance, ConformanceServer};

/// Where the suites want a pause.
const PAUSE: Duration = Duration::from_millis(50);

/// A PNG of one red pixel.
const PIXEL: &[u8] = include_bytes!("../assets/pixel.png");

/// The server, for any transport.
pub(crate) fn server() -> impl Toolset + Clone {
    let updates = ResourceUpdates::new();
    let fixture = Fixture {
        touches: Arc::default(),
        updates: updates.clone(),
    };
    watched(ConformanceServer::new(fixture), updates)
}

/// Does as the suites say.
#[derive(Clone, Debug)]
struct Fixture {
    /// How often the watched resource changed.
    touches: Arc<AtomicU64>,
    updates: ResourceUpdates,
}

impl Conformance for Fixture {
    async fn test_simple_text(
        &self,
        _: contract::TestSimpleTextInput,
        _: CallContext,
    ) -> ToolResult<Content> {
        Ok("This is a simple text response for testing.".into())
    }

    async fn test_image_content(
        &self,
        _: contract::TestImageContentInput,
        _: CallContext,
    ) -> ToolResult<Content> {
        Ok(pixel().into())
    }

    async fn test_audio_content(
        &self,
        _: contract::TestAudioContentInput,
        _: CallContext,
    ) -> ToolResult<Content> {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/silence.wav");
        Ok(Audio::from_path(file).into())
    }

    async fn test_embedded_resource(
        &self,
        _: contract::TestEmbeddedResourceInput,
        _: CallContext,
    ) -> ToolResult<Content> {
        let text = "This is an embedded resource content.";
        let resource = EmbeddedResource::text("test://embedded-resource", text);
        Ok(resource.with_mime_type("text/plain").into())
    }

    async fn test_multiple_content_types(
        &self,
        _: contract::TestMultipleContentTypesInput,
        _: CallContext,
    ) -> ToolResult<Content> {
        let text = r#"{"test":"data","value":123}"#;
        let resource = EmbeddedResource::text("test://mixed-content-resource", text);
        let resource = resource.with_mime_type("application/json");
        Ok(Content::from_iter([
            Content::text("Multiple content types test:"),
            pixel().into(),
            resource.into(),
        ]))
    }

    async fn test_error_handling(
        &self,
        _: contract::TestErrorHandlingInput,
        _: CallContext,
    ) -> ToolResult<Content> {
        let text = "This tool intentionally returns an error for testing";
        Err(ToolError::new(text))
    }

    async fn test_tool_with_logging(
        &self,
        _: contract::TestToolWithLoggingInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        cx.log(LogLevel::Info, "Tool execution started").await;
        sleep(PAUSE).await;
        cx.log(LogLevel::Info, "Tool processing data").await;
        sleep(PAUSE).await;
        cx.log(LogLevel::Info, "Tool execution completed").await;
        Ok("Three messages were logged.".into())
    }

    async fn test_logging_tool(
        &self,
        _: contract::TestLoggingToolInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        cx.log(LogLevel::Error, "Only for who asked for it").await;
        Ok("A message was logged.".into())
    }

    async fn test_tool_with_progress(
        &self,
        _: contract::TestToolWithProgressInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        for done in [0.0, 50.0, 100.0] {
            cx.progress(Progress::new(done).of(100.0)).await;
            sleep(PAUSE).await;
        }
        Ok("Progress was reported.".into())
    }

    async fn test_reconnection(
        &self,
        _: contract::TestReconnectionInput,
        _: CallContext,
    ) -> ToolResult<Content> {
        sleep(PAUSE * 2).await;
        Ok("Reconnection was possible.".into())
    }

    async fn touch_watched_resource(
        &self,
        _: contract::TouchWatchedResourceInput,
        _: CallContext,
    ) -> ToolResult<Content> {
        let touches = self.touches.fetch_add(1, Ordering::Relaxed) + 1;
        self.updates.updated("test://watched-resource");
        Ok(format!("Touched {touches} times.").into())
    }

    async fn test_sampling(
        &self,
        input: contract::TestSamplingInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        let task = Sampling::new(input.prompt).with_max_tokens(100);
        let written = cx.sample(task).await?;
        Ok(format!("LLM response: {}", written.text()).into())
    }

    async fn test_elicitation(
        &self,
        input: contract::TestElicitationInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        let answer = cx.elicit(&contract::PERSON, input.message).await?;
        Ok(format!("User response: {}", outcome(&answer)?).into())
    }

    async fn test_elicitation_sep1034_defaults(
        &self,
        _: contract::TestElicitationSep1034DefaultsInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        completed(&contract::DEFAULTS, &cx).await
    }

    async fn test_elicitation_sep1330_enums(
        &self,
        _: contract::TestElicitationSep1330EnumsInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        completed(&contract::CHOICES, &cx).await
    }

    async fn test_streaming_elicitation(
        &self,
        _: contract::TestStreamingElicitationInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        cx.progress(Progress::new(0.0).of(1.0)).await;
        completed(&contract::CONFIRM, &cx).await
    }

    async fn test_missing_capability(
        &self,
        _: contract::TestMissingCapabilityInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        let written = cx.sample(Sampling::new("Say hello.")).await?;
        Ok(written.text().into())
    }

    async fn test_input_required_result_elicitation(
        &self,
        _: contract::TestInputRequiredResultElicitationInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        let answer = cx.elicit_default(&contract::USER_NAME).await?;
        let name = answer.accepted().map(|it| it.name);
        Ok(format!("Hello, {}!", name.as_deref().unwrap_or("whoever you are")).into())
    }

    async fn test_input_required_result_sampling(
        &self,
        _: contract::TestInputRequiredResultSamplingInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        let task = Sampling::new("What is the capital of France?").with_max_tokens(100);
        Ok(cx.sample(task).await?.text().into())
    }

    async fn test_input_required_result_list_roots(
        &self,
        _: contract::TestInputRequiredResultListRootsInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        let roots = cx.roots().await?.into_iter().map(|it| it.uri);
        Ok(roots.collect::<Vec<_>>().join("\n").into())
    }

    async fn test_input_required_result_request_state(
        &self,
        _: contract::TestInputRequiredResultRequestStateInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        let answer = cx.elicit_default(&contract::CONFIRM).await?;
        Ok(format!("state-ok: {}", outcome(&answer)?).into())
    }

    async fn test_input_required_result_tampered_state(
        &self,
        _: contract::TestInputRequiredResultTamperedStateInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        completed(&contract::CONFIRM, &cx).await
    }

    async fn test_input_required_result_multiple_inputs(
        &self,
        _: contract::TestInputRequiredResultMultipleInputsInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        let task = Sampling::new("Generate a greeting").with_max_tokens(50);
        let (name, greeting, roots) = tokio::try_join!(
            cx.elicit_default(&contract::USER_NAME),
            cx.sample(task),
            cx.roots(),
        )?;
        let (name, greeting) = (outcome(&name)?, greeting.text());
        Ok(format!("{greeting} {name}, {} roots", roots.len()).into())
    }

    async fn test_input_required_result_multi_round(
        &self,
        _: contract::TestInputRequiredResultMultiRoundInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        let name = cx.elicit_default(&contract::STEP1).await?;
        let color = cx.elicit_default(&contract::STEP2).await?;
        Ok(format!("{}; {}", outcome(&name)?, outcome(&color)?).into())
    }

    async fn test_input_required_result_capabilities(
        &self,
        _: contract::TestInputRequiredResultCapabilitiesInput,
        cx: CallContext,
    ) -> ToolResult<Content> {
        if cx.client_can(Ability::Form) {
            return completed(&contract::CONFIRM, &cx).await;
        }
        if cx.client_can(Ability::Sampling) {
            let written = cx.sample(Sampling::new("May I go on?")).await?;
            return Ok(written.text().into());
        }
        Ok("There is nobody to ask.".into())
    }

    async fn json_schema_2020_12_tool(
        &self,
        input: contract::JsonSchema2020_12ToolInput,
        _: CallContext,
    ) -> ToolResult<Content> {
        let input = serde_json::to_string(&input)?;
        Ok(format!("JSON Schema 2020-12 tool called with: {input}").into())
    }

    async fn test_custom_header(
        &self,
        input: contract::TestCustomHeaderInput,
        _: CallContext,
    ) -> ToolResult<Content> {
        Ok(format!("Ran in {}.", input.region).into())
    }

    async fn read_static_text(&self, _: CallContext) -> ToolResult<ResourceContents> {
        Ok("This is the content of the static text resource.".into())
    }

    async fn read_static_binary(&self, _: CallContext) -> ToolResult<ResourceContents> {
        Ok(ResourceContents::bytes(PIXEL))
    }

    async fn read_watched(&self, _: CallContext) -> ToolResult<ResourceContents> {
        let touches = self.touches.load(Ordering::Relaxed);
        Ok(ResourceContents::text(format!("Touched {touches} times.")))
    }

    async fn read_data(
        &self,
        variables: contract::DataVariables,
        _: CallContext,
    ) -> ToolResult<ResourceContents> {
        let id = variables.id;
        ResourceContents::json(&serde_json::json!({
            "id": id, "templateTest": true, "data": format!("Data for ID: {id}")
        }))
    }

    async fn test_simple_prompt_prompt(
        &self,
        _: contract::TestSimplePromptArguments,
        _: CallContext,
    ) -> ToolResult<PromptMessages> {
        Ok("This is a simple prompt for testing.".into())
    }

    async fn test_prompt_with_arguments_prompt(
        &self,
        arguments: contract::TestPromptWithArgumentsArguments,
        _: CallContext,
    ) -> ToolResult<PromptMessages> {
        let contract::TestPromptWithArgumentsArguments { arg1, arg2 } = arguments;
        let text = format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'");
        Ok(PromptMessages::user(text))
    }

    async fn complete_test_prompt_with_arguments_arg1(
        &self,
        partial: Partial,
        _: CallContext,
    ) -> ToolResult<Vec<String>> {
        let known = ["paris", "park", "party", "test"].into_iter();
        let fitting = known.filter(|it| it.starts_with(&partial.value));
        Ok(fitting.map(str::to_owned).collect())
    }

    async fn test_prompt_with_embedded_resource_prompt(
        &self,
        arguments: contract::TestPromptWithEmbeddedResourceArguments,
        _: CallContext,
    ) -> ToolResult<PromptMessages> {
        let text = "Embedded resource content for testing.";
        let resource = EmbeddedResource::text(arguments.resource_uri, text);
        let messages = PromptMessages::user(resource.with_mime_type("text/plain"));
        Ok(messages.and_user("Please process the embedded resource above."))
    }

    async fn test_prompt_with_image_prompt(
        &self,
        _: contract::TestPromptWithImageArguments,
        _: CallContext,
    ) -> ToolResult<PromptMessages> {
        Ok(PromptMessages::user(pixel()).and_user("Please analyze the image above."))
    }

    async fn test_input_required_result_prompt_prompt(
        &self,
        _: contract::TestInputRequiredResultPromptArguments,
        cx: CallContext,
    ) -> ToolResult<PromptMessages> {
        let answer = cx.elicit_default(&contract::USER_CONTEXT).await?;
        let context = answer.accepted().map(|it| it.context);
        let context = context.as_deref().unwrap_or("no context");
        Ok(PromptMessages::user(format!("Use this: {context}")))
    }
}

fn pixel() -> Image {
    Image::from_bytes(PIXEL, ImageFormat::Png)
}

/// Shows a form with its own message, and tells what came of it.
async fn completed<T>(form: &Elicitation<T>, cx: &CallContext) -> ToolResult<Content>
where
    T: DeserializeOwned + Serialize,
{
    let answer = cx.elicit_default(form).await?;
    Ok(format!("Elicitation completed: {}", outcome(&answer)?).into())
}

/// An answer in the words of the suites.
fn outcome<T: Serialize>(answer: &Elicited<T>) -> ToolResult<String> {
    Ok(match answer {
        Elicited::Accepted(content) => {
            format!("action=accept, content={}", serde_json::to_string(content)?)
        }
        Elicited::Declined => "action=decline".to_owned(),
        Elicited::Cancelled => "action=cancel".to_owned(),
    })
}
