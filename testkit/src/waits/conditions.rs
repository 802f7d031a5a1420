//! Waits of async code. A test whose condition does not come about in time panics with its description.

use std::time::Duration;

use tokio::time::timeout;

/// Limit for the answer to one call, generous enough for a busy machine.
pub(crate) const CALL: Duration = Duration::from_secs(20);

/// Returns the output of `work`; panics with `what` after a deadline.
pub async fn in_time<Output>(what: &str, work: impl Future<Output = Output>) -> Output {
    match timeout(CALL, work).await {
        Ok(output) => output,
        Err(_) => panic!("not in time: {what}"),
    }
}
