//! The tools: each call goes to the notebook of the one who makes it, if he may.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use mcp_codegen_runtime::{CallContext, ToolError, ToolResult, http::request::Parts};
use notes_example::{
    Notebook, Store,
    r#gen::notes::{
        CreateNoteInput, DeleteNoteInput, DeleteNoteOutput, GetNoteInput, ListNotesInput,
        ListNotesOutput, Note, Notes, SearchNotesInput, UpdateNoteInput,
    },
};

use crate::tokens::Claims;

const READ: &str = "notes:read";
const WRITE: &str = "notes:write";

/// A notebook for each subject, kept as long as the process lives.
#[derive(Debug, Default)]
pub(crate) struct Notebooks {
    by_subject: Mutex<BTreeMap<String, Arc<Notebook>>>,
}

impl Notebooks {
    /// The notebook of who makes this call, if his token has the scope.
    fn open(&self, cx: &CallContext, scope: &str) -> ToolResult<Arc<Notebook>> {
        let claims = claims(cx)?;
        if !claims.scopes.iter().any(|it| it == scope) {
            return Err(ToolError::new(format!(
                "the token of `{}` lacks the scope `{scope}`",
                claims.subject
            )));
        }
        // Nothing is half done when a holder of the lock panics.
        let mut notebooks = self
            .by_subject
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(notebook) = notebooks.get(&claims.subject) {
            return Ok(Arc::clone(notebook));
        }
        let notebook = Arc::new(Notebook::new(Store::in_memory()?));
        notebooks.insert(claims.subject.clone(), Arc::clone(&notebook));
        Ok(notebook)
    }
}

/// What the layer found out. It travels in the head of the HTTP request, which every call carries.
fn claims(cx: &CallContext) -> ToolResult<&Claims> {
    let head = cx.extensions().get::<Parts>();
    head.and_then(|it| it.extensions.get())
        .ok_or_else(|| ToolError::new("this server is only for requests with a token"))
}

impl Notes for Notebooks {
    async fn create_note(&self, input: CreateNoteInput, cx: CallContext) -> ToolResult<Note> {
        self.open(&cx, WRITE)?.create_note(input, cx).await
    }

    async fn get_note(&self, input: GetNoteInput, cx: CallContext) -> ToolResult<Note> {
        self.open(&cx, READ)?.get_note(input, cx).await
    }

    async fn list_notes(
        &self,
        input: ListNotesInput,
        cx: CallContext,
    ) -> ToolResult<ListNotesOutput> {
        self.open(&cx, READ)?.list_notes(input, cx).await
    }

    async fn update_note(&self, input: UpdateNoteInput, cx: CallContext) -> ToolResult<Note> {
        self.open(&cx, WRITE)?.update_note(input, cx).await
    }

    async fn delete_note(
        &self,
        input: DeleteNoteInput,
        cx: CallContext,
    ) -> ToolResult<DeleteNoteOutput> {
        self.open(&cx, WRITE)?.delete_note(input, cx).await
    }

    async fn search_notes(
        &self,
        input: SearchNotesInput,
        cx: CallContext,
    ) -> ToolResult<Vec<Note>> {
        self.open(&cx, READ)?.search_notes(input, cx).await
    }
}
