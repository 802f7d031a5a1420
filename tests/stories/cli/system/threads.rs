//! Tests a system that cannot create more threads.
//!
//! The engine either reports the failure in a sentence, or works with fewer threads.

use std::fs;

use ashore_testkit::{
    fault::{Fault, Shim},
    machine::Machine,
};

#[tokio::test(flavor = "multi_thread")]
async fn thread_creation_failure_is_reported_or_tolerated() {
    let mut machine = Machine::new();
    let shim = Shim::make(machine.disk()).unwrap();
    let says = machine.disk().join("fault");
    let (mut failed, mut refused) = (0, 0);
    for which in 1..=12 {
        machine.start_under(shim.words(Fault::Thread, which, &says));
        let log = machine.log();
        match machine.serve(None).await {
            Ok(()) => machine.kill().await,
            Err(died) => {
                assert_eq!(died.signal, None, "thread {which}: {}", machine.log());
                let said = machine.log().split_off(log.len());
                assert!(said.starts_with("ashore: ") && said.ends_with(".\n"), "thread {which}: {said}");
                refused += 1;
            }
        }
        assert!(!machine.log().contains("panicked"), "thread {which}: {}", machine.log());
        failed += usize::from(fs::remove_file(&says).is_ok());
    }
    assert!(failed > 5 && refused > 0, "{failed} could not be started, and {refused} starts were refused");
}
