//! Resolves server names to addresses: configured addresses first, then the system's lookup.
//!
//! - Lookup errors have a separate type, to distinguish them from connection errors.
//! - Addresses keep the order of the system (RFC 6724). The connector races both address families (RFC 8305, section
//!   5). It tries the second family after 300 ms, or as soon as the first fails.

use std::{collections::HashMap, error::Error, fs::File, io, net::SocketAddr, sync::Arc, time::Duration};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::time::timeout;

use crate::{
    http::AddressPolicy,
    model::{failure::is_out_of_descriptors, failure_kind::FailureKind},
};

/// Error texts of glibc and musl for a name that does not exist or has no address.
///
/// Rust passes on the text without an error code. The text is in English, because the process sets no other language.
const NO_SUCH_NAME: [&str; 5] = [
    "Name or service not known",
    "No address associated with hostname",
    "Address family for hostname not supported",
    "Name does not resolve",
    "Name has no usable address",
];

/// Resolver of server names.
#[derive(Clone, Debug)]
pub(super) struct DnsLookup {
    /// Fixed addresses by name. These names are not looked up. Port 0 stands for the port of the link.
    pub given: Arc<HashMap<String, Vec<SocketAddr>>>,
    /// Policy for resolved addresses. Forbidden addresses are dropped.
    pub reach: AddressPolicy,
    /// Maximum duration of a lookup.
    pub patience: Duration,
}

/// Error for a name without an address, or for a failed lookup.
#[derive(Debug, thiserror::Error)]
#[error("the name {name} could not be looked up: {cause}")]
pub(crate) struct LookupFailed {
    name: String,
    cause: io::Error,
    /// Kind of failure to report.
    pub kind: FailureKind,
}

impl LookupFailed {
    fn new(name: String, cause: io::Error) -> Self {
        // Without a free file descriptor, the lookup wrongly reports an unknown name or a temporary error.
        let is_out = is_out_of_descriptors(&cause) || File::open("/dev/null").is_err_and(|error| is_out_of_descriptors(&error));
        let kind = if is_out { FailureKind::TooManyOpen } else { kind_of(&cause) };
        Self { name, cause, kind }
    }
}

/// Returns `Dns` if the name does not exist, and `NameServer` if the lookup failed.
///
/// An unknown error text counts as a failed lookup.
fn kind_of(cause: &io::Error) -> FailureKind {
    let words = cause.to_string();
    match NO_SUCH_NAME.iter().any(|no| words.contains(no)) {
        true => FailureKind::Dns,
        false => FailureKind::NameServer,
    }
}

/// Error for a name that has no address on the public internet.
#[derive(Debug, thiserror::Error)]
#[error("the name {0} is of an address that is not on the public internet")]
pub(crate) struct LookupRefused(String);

impl Resolve for DnsLookup {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        let (given, reach, patience) = (self.given.get(&name).cloned(), self.reach, self.patience);
        Box::pin(async move {
            let found = match given {
                Some(given) => Ok(given),
                None => match timeout(patience, tokio::net::lookup_host((name.as_str(), 0))).await {
                    Ok(found) => found.map(Vec::from_iter),
                    Err(late) => Err(late.into()),
                },
            };
            let mut found = match found {
                Ok(found) => found,
                Err(cause) => return Err(Box::new(LookupFailed::new(name, cause)) as Box<dyn Error + Send + Sync>),
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

#[cfg(test)]
mod tests {
    use tokio::runtime::Builder;

    use super::*;

    fn kind_of_error(words: &str) -> FailureKind {
        LookupFailed::new("a.test".to_owned(), io::Error::other(format!("failed to lookup address information: {words}"))).kind
    }

    #[test]
    fn nonexistent_name_differs_from_name_server_failure() {
        for no in ["Name or service not known", "No address associated with hostname", "Name does not resolve"] {
            assert_eq!(kind_of_error(no), FailureKind::Dns, "{no}");
        }
        for words in ["Temporary failure in name resolution", "Non-recoverable failure in name resolution", "Try again", ""] {
            assert_eq!(kind_of_error(words), FailureKind::NameServer, "{words}");
        }
        let full = LookupFailed::new(String::new(), rustix::io::Errno::MFILE.into());
        assert_eq!(full.kind, FailureKind::TooManyOpen);
    }

    #[tokio::test]
    async fn system_error_for_impossible_name_is_recognised() {
        // RFC 1035, section 2.3.4 forbids a label of this length. No server is queried, so the test does not depend on
        // the network.
        let lookup = DnsLookup { given: Arc::default(), reach: AddressPolicy::Anywhere, patience: Duration::from_secs(60) };
        let name = format!("{}.test", "a".repeat(64));
        let Err(failed) = lookup.resolve(name.parse().unwrap()).await else { panic!("a server has this name") };
        assert_eq!(failed.downcast_ref::<LookupFailed>().unwrap().kind, FailureKind::Dns, "{failed}");
    }

    #[test]
    fn slow_lookup_counts_as_name_server_failure() {
        let runtime = Builder::new_current_thread().max_blocking_threads(1).enable_time().build().unwrap();
        // Occupy the only thread for lookups.
        let (busy, over) = std::sync::mpsc::channel::<()>();
        runtime.spawn_blocking(move || over.recv());
        let lookup = DnsLookup { given: Arc::default(), reach: AddressPolicy::Anywhere, patience: Duration::from_millis(1) };
        let found = runtime.block_on(async { lookup.resolve("slow.invalid".parse().unwrap()).await });
        drop(busy);
        let Err(failed) = found else { panic!("it took no time") };
        assert_eq!(failed.downcast_ref::<LookupFailed>().unwrap().kind, FailureKind::NameServer, "{failed}");
    }
}
