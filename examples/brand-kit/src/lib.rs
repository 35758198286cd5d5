//! A brand kit: everything that a server can offer beside typed values, each from a contract file in `schemas/brand-kit`.
//!
//! Tools give pictures and sound, resources give files, prompts bring both along, and one tool asks the user.

mod assets;

use mcp_codegen_runtime::{
    CallContext, Content, Elicited, Partial, PromptMessages, ResourceContents, ToolError,
    ToolResult, Toolset,
    content::{Audio, EmbeddedResource, Image, ImageFormat, ResourceLink},
};

use crate::{
    assets::{COLOURS, colour, file, logo_bytes, logo_file},
    contract::{
        BrandKit, BrandKitServer, ChimeInput, ColourVariables, LOGO_USE, LogoFromBytesInput,
        LogoInput, LogoUse, LogoUseMedium, LogoVariables, PaletteInput, RequestLogoInput,
        RequestLogoOutput, ReviewArguments, ReviewArgumentsTone, TaglineArguments, Theme,
    },
};

/// What `build.rs` made of `schemas/brand-kit`.
mod contract {
    mcp_codegen_runtime::include_contract!("brand_kit");
}

/// What can be reviewed.
const ASSETS: [&str; 4] = ["chime", "logo-dark", "logo-light", "palette"];

/// The brand kit as a server, for any transport.
pub fn server() -> impl Toolset + Clone {
    BrandKitServer::new(Studio)
}

/// Keeps the assets of one brand.
#[derive(Clone, Debug)]
struct Studio;

impl BrandKit for Studio {
    /// The file is read, encoded and checked after this returned: what is missing or no PNG is an error that names it.
    async fn logo(&self, input: LogoInput, _cx: CallContext) -> ToolResult<Content> {
        Ok(Image::from_path(logo_file(input.theme)).into())
    }

    /// Bytes have no extension, so their format has to be said. Whether it is true is checked.
    async fn logo_from_bytes(
        &self,
        input: LogoFromBytesInput,
        _cx: CallContext,
    ) -> ToolResult<Content> {
        Ok(Image::from_bytes(logo_bytes(input.theme), ImageFormat::Png).into())
    }

    async fn chime(&self, _input: ChimeInput, _cx: CallContext) -> ToolResult<Content> {
        Ok(Audio::from_path(file("chime.wav")).into())
    }

    async fn palette(&self, _input: PaletteInput, _cx: CallContext) -> ToolResult<Vec<String>> {
        Ok(COLOURS.iter().map(|(_, code)| (*code).to_owned()).collect())
    }

    /// Asks the user, and lets a link to the logo come along with the typed result.
    async fn request_logo(
        &self,
        input: RequestLogoInput,
        cx: CallContext,
    ) -> ToolResult<RequestLogoOutput> {
        let answer = match cx.elicit_default(&LOGO_USE).await? {
            Elicited::Accepted(answer) => answer,
            Elicited::Declined | Elicited::Cancelled => {
                return Err(ToolError::new(
                    "without a purpose the logo may not be used; the user gave none",
                ));
            }
        };
        let terms = terms(&answer);
        if terms.granted {
            let uri = format!("brand://logos/{}", name(input.theme));
            cx.attach(ResourceLink::new(uri, "logo").with_mime_type("image/png"));
        }
        Ok(terms)
    }

    /// A file of texts is sent as a text, any other as bytes: the contract's MIME type decides.
    async fn read_guidelines(&self, _cx: CallContext) -> ToolResult<ResourceContents> {
        Ok(ResourceContents::file(file("guidelines.md")))
    }

    async fn read_palette(&self, _cx: CallContext) -> ToolResult<ResourceContents> {
        ResourceContents::json(&assets::palette())
    }

    async fn read_chime(&self, _cx: CallContext) -> ToolResult<ResourceContents> {
        Ok(ResourceContents::file(file("chime.wav")))
    }

    async fn read_logo(
        &self,
        variables: LogoVariables,
        _cx: CallContext,
    ) -> ToolResult<ResourceContents> {
        Ok(ResourceContents::file(logo_file(variables.theme)))
    }

    async fn read_colour(
        &self,
        variables: ColourVariables,
        _cx: CallContext,
    ) -> ToolResult<ResourceContents> {
        Ok(colour(&variables.name)?.into())
    }

    async fn complete_colour_name(
        &self,
        partial: Partial,
        _cx: CallContext,
    ) -> ToolResult<Vec<String>> {
        Ok(beginning(COLOURS.iter().map(|(name, _)| *name), &partial))
    }

    async fn review_prompt(
        &self,
        arguments: ReviewArguments,
        _cx: CallContext,
    ) -> ToolResult<PromptMessages> {
        let asset: Content = match arguments.asset.as_str() {
            "logo-light" => Image::from_path(logo_file(Theme::Light)).into(),
            "logo-dark" => Image::from_path(logo_file(Theme::Dark)).into(),
            "chime" => Audio::from_path(file("chime.wav")).into(),
            "palette" => Content::text(codes()),
            other => {
                let names = ASSETS.join(", ");
                return Err(ToolError::new(format!(
                    "there is no asset `{other}`; there are {names}"
                )));
            }
        };
        let tone = match arguments.tone {
            Some(ReviewArgumentsTone::Candid) => " Be candid.",
            Some(ReviewArgumentsTone::Diplomatic) => " Be diplomatic.",
            Some(ReviewArgumentsTone::Playful) => " Be playful.",
            None => "",
        };
        let guidelines = EmbeddedResource::text("brand://guidelines", assets::GUIDELINES);
        Ok(PromptMessages::user(format!(
            "Review `{}` by these guidelines.{tone}",
            arguments.asset
        ))
        .and_user(guidelines.with_mime_type("text/markdown"))
        .and_user(asset)
        .and_assistant("I begin with what a user notices first."))
    }

    async fn complete_review_asset(
        &self,
        partial: Partial,
        _cx: CallContext,
    ) -> ToolResult<Vec<String>> {
        Ok(beginning(ASSETS, &partial))
    }

    async fn tagline_prompt(
        &self,
        _arguments: TaglineArguments,
        _cx: CallContext,
    ) -> ToolResult<PromptMessages> {
        Ok(
            "Write a tagline of at most six words. Promise nothing that the product does not do."
                .into(),
        )
    }
}

/// What is said to somebody who wants to use the logo so.
fn terms(wanted: &LogoUse) -> RequestLogoOutput {
    let (granted, terms) = match wanted.medium {
        LogoUseMedium::Web => (true, "Keep a quarter of its width free on all sides."),
        LogoUseMedium::Print => (true, "Not smaller than 12 mm."),
        LogoUseMedium::Merchandise => (false, "What is sold needs a contract with us."),
    };
    RequestLogoOutput {
        granted,
        terms: terms.to_owned(),
    }
}

/// The theme as URIs have it.
const fn name(theme: Theme) -> &'static str {
    match theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
    }
}

/// The hex codes of the palette, as one text.
fn codes() -> String {
    let codes: Vec<_> = COLOURS.iter().map(|(_, code)| *code).collect();
    codes.join(" ")
}

/// The values that begin with what was typed so far.
fn beginning<'a>(values: impl IntoIterator<Item = &'a str>, partial: &Partial) -> Vec<String> {
    values
        .into_iter()
        .filter(|it| it.starts_with(&partial.value))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests;
