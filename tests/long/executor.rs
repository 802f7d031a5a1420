//! Tests the single-instance lock with many processes that start at the same moment.

use ashore_testkit::race::Race;
use rustix::process::Signal;

#[tokio::test(flavor = "multi_thread")]
async fn exactly_one_of_twenty_programs_opens_data_folder_each_round() {
    let race = Race::new();
    for turn in 0..100 {
        race.run(if turn % 2 == 0 { Signal::KILL } else { Signal::TERM }).await;
    }
}
