//! `@modelcontextprotocol/server-memory`: lists of objects in and out.

use mcp_codegen_runtime::client::{ClientError, Connect};

use crate::reference::memory::{
    AddObservationsInput, AddObservationsInputObservationsItem, CreateEntitiesInput,
    CreateEntitiesInputEntitiesItem, CreateRelationsInput, CreateRelationsInputRelationsItem,
    DeleteEntitiesInput, MemoryClient, OpenNodesInput, ReadGraphInput, SearchNodesInput,
};

/// Builds a small graph, asks it, and takes it apart.
pub(crate) async fn tour(client: MemoryClient) -> Result<(), ClientError> {
    println!("revision {}", client.client().revision());
    let entity = |name: &str| CreateEntitiesInputEntitiesItem {
        name: name.to_owned(),
        entity_type: "city".to_owned(),
        observations: vec![format!("{name} has a port")],
    };
    let entities = CreateEntitiesInput {
        entities: vec![entity("Oslo"), entity("Bergen")],
    };
    let made = client.create_entities(&entities).await?.entities;
    println!(
        "{} entities, the first is {:?}",
        made.len(),
        made.first().map_or("", |it| it.name.as_str())
    );
    let relation = CreateRelationsInputRelationsItem {
        from: "Oslo".to_owned(),
        to: "Bergen".to_owned(),
        relation_type: "has a train to".to_owned(),
    };
    let made = client
        .create_relations(&CreateRelationsInput {
            relations: vec![relation],
        })
        .await?;
    println!("{:?}", made.relations);
    let observation = AddObservationsInputObservationsItem {
        entity_name: "Bergen".to_owned(),
        contents: vec!["it rains".to_owned()],
    };
    let added = AddObservationsInput {
        observations: vec![observation],
    };
    println!("{:?}", client.add_observations(&added).await?.results);
    let found = client
        .search_nodes(&SearchNodesInput {
            query: "rains".to_owned(),
        })
        .await?;
    println!("{:?}", found.entities);
    let opened = client
        .open_nodes(&OpenNodesInput {
            names: vec!["Oslo".to_owned()],
        })
        .await?;
    println!("{} opened", opened.entities.len());
    let graph = client.read_graph(&ReadGraphInput {}).await?;
    println!(
        "{} entities, {} relations",
        graph.entities.len(),
        graph.relations.len()
    );

    let strange = AddObservationsInputObservationsItem {
        entity_name: "Atlantis".to_owned(),
        contents: Vec::new(),
    };
    match client
        .add_observations(&AddObservationsInput {
            observations: vec![strange],
        })
        .await
    {
        Err(ClientError::Tool(no)) => println!("the tool said no: {}", no.text()),
        other => println!("{other:?}"),
    }
    let all = DeleteEntitiesInput {
        entity_names: vec!["Oslo".to_owned(), "Bergen".to_owned()],
    };
    println!("{}", client.delete_entities(&all).await?.message);
    client.client().close().await
}
