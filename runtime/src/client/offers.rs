//! Resources and prompts through a client.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    Block, Breach, Client, ClientError, Direction, Request,
    call::object,
    reply::{decoded, take_list, take_meta},
};
use crate::{Prompt, Resource, ResourceTemplate, Subject, Violation, content::Role};

impl Client {
    /// Reads a resource. Generated code calls this.
    ///
    /// # Errors
    ///
    /// See [`ClientError`].
    pub async fn read(&self, resource: &'static Resource) -> Result<ContentsReply, ClientError> {
        self.read_uri(resource.uri()).await
    }

    /// Reads the resource of a template that `variables` name. Generated code calls this.
    ///
    /// # Errors
    ///
    /// See [`ClientError`]. Variables that make no URI of the template break the contract.
    pub async fn read_template<V>(
        &self,
        template: &'static ResourceTemplate,
        variables: &V,
    ) -> Result<ContentsReply, ClientError>
    where
        V: Serialize + Sync,
    {
        let uri = template
            .encode_uri(variables)
            .map_err(|violations| Breach {
                subject: Subject::Resource(template.name()),
                direction: Direction::Sent,
                violations,
            })?;
        self.read_uri(&uri).await
    }

    /// Reads the resource with this URI, which need not be part of the contract: a link in a [`Reply`](super::Reply), say.
    ///
    /// # Errors
    ///
    /// See [`ClientError`].
    pub async fn read_uri(&self, uri: &str) -> Result<ContentsReply, ClientError> {
        let uri = uri.to_owned();
        let mut result = self.request(Request::ReadResource { uri }).await?;
        Ok(ContentsReply {
            contents: take_list(&mut result, "contents"),
            meta: take_meta(&mut result),
        })
    }

    /// Gets a prompt. Generated code calls this.
    ///
    /// # Errors
    ///
    /// See [`ClientError`]. A message that is none breaks the contract.
    pub async fn prompt<I>(
        &self,
        prompt: &'static Prompt,
        arguments: &I,
    ) -> Result<PromptReply, ClientError>
    where
        I: Serialize + Sync,
    {
        let breach = |direction, violations| Breach {
            subject: Subject::Prompt(prompt.name()),
            direction,
            violations,
        };
        let arguments = prompt.encode_arguments(arguments).and_then(object);
        let arguments = arguments.map_err(|it| breach(Direction::Sent, it))?;
        let name = prompt.name();
        let mut result = self.request(Request::GetPrompt { name, arguments }).await?;
        let messages = take_list(&mut result, "messages");
        if let Some(index) = messages.iter().position(|it| Message::of(it).is_none()) {
            let pointer = format!("/messages/{index}");
            let violation = Violation::new(pointer, "expected a message with `role` and `content`");
            return Err(breach(Direction::Received, violation.into()).into());
        }
        let description = result.get("description").and_then(Value::as_str);
        Ok(PromptReply {
            description: description.map(str::to_owned),
            messages,
            meta: take_meta(&mut result),
        })
    }
}

/// What the read of a resource gives.
#[derive(Clone, Debug, PartialEq)]
pub struct ContentsReply {
    contents: Vec<Value>,
    meta: Map<String, Value>,
}

impl ContentsReply {
    /// The contents; most resources have one.
    pub fn contents(&self) -> impl Iterator<Item = Contents<'_>> {
        self.contents.iter().filter_map(Contents::of)
    }

    /// The texts among them, one after the other, with line ends between them.
    pub fn text(&self) -> String {
        let texts = self.contents().filter_map(Contents::text);
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The result's `_meta`.
    pub const fn meta(&self) -> &Map<String, Value> {
        &self.meta
    }
}

/// The contents of a resource: a text, or bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contents<'a> {
    uri: &'a str,
    data: Data<'a>,
    value: &'a Value,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Data<'a> {
    Text(&'a str),
    Base64(&'a str),
}

impl<'a> Contents<'a> {
    pub(super) fn of(value: &'a Value) -> Option<Self> {
        let text = |key: &str| value.get(key)?.as_str();
        let data = text("text").map(Data::Text);
        let data = data.or_else(|| text("blob").map(Data::Base64))?;
        let uri = text("uri")?;
        Some(Self { uri, data, value })
    }

    /// The URI of the resource.
    pub const fn uri(self) -> &'a str {
        self.uri
    }

    /// Its MIME type.
    pub fn mime_type(self) -> Option<&'a str> {
        self.value.get("mimeType")?.as_str()
    }

    /// The text, if it is one.
    pub const fn text(self) -> Option<&'a str> {
        match self.data {
            Data::Text(text) => Some(text),
            Data::Base64(_) => None,
        }
    }

    /// The bytes, also of a text; `None` where they are no base64.
    pub fn bytes(self) -> Option<Vec<u8>> {
        match self.data {
            Data::Text(text) => Some(text.as_bytes().to_vec()),
            Data::Base64(data) => decoded(data),
        }
    }

    /// The whole as MCP has it.
    pub const fn as_value(self) -> &'a Value {
        self.value
    }
}

/// What a prompt gives.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptReply {
    description: Option<String>,
    messages: Vec<Value>,
    meta: Map<String, Value>,
}

impl PromptReply {
    /// What the prompt is for.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The messages, in order.
    pub fn messages(&self) -> impl Iterator<Item = Message<'_>> {
        self.messages.iter().filter_map(Message::of)
    }

    /// The result's `_meta`.
    pub const fn meta(&self) -> &Map<String, Value> {
        &self.meta
    }
}

/// One message of a prompt.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Message<'a> {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Block<'a>,
}

impl<'a> Message<'a> {
    fn of(value: &'a Value) -> Option<Self> {
        let role = match value.get("role")?.as_str()? {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => return None,
        };
        let content = Block::of(value.get("content")?);
        Some(Self { role, content })
    }
}
