//! `@modelcontextprotocol/server-filesystem`: every tool promises an output, of one text mostly.

use mcp_codegen_runtime::client::{ClientError, Connect};

use crate::reference::filesystem::{
    CreateDirectoryInput, DirectoryTreeInput, EditFileInput, EditFileInputEditsItem,
    FilesystemClient, GetFileInfoInput, ListAllowedDirectoriesInput, ListDirectoryInput,
    MoveFileInput, ReadMediaFileInput, ReadMediaFileOutputContentItem, ReadMultipleFilesInput,
    ReadTextFileInput, SearchFilesInput, WriteFileInput,
};

/// Writes, reads, moves and finds files in the folder that the server may use.
pub(crate) async fn tour(client: FilesystemClient) -> Result<(), ClientError> {
    println!("revision {}", client.client().revision());
    let allowed = client
        .list_allowed_directories(&ListAllowedDirectoriesInput {})
        .await?;
    let folder = allowed
        .content
        .lines()
        .last()
        .unwrap_or_default()
        .to_owned();
    let path = |name: &str| format!("{folder}/{name}");
    // The folder is another one each time.
    let show = |text: &str| println!("{}", text.replace(&folder, "<folder>"));

    let made = client
        .create_directory(&CreateDirectoryInput {
            path: path("notes"),
        })
        .await?;
    show(&made.content);
    let file = WriteFileInput {
        path: path("notes/a.txt"),
        content: "one\ntwo\nthree\n".to_owned(),
    };
    show(&client.write_file(&file).await?.content);
    let head = ReadTextFileInput {
        path: path("notes/a.txt"),
        head: Some(2.0),
        tail: None,
    };
    show(&client.read_text_file(&head).await?.content);
    let edit = EditFileInputEditsItem {
        old_text: "two".to_owned(),
        new_text: "2".to_owned(),
    };
    let edit = EditFileInput {
        path: path("notes/a.txt"),
        edits: vec![edit],
        dry_run: true,
    };
    let changes = client.edit_file(&edit).await?.content;
    println!(
        "{} changed lines",
        changes
            .lines()
            .filter(|it| *it == "+2" || *it == "-two")
            .count()
    );
    let renamed = MoveFileInput {
        source: path("notes/a.txt"),
        destination: path("notes/b.txt"),
    };
    show(&client.move_file(&renamed).await?.content);
    show(
        &client
            .list_directory(&ListDirectoryInput {
                path: path("notes"),
            })
            .await?
            .content,
    );
    let tree = DirectoryTreeInput {
        path: folder.clone(),
        exclude_patterns: Vec::new(),
    };
    println!(
        "a tree of {} lines",
        client.directory_tree(&tree).await?.content.lines().count()
    );
    let search = SearchFilesInput {
        path: folder.clone(),
        pattern: "**/*.txt".to_owned(),
        exclude_patterns: Vec::new(),
    };
    show(&client.search_files(&search).await?.content);
    let both = ReadMultipleFilesInput {
        paths: vec![path("notes/b.txt")],
    };
    show(&client.read_multiple_files(&both).await?.content);
    let info = client
        .get_file_info(&GetFileInfoInput {
            path: path("notes/b.txt"),
        })
        .await?;
    println!("{}", info.content.lines().next().unwrap_or_default());

    media(&client, path("notes/b.txt")).await;
    let outside = ReadTextFileInput {
        path: "/etc/hostname".to_owned(),
        head: None,
        tail: None,
    };
    match client.read_text_file(&outside).await {
        Err(ClientError::Tool(no)) => {
            // The rest names the folder.
            println!(
                "the tool said no: {}",
                no.text().split(':').next().unwrap_or_default()
            );
        }
        other => println!("{other:?}"),
    }
    client.client().close().await
}

/// A union that its tag tells apart.
async fn media(client: &FilesystemClient, path: String) {
    match client.read_media_file(&ReadMediaFileInput { path }).await {
        Ok(media) => {
            for item in media.content {
                match item {
                    ReadMediaFileOutputContentItem::Data(data) => {
                        println!("{:?} as {}", data.r#type, data.mime_type);
                    }
                    ReadMediaFileOutputContentItem::Resource(it) => {
                        println!("a resource as {:?}", it.resource.mime_type);
                    }
                }
            }
        }
        Err(ClientError::Contract(breach)) => println!("the server broke its contract: {breach}"),
        Err(other) => println!("{other}"),
    }
}
