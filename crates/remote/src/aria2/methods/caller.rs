//! Sender of a request: its address, its secrets, and the number of its calls.
//!
//! - The calls of a batch or multicall usually repeat the same secret. Therefore the scope of the latest secret is kept
//!   until the request ends.
//! - The limits keep a client without a valid secret from causing much work with one request.

use std::net::IpAddr;

use futures_util::future::BoxFuture;

use serde_json::Value;

use crate::{
    aria2::wire::{Aria2Failure, LONGEST_ANSWER, length},
    token_scope::TokenScope,
};

/// Maximum number of calls in a request, including the calls in each `system.multicall`.
const MOST_CALLS: usize = 1000;
/// Number of wrong secrets in a request after which no further secret is checked.
const MOST_WRONG_SECRETS: u32 = 3;

/// Returns the scope of a secret; `None` if the secret permits nothing. The arguments are the secret, which is `None` if
/// the client sent none, and the address of the client.
pub(crate) type SecretCheck = Box<dyn Fn(Option<String>, IpAddr) -> BoxFuture<'static, Option<TokenScope>> + Send + Sync>;

/// Sender of one request.
#[derive(Debug)]
pub(crate) struct Aria2Caller {
    address: IpAddr,
    /// Latest secret of the request, and its scope.
    latest: Option<(Option<String>, Option<TokenScope>)>,
    wrong_secrets: u32,
    calls: usize,
    /// Length of all answers so far in bytes.
    answered: usize,
}

impl Aria2Caller {
    /// Returns the sender of a new request from this address.
    pub(crate) fn new(address: IpAddr) -> Self {
        Self { address, latest: None, wrong_secrets: 0, calls: 0, answered: 0 }
    }

    /// Counts this number of calls. Fails if the request contains too many of them.
    pub(super) fn count_calls(&mut self, number: usize) -> Result<(), Aria2Failure> {
        self.calls = self.calls.saturating_add(number);
        if self.calls > MOST_CALLS { Err(Aria2Failure::new("Too many calls in one request.")) } else { Ok(()) }
    }

    /// Fails if the answers to the earlier calls of the request are already too long.
    pub(super) fn check_answer_length(&self) -> Result<(), Aria2Failure> {
        if self.answered > LONGEST_ANSWER { Err(Aria2Failure::too_long()) } else { Ok(()) }
    }

    /// Counts the answer to a call.
    pub(super) fn count_answer(&mut self, answer: &Value) {
        self.answered = self.answered.saturating_add(length(answer));
    }

    /// Whether a call of the request needed a secret, even if it had none.
    pub(crate) fn has_needed_secret(&self) -> bool {
        self.latest.is_some()
    }

    /// Whether the latest secret permits reading.
    pub(crate) fn is_signed_in(&self) -> bool {
        matches!(&self.latest, Some((_, Some(scope))) if scope.includes(TokenScope::Read))
    }

    /// Checks the latest secret again, if it was valid.
    pub(super) async fn check_again(&mut self, check: &SecretCheck) {
        if let Some((secret, scope @ Some(_))) = &mut self.latest {
            *scope = check(secret.clone(), self.address).await;
        }
    }

    /// Returns the scope of the secret of a call; `None` if the secret permits nothing.
    pub(super) async fn scope(&mut self, check: &SecretCheck, secret: Option<String>) -> Option<TokenScope> {
        if let Some((latest, scope)) = &self.latest
            && *latest == secret
        {
            return *scope;
        }
        if self.wrong_secrets >= MOST_WRONG_SECRETS {
            return None;
        }
        let scope = check(secret.clone(), self.address).await;
        self.wrong_secrets += u32::from(scope.is_none());
        self.latest = Some((secret, scope));
        scope
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    };

    use super::*;

    /// Returns a check that accepts only the secret `right`, and a counter of its runs.
    fn check() -> (SecretCheck, Arc<AtomicU32>) {
        let runs = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&runs);
        let check: SecretCheck = Box::new(move |secret, _| {
            counted.fetch_add(1, Ordering::Relaxed);
            Box::pin(async move { (secret.as_deref() == Some("right")).then_some(TokenScope::Add) })
        });
        (check, runs)
    }

    fn caller() -> Aria2Caller {
        Aria2Caller::new(IpAddr::from([127, 0, 0, 1]))
    }

    #[tokio::test]
    async fn equal_secrets_of_one_request_are_checked_once() {
        let ((check, runs), mut caller) = (check(), caller());
        for _ in 0..5 {
            assert_eq!(caller.scope(&check, Some("right".to_owned())).await, Some(TokenScope::Add));
        }
        assert_eq!(runs.load(Ordering::Relaxed), 1);
        assert_eq!(caller.scope(&check, None).await, None);
        assert_eq!(runs.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn secret_after_three_wrong_ones_is_not_checked() {
        let ((check, runs), mut caller) = (check(), caller());
        for number in 0..20 {
            assert_eq!(caller.scope(&check, Some(format!("wrong {number}"))).await, None);
        }
        assert_eq!(caller.scope(&check, Some("right".to_owned())).await, None);
        assert_eq!(runs.load(Ordering::Relaxed), MOST_WRONG_SECRETS);
    }

    #[tokio::test]
    async fn caller_is_signed_in_as_long_as_its_latest_secret_is_valid() {
        let ((check, _), mut caller) = (check(), caller());
        assert!(!caller.is_signed_in());
        caller.scope(&check, Some("right".to_owned())).await;
        caller.check_again(&check).await;
        assert!(caller.is_signed_in());
        let revoked: SecretCheck = Box::new(|_, _| Box::pin(async { None }));
        caller.check_again(&revoked).await;
        assert!(!caller.is_signed_in());
    }

    #[test]
    fn calls_after_too_long_answers_are_refused() {
        let mut caller = caller();
        let answer = Value::String("a".repeat(LONGEST_ANSWER / 2));
        for _ in 0..2 {
            assert_eq!(caller.check_answer_length(), Ok(()));
            caller.count_answer(&answer);
        }
        assert_eq!(caller.check_answer_length(), Err(Aria2Failure::too_long()));
    }

    #[test]
    fn calls_of_one_request_are_limited() {
        let mut caller = caller();
        assert!((0..MOST_CALLS).all(|_| caller.count_calls(1).is_ok()));
        assert_eq!(caller.count_calls(1).unwrap_err().message, "Too many calls in one request.");
    }
}
