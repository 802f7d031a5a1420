//! `ashore add`: adds the typed links to the list.
//!
//! - A list of links may be larger than one registration and larger than memory. The links are added in batches, and
//!   each batch is added atomically.
//! - If a batch is refused, the earlier batches stay in the list and are reported.

use std::path::Path;

use ashore_engine::{AddOutcome, EngineError, NewRegistration, QueuePlace, UniqueId, UserMessage};
use ashore_messages::message;
use ashore_rpc::{CallFailure, MethodCall, PeerStream};
use ashore_terminal::TerminalOutput;

use crate::{
    arguments::{AddArguments, WantedDownload},
    input::{
        links::{self, LinkSets},
        request::{of_set, registration, sets},
    },
    output::{
        problem::{CliProblem, ExitStatus},
        words::words,
    },
    verbs::{
        credentials::RequestCredentials,
        short::{IdleReason, idle_reason, say_why_idle, with},
        sync,
    },
};

/// Adds the downloads to the list without waiting for their completion.
pub async fn add(data_dir: &Path, adding: &AddArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    if let Some(device) = &adding.to {
        return sync::send_new(data_dir, registration(&adding.wanted, out)?, device, out).await;
    }
    let mut added = Sum::default();
    let ended = add_all(data_dir, adding, &mut added, out).await;
    match &ended {
        Err(_) => added.say_how_far(adding.wanted.input.as_deref(), out),
        Ok(()) => added.print_outcome(&adding.wanted, out),
    }
    ended.map(|()| ExitStatus::Done)
}

/// Returns the refusal for `--ignore-when-paused` if everything is paused.
pub fn ignored() -> UserMessage {
    EngineError::Ignored.message()
}

/// Registrations to add, in order.
struct Waiting<'a> {
    wanted: &'a WantedDownload,
    sets: Option<LinkSets>,
    next: Option<New>,
    /// Number of registrations built so far.
    count: usize,
    out: TerminalOutput,
}

/// Registration to add.
struct New {
    registration: NewRegistration,
    /// Line number of the last link of the registration.
    line: u64,
}

impl<'a> Waiting<'a> {
    /// Opens the input and reads the first registration.
    async fn open(wanted: &'a WantedDownload, out: TerminalOutput) -> Result<Self, CliProblem> {
        let mut waiting = Self { wanted, sets: sets(wanted)?, next: None, count: 0, out };
        waiting.next = match &mut waiting.sets {
            None => Some(New { registration: registration(wanted, out)?, line: 0 }),
            Some(_) => waiting.come().await?,
        };
        if waiting.next.is_none() {
            return Err(CallFailure::Refused(EngineError::Empty.message()).into());
        }
        if let Some(sets) = &mut waiting.sets
            && wanted.id.is_some()
            && sets.is_more().await
        {
            return Err(CliProblem::Usage(message!("single.id")));
        }
        Ok(waiting)
    }

    /// Waits for the next registration.
    async fn come(&mut self) -> Result<Option<New>, CliProblem> {
        while let Some(sets) = &mut self.sets
            && let Some(set) = sets.next().await
        {
            if let Some(new) = self.made_of(set)? {
                return Ok(Some(new));
            }
        }
        Ok(None)
    }

    /// Returns the next registration without waiting; `None` if it has not been read yet.
    fn ready(&mut self) -> Result<Option<New>, CliProblem> {
        while let Some(sets) = &mut self.sets
            && let Some(set) = sets.ready()
        {
            if let Some(new) = self.made_of(set)? {
                return Ok(Some(new));
            }
        }
        Ok(None)
    }

    /// Returns the registration of a batch; `None` if the batch has only invalid lines.
    fn made_of(&mut self, set: Result<links::LinkSet, CliProblem>) -> Result<Option<New>, CliProblem> {
        let mut set = set?;
        if let Some(left_out) = set.left_out.take() {
            self.out.complain(left_out);
        }
        if set.links.is_empty() {
            return Ok(None);
        }
        let line = set.line;
        self.count += 1;
        let mut registration = of_set(self.wanted, set)?;
        if self.count > 1
            && let Some(title) = &mut registration.title
        {
            *title = format!("{title} ({})", self.count);
        }
        Ok(Some(New { registration, line }))
    }
}

async fn add_all(data_dir: &Path, adding: &AddArguments, added: &mut Sum, out: TerminalOutput) -> Result<(), CliProblem> {
    let mut waiting = Waiting::open(&adding.wanted, out).await?;
    let mut company = RequestCredentials::for_download(&adding.wanted, waiting.next.as_ref().map(|new| &new.registration))?;
    while let Some(new) = match waiting.next.take() {
        Some(new) => Some(new),
        None => waiting.come().await?,
    } {
        // Close the connection before waiting for a slow list, so that other programs can open the ledger.
        let mut next = Some(new);
        with(data_dir, "ashore add", async |connection| {
            company.introduce(connection, out).await?;
            while let Some(new) = next.take() {
                company.joins(&new.registration)?;
                added.one(connection, new, adding.again, out).await?;
                company.say_kept(out);
                next = waiting.ready()?;
            }
            added.is_alone = connection.is_own();
            added.idle = idle_reason(connection).await;
            Ok(())
        })
        .await?;
    }
    let is_first = adding.wanted.first || adding.wanted.now;
    let on_top = if is_first { &added.all } else { &added.moved };
    if on_top.len() > 1 {
        // Each registration went to the top of the queue, so the last one is first. Move all of them again, in reverse
        // order.
        let place = if adding.wanted.now { QueuePlace::Now } else { QueuePlace::Top };
        with(data_dir, "ashore add", async |connection| {
            for &unique_id in on_top.iter().rev() {
                connection.call::<()>(MethodCall::Move { unique_id, place }).await?;
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}

/// Totals and ids of the registrations added so far.
#[derive(Debug, Default)]
struct Sum {
    all: Vec<UniqueId>,
    moved: Vec<UniqueId>,
    is_running: bool,
    links: usize,
    line: u64,
    /// True if no engine is running.
    is_alone: bool,
    /// Reason why nothing is fetched yet.
    idle: Option<IdleReason>,
}

impl Sum {
    async fn one(&mut self, connection: &PeerStream, new: New, again: bool, out: TerminalOutput) -> Result<(), CliProblem> {
        let New { registration, line } = new;
        let links = registration.requests.len();
        let added = match again {
            true => AddOutcome::New(connection.call(MethodCall::Create(registration)).await?),
            false => connection.call(MethodCall::Add(registration)).await?,
        };
        let Some(there) = added.registration() else { return Err(CallFailure::Refused(ignored()).into()) };
        self.all.push(there.unique_id);
        self.links += links;
        self.line = line;
        match &added {
            AddOutcome::Moved(_) => self.moved.push(there.unique_id),
            AddOutcome::Running(_) => self.is_running = true,
            _ => {}
        }
        if out.json {
            out.object(&added)?
        } else {
            out.line(there.unique_id)?
        }
        Ok(())
    }

    /// Reports the result of all added registrations.
    fn print_outcome(&self, wanted: &WantedDownload, out: TerminalOutput) {
        let is_one = self.all.len() == 1;
        if !is_one {
            out.print_line(words!("cli-added", links = self.links(), downloads = self.downloads()));
        }
        if !self.moved.is_empty() {
            out.print_line(words!(if is_one { "cli-add-moved" } else { "cli-add-moved.some" }));
        }
        if self.is_running {
            out.print_line(words!(if is_one { "cli-add-running" } else { "cli-add-running.some" }));
        }
        if self.is_alone && (wanted.netrc || wanted.netrc_file.is_some()) {
            out.print_line(words!("cli-add-netrc"));
        }
        if !wanted.paused {
            say_why_idle(self.idle, out);
        }
    }

    /// Reports the registrations that were added before a failure.
    fn say_how_far(&self, input: Option<&Path>, out: TerminalOutput) {
        let (Some(input), false) = (input, self.all.is_empty()) else { return };
        let (name, next) = (links::name(input), self.line + 1);
        let (links, downloads) = (self.links(), self.downloads());
        out.complain(words!("cli-add-stopped", list = name, line = next.to_string(), links = links, downloads = downloads));
        out.complain(words!("cli-add-continue", command = format!("tail -n +{next} LIST | ashore add -i -")));
    }

    fn links(&self) -> String {
        words!("add-link-count", count = self.links)
    }

    fn downloads(&self) -> String {
        words!("n-downloads", count = self.all.len())
    }
}
