//! Goal of the torture run: a promise, the number of runs that demonstrate it, and a function that performs the runs.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::{digits::grouped, needs::ToolNeed};

/// Time limit of a goal with its regular number of runs.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Tested promise, with the number of runs and the function that performs them.
#[derive(Clone, Copy, Debug)]
pub struct TortureGoal {
    /// Number of this goal in the list of promises.
    pub number: u8,
    /// Name that selects this goal in `ONLY`.
    pub name: &'static str,
    /// Property that must hold.
    pub promise: &'static str,
    /// Number of runs that demonstrate the promise.
    pub runs: u64,
    /// Programs, libraries and permissions that the runs need on the machine.
    pub needs: &'static [ToolNeed],
    /// Builds the prerequisites. This step does not count towards the time limit.
    pub prepare: Option<fn() -> Result<()>>,
    /// Function that performs the runs.
    pub prove: fn(&RunRequest) -> Result<GoalVerdict>,
}

/// Number of runs, seed and limits for one execution of a goal.
#[derive(Clone, Copy, Debug)]
pub struct RunRequest {
    /// Number of runs.
    pub runs: u64,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of the turn (group of runs), if only one turn is repeated.
    pub turn: Option<u64>,
    /// Time when the goal started.
    pub begun: Instant,
    /// Time limit, including all related work.
    pub patience: Duration,
}

impl RunRequest {
    /// Returns whether at least this much time is left.
    pub fn has(&self, time: Duration) -> bool {
        self.begun.elapsed() + time < self.patience
    }
}

/// Result of a goal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GoalVerdict {
    /// Completed runs.
    pub runs: u64,
    /// Number of runs that are impossible on this machine. The notes give the reason.
    #[serde(default)]
    pub left_out: u64,
    /// Description of each failed run.
    pub bad: Vec<String>,
    /// Sentences with further results, such as counts that have no field of their own.
    pub notes: Vec<String>,
    /// Results of other programs that were exposed to the same faults.
    pub beside: Vec<PeerColumn>,
}

impl GoalVerdict {
    /// Returns the verdict of a goal that was aborted.
    pub fn broken_off(error: &anyhow::Error) -> Self {
        Self { bad: vec![format!("the goal was aborted: {error:#}")], ..Self::default() }
    }

    /// Adds failures to the verdict if too few runs were completed or the time limit was exceeded. [pure]
    ///
    /// Never requires more runs than the goal promises, even if more are requested, because some goals have no further
    /// cases.
    pub fn held_to(mut self, goal: &TortureGoal, ask: &RunRequest, took: Duration) -> Self {
        let wanted = ask.runs.min(goal.runs);
        if ask.turn.is_none() && self.runs + self.left_out < wanted {
            self.bad.push(format!("only {} of {} runs were completed", grouped(self.runs), grouped(wanted)));
        }
        if took > ask.patience {
            self.bad.push(format!(
                "the goal took {} s instead of at most {} s",
                grouped(took.as_secs()),
                grouped(ask.patience.as_secs())
            ));
        }
        self
    }
}

/// Result of another program that was exposed to the same faults.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PeerColumn {
    /// Name of the program.
    pub name: String,
    /// Number of runs.
    pub runs: u64,
    /// Number of runs with a result that Ashore promises to prevent.
    pub bad: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promises::GOALS;

    fn asked(runs: u64, turn: Option<u64>) -> RunRequest {
        RunRequest { runs, seed: 1, turn, begun: Instant::now(), patience: PATIENCE }
    }

    /// Returns the failures that `held_to` adds for these numbers of runs and this duration.
    fn summary_lines(ask: &RunRequest, runs: u64, left_out: u64, seconds: u64) -> Vec<String> {
        let goal = GOALS.iter().find(|goal| goal.name == "power").unwrap();
        let verdict = GoalVerdict { runs, left_out, ..GoalVerdict::default() };
        verdict.held_to(goal, ask, Duration::from_secs(seconds)).bad
    }

    #[test]
    fn torture_test_is_reported_as_bad_if_fewer_runs_than_requested_were_completed() {
        let ask = asked(1_000, None);
        assert_eq!(summary_lines(&ask, 999, 0, 1), ["only 999 of 1,000 runs were completed"]);
        assert!(summary_lines(&ask, 1_000, 0, 1).is_empty());
        assert!(summary_lines(&ask, 990, 10, 1).is_empty(), "runs that are impossible here are not required");
        assert!(summary_lines(&asked(20, None), 20, 0, 1).is_empty(), "a quick run");
        assert!(summary_lines(&asked(5_000, None), 1_000, 0, 1).is_empty(), "more runs than promised are not required");
        assert!(summary_lines(&asked(1_000, Some(7)), 25, 0, 1).is_empty(), "a single turn");
    }

    #[test]
    fn torture_run_over_time_limit_is_reported_as_bad() {
        let ask = asked(1_000, None);
        assert_eq!(summary_lines(&ask, 1_000, 0, 601), ["the goal took 601 s instead of at most 600 s"]);
        assert!(summary_lines(&ask, 1_000, 0, 600).is_empty());
    }
}
