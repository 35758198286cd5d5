//! What a client says it can be asked for.

use serde_json::{Value, json};

/// Something that a client can be asked for, if it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ability {
    /// To show its user a form: the capability `elicitation`.
    Form,
    /// To send its user to a web page: the capability `elicitation.url`, since 2025-11-25.
    Url,
    /// To lend its model: the capability `sampling`.
    Sampling,
    /// To name the folders it works in: the capability `roots`.
    Roots,
}

impl Ability {
    const ALL: [Self; 4] = [Self::Form, Self::Url, Self::Sampling, Self::Roots];

    /// Why a client without it is not asked.
    pub(crate) const fn missing(self) -> &'static str {
        match self {
            Self::Form => {
                "this client cannot show a form to its user: it does not declare the capability `elicitation`"
            }
            Self::Url => {
                "this client cannot send its user to a web page: it does not declare the capability `elicitation.url`"
            }
            Self::Sampling => {
                "this client does not lend its model: it does not declare the capability `sampling`"
            }
            Self::Roots => {
                "this client does not name its roots: it does not declare the capability `roots`"
            }
        }
    }

    /// What a client with it declares: MCP's `ClientCapabilities`.
    pub(crate) fn capabilities(self) -> Value {
        match self {
            Self::Form => json!({ "elicitation": { "form": {} } }),
            Self::Url => json!({ "elicitation": { "url": {} } }),
            Self::Sampling => json!({ "sampling": {} }),
            Self::Roots => json!({ "roots": {} }),
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// All that one client can be asked for; by default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Abilities(u8);

impl Abilities {
    /// Nothing.
    pub const fn none() -> Self {
        Self(0)
    }

    /// All there is.
    pub fn all() -> Self {
        Ability::ALL.into_iter().fold(Self::none(), Self::with)
    }

    /// What MCP's `ClientCapabilities` declare.
    ///
    /// An `elicitation` that names no mode means forms, the only mode before 2025-11-25.
    pub fn of_capabilities(capabilities: &Value) -> Self {
        let declares = |value: &Value, name: &str| value.get(name).is_some_and(Value::is_object);
        let mut abilities = Self::none();
        if let Some(elicitation) = capabilities.get("elicitation").filter(|it| it.is_object()) {
            let url = declares(elicitation, "url");
            if url {
                abilities = abilities.with(Ability::Url);
            }
            if !url || declares(elicitation, "form") {
                abilities = abilities.with(Ability::Form);
            }
        }
        for (name, ability) in [("sampling", Ability::Sampling), ("roots", Ability::Roots)] {
            if declares(capabilities, name) {
                abilities = abilities.with(ability);
            }
        }
        abilities
    }

    /// These and `ability`.
    #[must_use]
    pub const fn with(self, ability: Ability) -> Self {
        Self(self.0 | ability.bit())
    }

    /// Whether `ability` is one of them.
    pub const fn has(self, ability: Ability) -> bool {
        self.0 & ability.bit() != 0
    }
}
