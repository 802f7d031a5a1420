//! From a server's name to its addresses: those that were given, else the system's own lookup. Its errors are told apart
//! from those of connecting by their type.
//!
//! The order of the addresses is the system's (RFC 6724). Which of them answers first is the connector's race: the other
//! family is tried 300 ms after the first one, or at once when that refuses (RFC 8305, section 5).

use std::{collections::HashMap, error::Error, fs::File, io, net::SocketAddr, sync::Arc, time::Duration};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::time::timeout;

use crate::{
    http::AddressPolicy,
    model::outcome::{FailureKind, is_out_of_descriptors},
};

/// What the system's lookup says of a name that nobody has, and of one without any address: by glibc and by musl, in English,
/// which is what it speaks in a process that has chosen no other language. Rust passes on nothing but the words.
const NO_SUCH_NAME: [&str; 5] = [
    "Name or service not known",
    "No address associated with hostname",
    "Address family for hostname not supported",
    "Name does not resolve",
    "Name has no usable address",
];

/// Looks names up.
#[derive(Clone, Debug)]
pub(super) struct DnsLookup {
    /// Names that are not looked up, with their addresses. Port 0 stands for that of the link.
    pub given: Arc<HashMap<String, Vec<SocketAddr>>>,
    /// Addresses beyond it are as good as none.
    pub reach: AddressPolicy,
    /// How long an answer may take.
    pub patience: Duration,
}

/// A name that has no address, or none that could be found.
#[derive(Debug, thiserror::Error)]
#[error("the name {name} could not be looked up: {cause}")]
pub(crate) struct LookupFailed {
    name: String,
    cause: io::Error,
    /// What that means.
    pub kind: FailureKind,
}

impl LookupFailed {
    fn new(name: String, cause: io::Error) -> Self {
        // A lookup that can open nothing says that it found nothing, or that it may be asked again.
        let is_out = is_out_of_descriptors(&cause) || File::open("/dev/null").is_err_and(|error| is_out_of_descriptors(&error));
        let kind = if is_out { FailureKind::TooManyOpen } else { kind_of(&cause) };
        Self { name, cause, kind }
    }
}

/// Whether the answer is that there is nobody of that name, or there was none. What is not known to say no is none.
fn kind_of(cause: &io::Error) -> FailureKind {
    let words = cause.to_string();
    match NO_SUCH_NAME.iter().any(|no| words.contains(no)) {
        true => FailureKind::Dns,
        false => FailureKind::NameServer,
    }
}

/// A name whose every address lies beyond what may be gone to.
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
    fn a_name_that_nobody_has_is_told_apart_from_a_name_server_that_fails() {
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
    async fn what_the_system_says_of_a_name_that_cannot_be_is_known() {
        // No label is that long (RFC 1035, section 2.3.4): nobody is asked, so that the network has no say in it.
        let lookup = DnsLookup { given: Arc::default(), reach: AddressPolicy::Anywhere, patience: Duration::from_secs(60) };
        let name = format!("{}.test", "a".repeat(64));
        let Err(failed) = lookup.resolve(name.parse().unwrap()).await else { panic!("somebody has it") };
        assert_eq!(failed.downcast_ref::<LookupFailed>().unwrap().kind, FailureKind::Dns, "{failed}");
    }

    #[test]
    fn a_name_server_that_takes_too_long_is_one_that_fails() {
        let runtime = Builder::new_current_thread().max_blocking_threads(1).enable_time().build().unwrap();
        // The only thread on which a name could be looked up has something else to do.
        let (busy, over) = std::sync::mpsc::channel::<()>();
        runtime.spawn_blocking(move || over.recv());
        let lookup = DnsLookup { given: Arc::default(), reach: AddressPolicy::Anywhere, patience: Duration::from_millis(1) };
        let found = runtime.block_on(async { lookup.resolve("slow.invalid".parse().unwrap()).await });
        drop(busy);
        let Err(failed) = found else { panic!("it took no time") };
        assert_eq!(failed.downcast_ref::<LookupFailed>().unwrap().kind, FailureKind::NameServer, "{failed}");
    }
}
