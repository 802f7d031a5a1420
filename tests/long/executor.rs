//! One executor, however many start at the same instant, and however the last one ended.

use ashore_tests::race::Race;
use rustix::process::Signal;

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_at_the_same_instant_one_holds_the_folder_a_hundred_times() {
    let race = Race::new();
    for turn in 0..100 {
        race.run(if turn % 2 == 0 { Signal::KILL } else { Signal::TERM }).await;
    }
}
