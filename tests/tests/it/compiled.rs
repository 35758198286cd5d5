//! Every golden tree as a module of this program, so that `deny(warnings)` of the whole holds for it.

#[path = "../../golden/arrays/gen/mod.rs"]
mod arrays;

#[path = "../../golden/chosen/gen/mod.rs"]
mod chosen;

#[path = "../../golden/client/gen/mod.rs"]
pub(crate) mod client;

#[path = "../../golden/constrained/gen/mod.rs"]
mod constrained;

#[path = "../../golden/docs/gen/mod.rs"]
mod docs;

#[path = "../../golden/draft07/gen/mod.rs"]
mod draft07;

#[path = "../../golden/enums/gen/mod.rs"]
mod enums;

#[path = "../../golden/keep/gen/mod.rs"]
mod keep;

#[path = "../../golden/maps/gen/mod.rs"]
mod maps;

#[path = "../../golden/merges/gen/mod.rs"]
mod merges;

#[path = "../../golden/names/gen/mod.rs"]
mod names;

#[path = "../../golden/offers/gen/mod.rs"]
pub(super) mod offers;

#[path = "../../golden/outputs/gen/mod.rs"]
mod outputs;

#[path = "../../golden/records/gen/mod.rs"]
mod records;

#[path = "../../golden/recursion/gen/mod.rs"]
mod recursion;

#[path = "../../golden/remotes/gen/mod.rs"]
mod remotes;

#[path = "../../golden/shared/gen/mod.rs"]
mod shared;

#[path = "../../golden/unions/gen/mod.rs"]
mod unions;

#[path = "../../golden/weather/gen/mod.rs"]
mod weather;

#[path = "../../golden/widened/gen/mod.rs"]
mod widened;

#[path = "../../golden/wrapped/gen/mod.rs"]
mod wrapped;
