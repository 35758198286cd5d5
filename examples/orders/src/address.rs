//! The address as typify has it: the types that the rest of such a house, a progenitor client say, uses already.
//!
//! They come out of the same file that the contract refers to, so both sides mean the same address. What typify's types say by
//! themselves (each text is a type that keeps its length) they say here too; the validator holds every call against the file.
#![expect(clippy::all, reason = "typify wrote it")]

typify::import_types!(
    schema = "schemas/orders/address.schema.json",
    derives = [PartialEq, Eq, Hash],
    struct_builder = true,
);
