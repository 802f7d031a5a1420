//! Messages before a browser is signed in. Afterwards, both sides send the messages of the native host. [pure]

use std::fmt;

use ashore_engine::UserMessage;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Message of a browser that is not signed in.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export, export_to = "../../../../extension/src/generated/")]
pub(crate) enum ChannelRequest {
    /// Pairs the browser. The answer is `paired` or `refused`.
    Pair {
        /// Code that Ashore shows.
        code: String,
        /// Name of the browser, as shown to people.
        browser: String,
    },
    /// Asks the server to prove that it knows the token of this browser. The answer is `proof` or `refused`.
    Prove {
        /// Id of the token.
        id: String,
        /// Random text.
        nonce: String,
    },
    /// Signs the browser in. The answer is `signed_in` or `refused`.
    SignIn {
        /// Id of the token.
        id: String,
        /// Token.
        token: String,
    },
}

/// Answer to a browser that is not signed in.
#[derive(Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export, export_to = "../../../../extension/src/generated/")]
pub(crate) enum ChannelAnswer {
    /// The browser is paired.
    Paired {
        /// Id of the token.
        id: String,
        /// Token, which is not sent again.
        token: String,
        /// Name of the browser in Ashore.
        name: String,
    },
    /// Proof of the server: the HMAC of the port and the nonce. The key of the HMAC is derived from the token.
    Proof {
        /// In hexadecimal.
        proof: String,
    },
    /// The browser is signed in. All further messages are those of the native host.
    SignedIn,
    /// The server closes the connection.
    Refused {
        /// Identifier of the reason.
        code: String,
        /// Sentence in the language of the desktop.
        text: String,
    },
}

impl ChannelAnswer {
    /// Returns a refusal. Its `code` also contains the variant of the reason.
    pub(crate) fn refused(why: &UserMessage) -> Self {
        let code = why.variant.as_ref().map_or_else(|| why.code.clone(), |variant| format!("{}.{variant}", why.code));
        Self::Refused { code, text: why.localized() }
    }
}

/// Writes only the type of the message, because its fields are secret.
impl fmt::Debug for ChannelRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Pair { .. } => "Pair",
            Self::Prove { .. } => "Prove",
            Self::SignIn { .. } => "SignIn",
        })
    }
}
