//! Engine methods for speed limits. A limit is written to the ledger before it takes effect, so that it survives a
//! restart.

use std::sync::PoisonError;

use ashore_transfer::{FlowScope, RateLimit};
use url::Host;

use crate::{
    Engine, EngineError,
    context::speed::{begin, keep_pace},
    model::{LentLimits, LimitScope, SpeedLimit},
    platform::failpoint,
    scheduler::command::SchedulerCommand,
};

impl Engine {
    /// Limits the total speed of all transfers in `scope` to `bytes_per_second`.
    ///
    /// The limit is from 1 KiB to 10 GiB; `None` or 0 removes it. It applies to running transfers immediately, and
    /// stays until it is removed. If a transfer has several limits, the lowest one is used. Fails before anything is
    /// written with `BadSpeed`, `BadHost` or `Unknown`.
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

    /// Applies limits that are stricter than the settings, until this engine closes. They replace the limits of an
    /// earlier call, and apply to running transfers immediately.
    ///
    /// A limit that is less strict than the settings has no effect. Speeds below 1 KiB/s count as 1 KiB/s.
    pub async fn lend(&self, limits: LentLimits) {
        *self.shared.lent.lock().unwrap_or_else(PoisonError::into_inner) = limits;
        keep_pace(&self.shared).await;
        self.order(SchedulerCommand::Nudge(None));
    }

    /// Returns the limits that `lend` has set.
    pub fn lent(&self) -> LentLimits {
        self.shared.lent()
    }

    /// Returns all limits in this order: the global limit, the limits of hosts by name, and the limits of registrations
    /// by age.
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

/// Returns the host in the form used in URLs: in lower case, with other alphabets in ASCII, and without a port.
pub(crate) fn accept_host(host: String) -> Result<String, EngineError> {
    let bare = host.trim().trim_end_matches('.');
    // Try an IPv6 address first, because users write it without brackets.
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
    fn host_name_of_speed_limit_is_normalised_as_in_a_url() {
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
