//! Tests the clock of the limiter and the requests that it wakes. Time is paused, and advances only while all tasks
//! wait.

use futures_util::{StreamExt, stream};

use crate::rate_limit::*;

fn throttle() -> RateLimiter {
    RateLimiter::start(&Handle::current())
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn rate(bytes: u64) -> Option<RateLimit> {
    Some(RateLimit::new(bytes).unwrap())
}

/// Returns the number of bytes that pass a gate within `length`.
///
/// The server is faster than any limit.
async fn bytes_passed_within(meter: &Arc<ThroughputMeter>, address: &Url, piece: usize, length: Duration) -> usize {
    let gate = Arc::new(meter.gate(std::slice::from_ref(address)));
    let pieces = stream::repeat_with(move || Ok::<_, ()>(bytes::Bytes::from(vec![0; piece])));
    let mut pieces = std::pin::pin!(paced(pieces, gate));
    let mut sum = 0;
    let _ = time::timeout(length, async {
        while let Some(Ok(portion)) = pieces.next().await {
            sum += portion.len();
            tokio::task::yield_now().await;
        }
    })
    .await;
    sum
}

fn assert_near(bytes: usize, rate: u64, seconds: u64) {
    let (bytes, meant) = (bytes as u64, rate * seconds);
    assert!(bytes.abs_diff(meant) * 100 <= meant * 3, "{bytes} instead of {meant}");
}

#[tokio::test(start_paused = true)]
async fn body_arrives_at_rate_of_its_speed_limit() {
    let (throttle, address) = (throttle(), url("http://a.test/file"));
    for bytes in [64 << 10, 10 << 20] {
        throttle.limit(FlowScope::All, rate(bytes));
        let meter = Arc::new(throttle.meter(&address, None));
        assert_near(bytes_passed_within(&meter, &address, 400_000, Duration::from_secs(10)).await, bytes, 10);
    }
}

#[tokio::test(start_paused = true)]
async fn tightest_speed_limit_applies_only_to_its_own_transfers() {
    let (throttle, group) = (throttle(), Uuid::from_u128(7));
    let (slow, fast) = (url("http://slow.test/"), url("http://fast.test/"));
    throttle.limit(FlowScope::All, rate(10 << 20));
    throttle.limit(FlowScope::Host("slow.test".to_owned()), rate(4 << 20));
    throttle.limit(FlowScope::Group(group), rate(1 << 20));
    let mine = Arc::new(throttle.meter(&slow, Some(group)));
    let beside = Arc::new(throttle.meter(&slow, None));
    let other = Arc::new(throttle.meter(&fast, None));
    let time = Duration::from_secs(10);
    let (mine, beside, other) = tokio::join!(
        bytes_passed_within(&mine, &slow, 200_000, time),
        bytes_passed_within(&beside, &slow, 200_000, time),
        bytes_passed_within(&other, &fast, 200_000, time),
    );
    assert_near(mine, 1 << 20, 10);
    assert_near(beside, 3 << 20, 10);
    assert_near(other, 6 << 20, 10);
}

#[tokio::test(start_paused = true)]
async fn new_or_removed_speed_limit_applies_to_waiting_request() {
    let (throttle, address) = (throttle(), url("http://a.test/"));
    let meter = Arc::new(throttle.meter(&address, None));
    let gate = meter.gate(std::slice::from_ref(&address));
    assert_eq!(gate.pass(1 << 20).await, 1 << 20, "nothing is limited yet");
    throttle.limit(FlowScope::All, rate(RateLimit::LEAST));
    assert_eq!(gate.pass(1 << 20).await, 128, "a portion");
    let begun = time::Instant::now();
    let (passed, ()) = tokio::join!(gate.pass(1 << 20), async {
        time::sleep(Duration::from_millis(50)).await;
        throttle.limit(FlowScope::All, None);
    });
    assert_eq!((passed, begun.elapsed()), (1 << 20, Duration::from_millis(50)));
    assert_eq!(gate.take_wait(), Duration::from_millis(50));
    assert_eq!(gate.take_wait(), Duration::ZERO, "told once");
}

#[tokio::test(start_paused = true)]
async fn body_with_speed_limit_yields_nothing_after_its_end() {
    let (throttle, address) = (throttle(), url("http://a.test/"));
    let gate = Arc::new(Arc::new(throttle.meter(&address, None)).gate(&[address]));
    let mut pieces = std::pin::pin!(paced(stream::iter([Ok::<_, ()>(bytes::Bytes::from_static(b"a"))]), gate));
    assert_eq!(pieces.next().await, Some(Ok(bytes::Bytes::from_static(b"a"))));
    assert_eq!((pieces.next().await, pieces.next().await), (None, None));
}

#[tokio::test(start_paused = true)]
async fn bytes_received_after_a_redirect_obey_the_speed_limits_of_every_host() {
    let (throttle, link, elsewhere) = (throttle(), url("http://link.test/"), url("http://cdn.test/"));
    let meter = Arc::new(throttle.meter(&link, None));
    let gate = meter.gate(&[link.clone(), elsewhere]);
    throttle.limit(FlowScope::Host("cdn.test".to_owned()), rate(RateLimit::LEAST));
    assert_eq!(gate.pass(1 << 20).await, 128);
    throttle.limit(FlowScope::Host("cdn.test".to_owned()), None);
    throttle.limit(FlowScope::Host("link.test".to_owned()), rate(RateLimit::LEAST));
    assert_eq!(gate.pass(1 << 20).await, 128);
}

#[tokio::test(start_paused = true)]
async fn bytes_returned_to_rate_limiter_are_granted_again_without_wait() {
    let (throttle, address) = (throttle(), url("http://a.test/"));
    throttle.limit(FlowScope::All, rate(RateLimit::LEAST));
    let meter = Arc::new(throttle.meter(&address, None));
    let gate = meter.gate(std::slice::from_ref(&address));
    gate.pass_all(1000).await;
    gate.release(1000);
    let begun = time::Instant::now();
    assert_eq!((gate.pass(600).await, gate.pass(600).await), (600, 400));
    assert_eq!(begun.elapsed(), Duration::ZERO);
    gate.pass_all(1000).await;
    assert!(begun.elapsed() >= Duration::from_millis(800));
}

#[tokio::test(start_paused = true)]
async fn timeout_excludes_time_spent_waiting_for_speed_limit() {
    let (throttle, address) = (throttle(), url("http://a.test/"));
    throttle.limit(FlowScope::All, rate(RateLimit::LEAST));
    let meter = Arc::new(throttle.meter(&address, None));
    let gate = meter.gate(std::slice::from_ref(&address));
    let most = Duration::from_secs(2);
    assert!(gate.within(most, gate.pass_all(10 << 10)).await.is_some(), "ten seconds of waiting for the limit");
    let silent = async {
        gate.pass_all(3 << 10).await;
        time::sleep(Duration::from_secs(3)).await;
    };
    assert!(gate.within(most, silent).await.is_none(), "and three of nothing");
}

#[tokio::test(start_paused = true)]
async fn transfer_with_speed_limit_opens_only_useful_connections() {
    let (throttle, address) = (throttle(), url("http://a.test/"));
    let meter = Arc::new(throttle.meter(&address, None));
    let gate = meter.gate(std::slice::from_ref(&address));
    assert_eq!(meter.connections(8), 8);
    throttle.limit(FlowScope::All, rate(64 << 10));
    assert_eq!(meter.connections(8), 1, "it has just begun");
    time::advance(TELLING).await;
    assert_eq!(meter.connections(8), 8, "its server is slower than the limit");
    gate.pass_all(100_000).await;
    assert_eq!(meter.connections(8), 1, "it had to wait");
    throttle.limit(FlowScope::All, rate(3 << 20));
    assert_eq!(meter.connections(8), 3);
    throttle.limit(FlowScope::All, None);
    assert_eq!(meter.connections(8), 8);
}
