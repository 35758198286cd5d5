//! Notes in an embedded database: one table of JSON texts by `id`.

use std::{error::Error, fmt, path::Path};

use redb::{
    AccessGuard, Database, ReadableTable, StorageError, TableDefinition, backends::InMemoryBackend,
};

use crate::r#gen::notes::Note;

/// What the database says, or why it cannot.
pub(crate) type Result<T> = std::result::Result<T, StoreError>;

const NOTES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("notes");
const COUNTERS: TableDefinition<'_, &str, u64> = TableDefinition::new("counters");

/// The counter that holds the last `id` given; a deleted note's is not given again.
const LAST_ID: &str = "last id";

/// An open database.
#[derive(Debug)]
pub struct Store {
    database: Database,
}

impl Store {
    /// Opens the database in `file`, or makes one there.
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or holds something else.
    pub fn open(file: impl AsRef<Path>) -> Result<Self> {
        Self::with(Database::create(file)?)
    }

    /// A database that ends with the process.
    ///
    /// # Errors
    ///
    /// When the database cannot be set up.
    pub fn in_memory() -> Result<Self> {
        Self::with(Database::builder().create_with_backend(InMemoryBackend::new())?)
    }

    fn with(database: Database) -> Result<Self> {
        // Reading needs the tables to be there.
        let transaction = database.begin_write()?;
        transaction.open_table(NOTES)?;
        transaction.open_table(COUNTERS)?;
        transaction.commit()?;
        Ok(Self { database })
    }

    /// Stores the note that `make` builds for a new `id`.
    pub(crate) fn insert(&self, make: impl FnOnce(u64) -> Note) -> Result<Note> {
        let transaction = self.database.begin_write()?;
        let note = {
            let mut counters = transaction.open_table(COUNTERS)?;
            let id = counters.get(LAST_ID)?.map_or(0, |it| it.value()) + 1;
            counters.insert(LAST_ID, id)?;
            let note = make(id);
            transaction
                .open_table(NOTES)?
                .insert(id, write(&note)?.as_slice())?;
            note
        };
        transaction.commit()?;
        Ok(note)
    }

    /// The note with this `id`.
    pub(crate) fn get(&self, id: u64) -> Result<Option<Note>> {
        let notes = self.database.begin_read()?.open_table(NOTES)?;
        notes.get(id)?.map(|it| read(&it)).transpose()
    }

    /// Changes the note with this `id` and returns it as it is afterwards.
    pub(crate) fn update(&self, id: u64, change: impl FnOnce(&mut Note)) -> Result<Option<Note>> {
        let transaction = self.database.begin_write()?;
        let note = {
            let mut notes = transaction.open_table(NOTES)?;
            let Some(mut note) = notes.get(id)?.map(|it| read(&it)).transpose()? else {
                return Ok(None);
            };
            change(&mut note);
            notes.insert(id, write(&note)?.as_slice())?;
            note
        };
        transaction.commit()?;
        Ok(Some(note))
    }

    /// Removes the note with this `id`; whether there was one.
    pub(crate) fn remove(&self, id: u64) -> Result<bool> {
        let transaction = self.database.begin_write()?;
        let removed = transaction.open_table(NOTES)?.remove(id)?.is_some();
        transaction.commit()?;
        Ok(removed)
    }

    /// The first `limit` notes behind `id` that are wanted, by `id`.
    pub(crate) fn after(
        &self,
        id: u64,
        limit: usize,
        wanted: impl Fn(&Note) -> bool,
    ) -> Result<Vec<Note>> {
        let notes = self.database.begin_read()?.open_table(NOTES)?;
        pick(notes.range(id.saturating_add(1)..)?, limit, wanted)
    }

    /// The last `limit` notes that are wanted, newest first.
    pub(crate) fn newest(&self, limit: usize, wanted: impl Fn(&Note) -> bool) -> Result<Vec<Note>> {
        let notes = self.database.begin_read()?.open_table(NOTES)?;
        pick(notes.iter()?.rev(), limit, wanted)
    }
}

type Entry<'a> =
    std::result::Result<(AccessGuard<'a, u64>, AccessGuard<'a, &'static [u8]>), StorageError>;

/// The first `limit` notes that are wanted.
fn pick<'a>(
    entries: impl Iterator<Item = Entry<'a>>,
    limit: usize,
    wanted: impl Fn(&Note) -> bool,
) -> Result<Vec<Note>> {
    entries
        .map(|entry| read(&entry?.1))
        .filter(|note| note.as_ref().map_or(true, &wanted))
        .take(limit)
        .collect()
}

fn read(stored: &AccessGuard<'_, &[u8]>) -> Result<Note> {
    Ok(serde_json::from_slice(stored.value()).map_err(corrupted)?)
}

fn write(note: &Note) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec(note).map_err(corrupted)?)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape `map_err` wants")]
fn corrupted(error: serde_json::Error) -> redb::Error {
    redb::Error::Corrupted(error.to_string())
}

/// Whatever went wrong in the database.
#[derive(Debug)]
pub struct StoreError(Box<redb::Error>);

impl<E: Into<redb::Error>> From<E> for StoreError {
    fn from(error: E) -> Self {
        Self(Box::new(error.into()))
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the database fails: {}", self.0)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
