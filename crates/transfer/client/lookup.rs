//! From a server's name to its addresses: those that were given, else the system's own lookup. Its errors are told apart
//! from those of connecting by their type.
//!
//! The order of the addresses is the system's (RFC 6724). Which of them answers first is the connector's race: the other
//! family is tried 300 ms after the first one, or at once when that refuses (RFC 8305, section 5).

use std::{collections::HashMap, error::Error, io, net::SocketAddr, sync::Arc};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Looks names up.
#[derive(Clone, Debug)]
pub(super) struct Lookup {
    /// Names that are not looked up, with their addresses. Port 0 stands for that of the link.
    pub given: Arc<HashMap<String, Vec<SocketAddr>>>,
}

/// A name that has no address, or none that could be found.
#[derive(Debug, thiserror::Error)]
#[error("the name {name} could not be looked up: {cause}")]
pub(crate) struct LookupFailed {
    name: String,
    cause: io::Error,
}

impl Resolve for Lookup {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        if let Some(given) = self.given.get(&name) {
            let given = given.clone();
            return Box::pin(async move { Ok(Box::new(given.into_iter()) as Addrs) });
        }
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await.map(Vec::from_iter);
            match found {
                Ok(addresses) => Ok(Box::new(addresses.into_iter()) as Addrs),
                Err(cause) => Err(Box::new(LookupFailed { name, cause }) as Box<dyn Error + Send + Sync>),
            }
        })
    }
}
