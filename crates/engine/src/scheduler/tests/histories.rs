//! Tests the whole queue with random histories on a simulated clock.
//!
//! A history contains everything that users, servers, the desktop and a power failure can do to the queue, in any
//! order. Engine, loop and ledger are the real ones; only the transfers are simulated (`life`). A simple model of the
//! queue (`world`) runs in parallel.
//!
//! - After each step, the ledger matches the model. Every started request was allowed to start, in the correct order
//!   and in its owner's turn.
//! - At the end, every request has completed exactly once.

use std::cell::RefCell;

use proptest::{
    collection::vec,
    prelude::*,
    sample::Index,
    test_runner::{Config, RngAlgorithm, RngSeed, TestRunner},
};

use crate::scheduler::tests::{
    life::{Folder, Life, within},
    world::{ATTEMPTS, BASE_SECONDS, Deed, EndedRequest, OWNERS, PARALLEL, PATTERNS, PER_HOST, Spot, World},
};

/// Maximum number of steps of a history.
const STEPS: usize = 24;

/// Step of a random history. The target of a step is chosen among the registrations that exist when the step is
/// performed.
#[derive(Clone, Debug)]
enum Step {
    Add {
        owner: usize,
        pattern: usize,
        spot: Spot,
        other: Index,
        parallel: u32,
        is_paused: bool,
        is_person: bool,
        is_again: bool,
    },
    Move(Index, Spot, Index),
    Pause(Option<Index>),
    Resume(Option<Index>),
    Abort(Index),
    Remove(Index),
    Retry(Index),
    /// Events of several transfers, reported together.
    News(Vec<(Index, EndedRequest)>),
    /// All bytes of a transfer have arrived and are not written yet.
    Fetched(Index),
    Online(bool),
    Charged(bool),
    Awake(bool),
    Room(bool),
    /// Advances the clock by this number of seconds; a negative number sets the clock back.
    Clock(i64),
    Kill,
}

/// Step, followed by the number of polls before a power failure if the power fails during the step.
type Drawn = (Step, Option<u8>);

fn step() -> impl Strategy<Value = Drawn> {
    let one = any::<Index>;
    let spot = || prop_oneof![Just(Spot::Bottom), Just(Spot::Top), Just(Spot::Now), Just(Spot::Before)];
    let add = (0..OWNERS, 0..PATTERNS.len(), spot(), one(), 0..3_u32, prop::bool::weighted(0.1), any::<bool>(), any::<bool>());
    let add = add.prop_map(|(owner, pattern, spot, other, parallel, is_paused, is_person, is_again)| Step::Add {
        owner,
        pattern,
        spot,
        other,
        parallel,
        is_paused,
        is_person,
        is_again,
    });
    let ending = prop_oneof![
        6 => Just(EndedRequest::Completed),
        4 => Just(EndedRequest::Stopped),
        2 => Just(EndedRequest::Reset),
        2 => Just(EndedRequest::Unreached),
        1 => (0..4000_u64).prop_map(EndedRequest::Busy),
        1 => Just(EndedRequest::Gone),
        1 => Just(EndedRequest::DiskFull),
        1 => Just(EndedRequest::TooManyOpen),
    ];
    let clock = prop_oneof![8 => 1..60_i64, 4 => 60..30_000_i64, 1 => Just(86_400), 1 => Just(-365 * 86_400)];
    let step = prop_oneof![
        10 => add,
        3 => (one(), spot(), one()).prop_map(|(which, spot, other)| Step::Move(which, spot, other)),
        2 => prop::option::weighted(0.6, one()).prop_map(Step::Pause),
        3 => prop::option::weighted(0.6, one()).prop_map(Step::Resume),
        1 => one().prop_map(Step::Abort),
        1 => one().prop_map(Step::Remove),
        2 => one().prop_map(Step::Retry),
        12 => vec((one(), ending), 1..4).prop_map(Step::News),
        2 => one().prop_map(Step::Fetched),
        1 => any::<bool>().prop_map(Step::Online),
        1 => any::<bool>().prop_map(Step::Charged),
        1 => any::<bool>().prop_map(Step::Awake),
        1 => any::<bool>().prop_map(Step::Room),
        5 => clock.prop_map(Step::Clock),
        1 => Just(Step::Kill),
    ];
    (step, prop::option::weighted(0.05, 0..40_u8))
}

/// Queue under test, and the model of this queue.
struct History {
    life: Life,
    world: World,
}

impl History {
    async fn begin(folder: &Folder) -> Self {
        let world = World::new(folder.now());
        let life = Life::begin(folder, world.desktop()).await;
        let anchors = world.anchors();
        let mut history = Self { life, world };
        for deed in anchors {
            history.act(&deed).await;
        }
        history
    }

    /// Returns the action for a step in the current state of the model, if any.
    fn deed(&self, step: &Step) -> Option<Deed> {
        let world = &self.world;
        Some(match step.clone() {
            Step::Add { owner, pattern, spot, other, parallel, is_paused, is_person, is_again } => {
                Deed::Add { owner, pattern, place: world.place(spot, other), parallel, is_paused, is_person, is_again }
            }
            Step::Move(which, spot, other) => Deed::Move(world.pick(which)?, world.place(spot, other)),
            Step::Pause(None) => Deed::Pause(None),
            Step::Pause(Some(which)) => Deed::Pause(Some(world.pick(which)?)),
            Step::Resume(None) => Deed::Resume(None),
            Step::Resume(Some(which)) => Deed::Resume(Some(world.pick(which)?)),
            Step::Abort(which) => Deed::Abort(world.pick(which)?),
            Step::Remove(which) => Deed::Remove(world.pick(which)?),
            Step::Retry(which) => Deed::Retry(world.pick(which)?),
            Step::News(news) => Deed::News(world.endings(&news)?),
            Step::Fetched(which) => Deed::Fetched(world.pick_running(which)?),
            Step::Online(is) => Deed::Desktop(world.desktop().online(is)),
            Step::Charged(is) => Deed::Desktop(world.desktop().charged(is)),
            Step::Awake(is) => Deed::Desktop(world.desktop().awake(is)),
            Step::Room(is) => Deed::Room(is),
            Step::Clock(seconds) => Deed::Clock(seconds),
            Step::Kill => return None,
        })
    }

    async fn take(&mut self, (step, dies_after): &Drawn, folder: &Folder) {
        let Some(deed) = self.deed(step) else {
            if matches!(step, Step::Kill) {
                self.kill(folder, None).await;
            }
            return;
        };
        match within(*dies_after, self.life.act(&deed)).await {
            Some(answer) => {
                let expected = self.world.apply(&deed, answer.id());
                assert_eq!(answer, expected);
                self.look().await;
            }
            None => self.kill(folder, Some(&deed)).await,
        }
    }

    /// Checks the commands to the transfers, and that the ledger matches the model.
    async fn look(&mut self) {
        for told in self.life.take_commands() {
            self.world.on_command(&told);
        }
        self.world.check_at_rest();
        assert_eq!(self.life.rows().await, self.world.rows(), "the ledger (left) and the world");
    }

    /// Simulates a power failure, in the middle of `deed` if an action is given.
    ///
    /// Checks that the action then has either its complete effect or none.
    async fn kill(&mut self, folder: &Folder, deed: Option<&Deed>) {
        let rows = self.life.die().await;
        let mut worlds = vec![self.world.clone()];
        if let Some(deed) = deed {
            let mut after = self.world.clone();
            let known = self.world.ids();
            let id = rows.iter().map(|row| row.id).find(|id| !known.contains(id));
            after.happen(deed, id);
            // Optional requests that would have to wait are skipped in a separate transaction.
            let mut skipped = self.world.clone();
            skipped.apply(deed, id);
            worlds.extend([after, skipped]);
        }
        // The power failure changes neither the time nor the free disk space.
        worlds.iter_mut().for_each(|world| (world.now, world.has_room) = (folder.now(), folder.has_room()));
        let world = worlds.iter().position(|world| world.could_be(&rows));
        let Some(world) = world else { panic!("neither before nor after {deed:?}: {rows:#?}\n{:#?}", self.world) };
        self.world = worlds.swap_remove(world);
        self.world.kill(&rows);
        self.life = Life::begin(folder, self.world.desktop()).await;
        self.look().await;
        self.world.has_restarted();
        self.life.act(&Deed::Clock(0)).await;
        self.world.apply(&Deed::Clock(0), None);
        self.look().await;
    }

    /// Opens all gates and lets every server answer, so that each request completes and its end is reported once.
    ///
    /// Then everything is removed, and the next history continues with the same folder.
    async fn end(&mut self) {
        let open = self.world.desktop().online(true).charged(true).awake(true);
        for deed in [Deed::Desktop(open), Deed::Room(true), Deed::Resume(None)] {
            self.act(&deed).await;
        }
        for which in self.world.paused() {
            self.act(&Deed::Resume(Some(which))).await;
        }
        let mut rounds = 0;
        while self.world.is_busy() {
            assert!(rounds < 200, "it does not end: {:#?}", self.world);
            rounds += 1;
            match self.world.endings_of_all_running() {
                Some(news) => self.act(&Deed::News(news)).await,
                None => self.act(&Deed::Clock(10 * 3600)).await,
            }
        }
        self.world.check_ended();
        assert_eq!(self.life.audit().await, Vec::<String>::new());
        for (id, is_owed) in self.world.pending_ends() {
            assert_eq!(self.life.claim(id).await, is_owed);
            assert!(!self.life.claim(id).await, "told twice");
        }
        self.life.remove_all().await;
        self.world.remove_all();
        assert_eq!(self.life.rows().await, self.world.rows(), "what is left");
    }

    async fn act(&mut self, deed: &Deed) {
        let answer = self.life.act(deed).await;
        let expected = self.world.apply(deed, answer.id());
        assert_eq!(answer, expected);
        self.look().await;
    }
}

fn settings() -> String {
    format!(
        "parallel = {PARALLEL}\nparallel-per-host = {PER_HOST}\nattempts = {ATTEMPTS}\n\
         retry-after-seconds = {BASE_SECONDS}\nbattery-below = 20"
    )
}

/// Runs `cases` histories, drawn from `seed`.
fn run(cases: u32, seed: u64) {
    let config = Config {
        cases,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stage: RefCell<Option<(Folder, History)>> = RefCell::new(None);
    let outcome = TestRunner::new(config).run(&vec(step(), 1..STEPS), |steps| {
        let history = async {
            let (folder, mut history) = match stage.take() {
                Some(stage) => stage,
                None => {
                    let folder = Folder::new(&settings());
                    let history = History::begin(&folder).await;
                    (folder, history)
                }
            };
            for step in &steps {
                history.take(step, &folder).await;
            }
            history.end().await;
            stage.replace(Some((folder, history)));
        };
        // A failed history does not return its folder, so no other history uses that folder.
        runtime.block_on(history);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("seed {seed}: {error}");
    }
}

#[test]
fn random_histories_match_the_model() {
    run(300, 20_261_122);
}

#[test]
#[ignore = "takes minutes: `make test-long`"]
fn fifty_thousand_random_histories_match_the_model() {
    run(50_000, 1);
}

#[test]
#[ignore = "takes minutes: `make test-long`"]
fn fifty_thousand_more_random_histories_match_the_model() {
    run(50_000, 2);
}
