//! The tools: each takes a valid input and gives a note back.

use std::sync::Arc;

use jiff::Timestamp;
use mcp_codegen_runtime::{CallContext, ToolError, ToolResult};

use crate::{
    r#gen::notes::{
        CreateNoteInput, DeleteNoteInput, DeleteNoteOutput, GetNoteInput, ListNotesInput,
        ListNotesOutput, Note, Notes, SearchNotesInput, UpdateNoteInput,
    },
    store::{self, Store},
};

/// As many notes as a search returns; the contract promises no more.
const MAX_FOUND: usize = 20;

/// Keeps notes in a database.
#[derive(Debug)]
pub struct Notebook {
    store: Arc<Store>,
}

impl Notebook {
    /// A notebook on an open database.
    pub fn new(store: Store) -> Self {
        Self {
            store: Arc::new(store),
        }
    }

    /// Runs a piece of work on the database where it may wait for the disk.
    ///
    /// What goes wrong in there is no business of the client: `?` logs it and answers in general terms.
    async fn store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> store::Result<T> + Send + 'static,
    ) -> ToolResult<T> {
        let store = Arc::clone(&self.store);
        Ok(tokio::task::spawn_blocking(move || work(&store)).await??)
    }
}

impl Notes for Notebook {
    async fn create_note(&self, input: CreateNoteInput, _cx: CallContext) -> ToolResult<Note> {
        let due = input.due.as_deref().map(time).transpose()?;
        self.store(move |store| store.insert(|id| new_note(id, input, due)))
            .await
    }

    async fn get_note(&self, input: GetNoteInput, _cx: CallContext) -> ToolResult<Note> {
        let id = input.id;
        self.store(move |store| store.get(id))
            .await?
            .ok_or_else(|| no_note(id))
    }

    async fn list_notes(
        &self,
        input: ListNotesInput,
        _cx: CallContext,
    ) -> ToolResult<ListNotesOutput> {
        let after = input.cursor.as_deref().map_or(Ok(0), position)?;
        let limit = usize::try_from(input.limit)?;
        let wanted = move |note: &Note| {
            input.status.is_none_or(|it| it == note.status)
                && input.tag.as_ref().is_none_or(|it| note.tags.contains(it))
        };
        // One more than asked for: it tells whether there is a next page.
        let mut notes = self
            .store(move |store| store.after(after, limit + 1, wanted))
            .await?;
        let more = notes.len() > limit;
        notes.truncate(limit);
        let next_cursor = notes.last().filter(|_| more).map(|it| it.id.to_string());
        Ok(ListNotesOutput { notes, next_cursor })
    }

    async fn update_note(&self, mut input: UpdateNoteInput, _cx: CallContext) -> ToolResult<Note> {
        if let Some(Some(due)) = &mut input.due {
            *due = time(due)?;
        }
        let id = input.id;
        self.store(move |store| store.update(id, |note| apply(note, input)))
            .await?
            .ok_or_else(|| no_note(id))
    }

    async fn delete_note(
        &self,
        input: DeleteNoteInput,
        _cx: CallContext,
    ) -> ToolResult<DeleteNoteOutput> {
        let deleted = self.store(move |store| store.remove(input.id)).await?;
        Ok(DeleteNoteOutput { deleted })
    }

    async fn search_notes(
        &self,
        input: SearchNotesInput,
        _cx: CallContext,
    ) -> ToolResult<Vec<Note>> {
        let query = input.query.to_lowercase();
        let wanted = move |note: &Note| {
            note.title.to_lowercase().contains(&query) || note.body.to_lowercase().contains(&query)
        };
        self.store(move |store| store.newest(MAX_FOUND, wanted))
            .await
    }
}

fn new_note(id: u64, input: CreateNoteInput, due: Option<String>) -> Note {
    let now = Timestamp::now().to_string();
    Note {
        id,
        title: input.title,
        body: input.body,
        status: input.status,
        colour: input.colour,
        tags: input.tags,
        due,
        created_at: now.clone(),
        updated_at: now,
    }
}

/// A field that was not sent is `None` and keeps what is there. Where `null` is allowed, `Some(None)` clears.
fn apply(note: &mut Note, change: UpdateNoteInput) {
    if let Some(title) = change.title {
        note.title = title;
    }
    if let Some(body) = change.body {
        note.body = body;
    }
    if let Some(status) = change.status {
        note.status = status;
    }
    if let Some(colour) = change.colour {
        note.colour = colour;
    }
    if let Some(tags) = change.tags {
        note.tags = tags;
    }
    if let Some(due) = change.due {
        note.due = due;
    }
    note.updated_at = Timestamp::now().to_string();
}

/// A point in time as it is stored. The contract says what it looks like with `format`, which explains but, as JSON
/// Schema has it, does not enforce.
fn time(text: &str) -> ToolResult<String> {
    match text.parse::<Timestamp>() {
        Ok(time) => Ok(time.to_string()),
        Err(_) => Err(ToolError::new(
            "`due` must be a time like `2026-12-01T18:00:00Z`",
        )),
    }
}

/// A cursor is the `id` of the last note of the page before.
fn position(cursor: &str) -> ToolResult<u64> {
    cursor
        .parse()
        .map_err(|_| ToolError::new("`cursor` must be a `next_cursor` that `list_notes` returned"))
}

fn no_note(id: u64) -> ToolError {
    ToolError::new(format!(
        "there is no note {id}; `list_notes` and `search_notes` tell which there are"
    ))
}
