//! Questions to the client while a call runs: forms and pages for its user, its model, its roots.
//!
//! A client before 2026-07-28 is sent a request and the call waits. Since then a server sends no requests: the call is
//! put off, its answer lists the questions, and the client repeats the call with its answers. [`replay`] makes the
//! second look like the first.

mod ability;
mod answers;
mod ask;
mod form;
mod question;
mod replay;
mod roots;
mod sampling;

pub use self::{
    ability::{Abilities, Ability},
    answers::{Answers, InputRequired},
    form::{Elicitation, Elicited},
    question::{AskError, Question},
    roots::Root,
    sampling::{Sampled, Sampling},
};
pub(crate) use self::{
    form::{Form, FormDocument},
    replay::Replay,
};
