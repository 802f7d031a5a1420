//! What a registration of 100,000 requests costs through the façade: each verb's time, and the memory of it all.
//!
//! Nothing is fetched. The operations that transfers call are measured by the ignored test `store::tests::timings`.

use std::{
    error::Error,
    fs,
    time::{Duration, Instant},
};

use ashore_engine::{Engine, Env, ListQuery, NewRegistration, NewRequest, Options, Overrides, Place, Registration};

const REQUESTS: usize = 100_000;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "its output is what it is for")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let target = folder.path().join("downloads");
    fs::create_dir(&target)?;
    let data_dir = folder.path().join("data");
    let (holder, overrides) = ("ledger_bench".to_owned(), Overrides::default());
    let options = Options { data_dir, holder, fetch: false, overrides, env: Env::default() };
    let engine = Engine::open(options.clone()).await?;
    let new = || NewRegistration {
        owner: "ledger_bench".to_owned(),
        folder: Some(target.clone()),
        requests: (0..REQUESTS).map(request).collect(),
        ..NewRegistration::default()
    };

    println!("{REQUESTS} requests");
    let (registration, took): (Registration, _) = timed(engine.create(new())).await?;
    println!("  create   {took:>10.1?}");
    let id = registration.unique_id;
    println!("  pause    {:>10.1?}", timed(engine.pause(Some(id))).await?.1);
    println!("  resume   {:>10.1?}", timed(engine.resume(Some(id))).await?.1);
    println!("  to top   {:>10.1?}", timed(engine.move_to(id, Place::Top)).await?.1);
    println!("  show     {:>10.1?}", timed(engine.show(id)).await?.1);
    println!("  list     {:>10.1?}", timed(engine.list(ListQuery::default())).await?.1);
    println!("  records  {:>10.1?}  (1,000 of them)", timed(engine.records(id, 50_000, 1000)).await?.1);
    println!("  abort    {:>10.1?}", timed(engine.abort(id)).await?.1);
    println!("  retry    {:>10.1?}", timed(engine.retry(id)).await?.1);
    println!("  remove   {:>10.1?}", timed(engine.remove(id, false)).await?.1);
    engine.close().await;
    let (engine, took) = timed(Engine::open(options)).await?;
    println!("  reopen   {took:>10.1?}");
    engine.close().await;
    if let Some(memory) = peak_memory() {
        println!("  memory   {memory:>10}  (at its peak, the caller's list included)");
    }
    Ok(())
}

fn request(number: usize) -> NewRequest {
    NewRequest { url: format!("https://example.org/a/folder/file-{number:06}.bin"), ..NewRequest::default() }
}

async fn timed<T, E>(work: impl Future<Output = Result<T, E>>) -> Result<(T, Duration), E> {
    let start = Instant::now();
    let done = work.await?;
    Ok((done, start.elapsed()))
}

/// In words, where the system says.
fn peak_memory() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}
