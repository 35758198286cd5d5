//! Which arguments of prompts and variables of templates a method completes, as the settings say.

use super::Completion;
use crate::{
    config::Config,
    naming::{ModuleName, method_name},
};

/// The arguments of one prompt or template that `[completion] methods` selects.
pub(super) fn of<'a>(
    config: &Config,
    module: &ModuleName,
    owner: &str,
    arguments: impl Iterator<Item = &'a str>,
) -> Vec<Completion> {
    let module = module.as_str();
    let selected = arguments.filter(|argument| config.completes(module, owner, argument));
    let completions = selected.map(|argument| Completion {
        argument: argument.to_owned(),
        method: method_name(&format!("complete_{owner}_{argument}")),
    });
    completions.collect()
}
