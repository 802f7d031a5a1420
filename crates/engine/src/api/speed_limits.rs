//! The verbs about how fast bytes may come and go. A limit is in the ledger before it holds, so that it holds after a
//! restart as well.

use ashore_transfer::{FlowScope, RateLimit};
use url::Host;

use crate::{
    Engine, EngineError,
    context::speed::begin,
    model::{LimitScope, SpeedLimit},
    platform::failpoint,
    scheduler::command::SchedulerCommand,
};

impl Engine {
    /// Holds everything in `scope` together to `bytes_per_second`, from 1 KiB to 10 GiB; none, or 0, takes the limit away.
    /// It holds at once for what runs, and until it is taken away. Where several limits are on the way of a byte, the
    /// tightest wins.
    ///
    /// Refused before anything is written: `BadSpeed`, `BadHost`, `Unknown`.
    pub async fn limit(&self, scope: LimitScope, bytes_per_second: Option<u64>) -> Result<(), EngineError> {
        let rate = bytes_per_second.filter(|bytes| *bytes > 0).map(RateLimit::new).transpose()?;
        let scope = accept(scope)?;
        {
            let _one_at_a_time = self.shared.limiting.lock().await;
            let mut ledger = self.shared.store.begin().await?;
            ledger.limit(&scope, rate.map(RateLimit::bytes)).await?;
            failpoint::hit("engine.limit-before-commit");
            ledger.commit().await?;
            failpoint::hit("engine.limit-written");
            begin(&self.shared, scope, rate);
        }
        self.order(SchedulerCommand::Nudge(None));
        Ok(())
    }

    /// Every limit there is: for everything, then for hosts by name, then for registrations, oldest first.
    pub async fn limits(&self) -> Result<Vec<SpeedLimit>, EngineError> {
        self.shared.store.limits().await
    }
}

impl From<LimitScope> for FlowScope {
    fn from(scope: LimitScope) -> Self {
        match scope {
            LimitScope::All => Self::All,
            LimitScope::Host { host } => Self::Host(host),
            LimitScope::Registration { unique_id } => Self::Group(unique_id.0),
        }
    }
}

fn accept(scope: LimitScope) -> Result<LimitScope, EngineError> {
    match scope {
        LimitScope::Host { host } => Ok(LimitScope::Host { host: accept_host(host)? }),
        scope => Ok(scope),
    }
}

/// A host as it is in a URL: in lower case, other alphabets in ASCII, without a port.
pub(crate) fn accept_host(host: String) -> Result<String, EngineError> {
    let bare = host.trim().trim_end_matches('.');
    // People write addresses of version 6 without brackets.
    let parsed = match bare.parse() {
        Ok(address) => Ok(Host::Ipv6(address)),
        Err(_) => Host::parse(bare),
    };
    parsed.map(|parsed| parsed.to_string()).map_err(|_| EngineError::BadHost(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> Result<String, &'static str> {
        match accept(LimitScope::Host { host: text.to_owned() }) {
            Ok(LimitScope::Host { host }) => Ok(host),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.code()),
        }
    }

    #[test]
    fn a_host_is_meant_as_it_stands_in_a_link() {
        for (given, meant) in [
            ("example.org", "example.org"),
            (" Example.ORG. ", "example.org"),
            ("b\u{fc}cher.example", "xn--bcher-kva.example"),
            ("127.0.0.1", "127.0.0.1"),
            ("::1", "[::1]"),
            ("[::1]", "[::1]"),
        ] {
            assert_eq!(host(given).as_deref(), Ok(meant), "{given}");
            let url = url::Url::parse(&format!("http://{meant}/")).unwrap();
            assert_eq!(url.host_str(), Some(meant));
        }
        for given in ["", ".", "https://example.org/", "example.org:443", "two words", "a/b"] {
            assert_eq!(host(given), Err("bad-host"), "{given}");
        }
    }
}
