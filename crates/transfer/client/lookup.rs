//! From a server's name to its addresses: those that were given, else the system's own lookup. Its errors are told apart
//! from those of connecting by their type.
//!
//! The order of the addresses is the system's (RFC 6724). Which of them answers first is the connector's race: the other
//! family is tried 300 ms after the first one, or at once when that refuses (RFC 8305, section 5).

use std::{collections::HashMap, error::Error, io, net::SocketAddr, sync::Arc};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::Reach;

/// Looks names up.
#[derive(Clone, Debug)]
pub(super) struct Lookup {
    /// Names that are not looked up, with their addresses. Port 0 stands for that of the link.
    pub given: Arc<HashMap<String, Vec<SocketAddr>>>,
    /// Addresses beyond it are as good as none.
    pub reach: Reach,
}

/// A name that has no address, or none that could be found.
#[derive(Debug, thiserror::Error)]
#[error("the name {name} could not be looked up: {cause}")]
pub(crate) struct LookupFailed {
    name: String,
    cause: io::Error,
}

/// A name whose every address lies beyond what may be gone to.
#[derive(Debug, thiserror::Error)]
#[error("the name {0} is of an address that is not on the public internet")]
pub(crate) struct LookupRefused(String);

impl Resolve for Lookup {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        let (given, reach) = (self.given.get(&name).cloned(), self.reach);
        Box::pin(async move {
            let found = match given {
                Some(given) => Ok(given),
                None => tokio::net::lookup_host((name.as_str(), 0)).await.map(Vec::from_iter),
            };
            let mut found = match found {
                Ok(found) => found,
                Err(cause) => return Err(Box::new(LookupFailed { name, cause }) as Box<dyn Error + Send + Sync>),
            };
            let count = found.len();
            found.retain(|address| reach.includes(address.ip()));
            match found.is_empty() && count > 0 {
                true => Err(Box::new(LookupRefused(name)) as Box<dyn Error + Send + Sync>),
                false => Ok(Box::new(found.into_iter()) as Addrs),
            }
        })
    }
}
