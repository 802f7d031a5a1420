//! The window's life: a program that is started when it is wanted and ends when it is closed (most of the memory is the
//! page's), and that comes back where it was. Closing it ends Ashore where somebody wants that. Where there is no tray it is
//! minimised instead, since nothing could bring it back. One that ends by itself has crashed: where there is a tray it can be
//! opened from there, and where there is none it comes back once.

use std::{
    collections::HashMap,
    env, fs, io, mem,
    path::Path,
    process::{ExitStatus, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ashore_engine::{EngineEnv, EngineEvent};
use ashore_pipe::{PipeQuestion, PipeReply, WindowCommand, WindowMessage, line, message, raw};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::{mpsc, oneshot, watch},
    time::{Instant, sleep_until, timeout},
};

use crate::{
    context::{AppContext, ExitReason},
    engine::desktop_settings::CardMode,
    notifications::content,
    system::{clipboard, install_paths},
    tray,
    window::commands,
};

/// A window that was asked to go and does not is ended.
const PATIENCE: Duration = Duration::from_secs(5);

/// One that crashes again within this does not come back by itself.
const CALM: Duration = Duration::from_secs(60);

/// So many events may wait for a window that does not take them. Then it reads everything anew instead.
const MOST_WAITING: usize = 1024;

/// Graphics cards.
const DEVICES: &str = "/dev/dri";
/// Has the web view paint without one. It would pretend otherwise that there is one, at the processor's cost: how much that is
/// says `WEBKIT_DISABLE_DMABUF_RENDERER=0 make bench ONLY=window,page`, beside the same without it.
const PLAIN: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// The way to the window. Cheap to clone.
#[derive(Clone, Debug)]
pub struct WindowProcess {
    wishes: mpsc::UnboundedSender<Wish>,
    seen: watch::Receiver<Seen>,
}

/// What others know of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    is_open: bool,
    has_focus: bool,
}

#[derive(Debug)]
enum Wish {
    Show,
    ShowMinimised,
    Minimise,
    Tell(WindowCommand, Importance),
    Ask(PipeQuestion, oneshot::Sender<Value>),
    Leave(Option<oneshot::Sender<()>>),
}

/// Whether the page can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Importance {
    /// One of many, which can be read anew.
    Event,
    Word,
}

impl WindowProcess {
    /// None is there yet; it has a life once [`Room::live`] runs.
    pub fn new() -> (Self, WindowSupervisor) {
        let (wishes, wished) = mpsc::unbounded_channel();
        let (seen, seen_by_others) = watch::channel(Seen::default());
        let room = WindowSupervisor {
            wished,
            seen,
            page: None,
            next_question: 0,
            comes_back: false,
            unasked: Vec::new(),
            left: Vec::new(),
            came_back: None,
        };
        (Self { wishes, seen: seen_by_others }, room)
    }

    /// Brings the window forward, starting it where there is none.
    pub fn show(&self) {
        self.wish(Wish::Show);
    }

    /// Starts the window minimised, where there is none: the start without a window where there is no tray.
    pub fn show_minimised(&self) {
        self.wish(Wish::ShowMinimised);
    }

    /// Tells the page that something happened in the engine; nothing where there is none.
    pub fn event(&self, event: &EngineEvent) {
        if self.is_open() {
            self.send_event("engine", event, Importance::Event);
        }
    }

    /// Tells the page.
    pub fn word(&self, name: &str, payload: &impl Serialize) {
        self.send_event(name, payload, Importance::Word);
    }

    /// What only a window can find out; one is started where there is none. None where it goes without an answer.
    pub async fn ask<T: DeserializeOwned>(&self, question: PipeQuestion) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        self.wish(Wish::Ask(question, answer));
        serde_json::from_value(answered.await.ok()?).ok()
    }

    /// Takes the window away; returns when it is gone.
    pub async fn leave(&self) {
        let (left, gone) = oneshot::channel();
        self.wish(Wish::Leave(Some(left)));
        let _ = gone.await;
    }

    /// Whether there is one.
    pub fn is_open(&self) -> bool {
        self.seen.borrow().is_open
    }

    /// Whether the person looks at it.
    pub fn has_focus(&self) -> bool {
        self.seen.borrow().has_focus
    }

    fn send_event(&self, name: &str, payload: &impl Serialize, importance: Importance) {
        match raw(payload) {
            Ok(payload) => self.wish(Wish::Tell(WindowCommand::Tell { event: name.to_owned(), payload }, importance)),
            Err(error) => tracing::warn!(%error, name, "the page cannot be told"),
        }
    }

    fn wish(&self, wish: Wish) {
        // Nobody there: Ashore ends.
        let _ = self.wishes.send(wish);
    }
}

/// Where the window lives.
pub struct WindowSupervisor {
    wished: mpsc::UnboundedReceiver<Wish>,
    seen: watch::Sender<Seen>,
    page: Option<PageState>,
    next_question: u64,
    /// The one that goes is wanted again.
    comes_back: bool,
    /// What that one is to be asked.
    unasked: Vec<(PipeQuestion, oneshot::Sender<Value>)>,
    /// Who waits until it is gone.
    left: Vec<oneshot::Sender<()>>,
    /// When it came back after a crash.
    came_back: Option<Instant>,
}

/// A window that is there.
struct PageState {
    program: Child,
    orders: Orders,
    words: mpsc::UnboundedReceiver<WindowMessage>,
    questions: HashMap<u64, oneshot::Sender<Value>>,
    /// Its page has said something.
    is_alive: bool,
    going: Going,
}

/// Whether a window was asked to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Going {
    No,
    /// It may take until then.
    Until(Instant),
    /// It took too long.
    Ended,
}

/// What is written to a window, in order, without waiting for it.
#[derive(Clone, Debug)]
struct Orders {
    lines: mpsc::UnboundedSender<String>,
    backlog: Arc<Mutex<PageBacklog>>,
}

/// How far a window is behind.
#[derive(Debug, Default)]
struct PageBacklog {
    /// Lines that are still to be written.
    waiting: usize,
    /// Events were left out since.
    lags: bool,
}

impl WindowSupervisor {
    /// Lives as long as Ashore does.
    pub async fn live(mut self, shell: AppContext) {
        loop {
            let goes_by = self.page.as_ref().and_then(|page| match page.going {
                Going::Until(end) => Some(end),
                Going::No | Going::Ended => None,
            });
            let word = async {
                match &mut self.page {
                    Some(page) => page.words.recv().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                word = word => match word {
                    Some(word) => self.on_window_message(&shell, word),
                    None => self.gone(&shell).await,
                },
                wish = self.wished.recv() => match wish {
                    Some(wish) => self.handle_wish(&shell, wish),
                    None => return,
                },
                () = async { sleep_until(goes_by.unwrap_or_else(Instant::now)).await }, if goes_by.is_some() => {
                    tracing::warn!("the window does not go, and is ended");
                    if let Some(page) = &mut self.page {
                        page.going = Going::Ended;
                        let _ = page.program.start_kill();
                    }
                }
            }
        }
    }

    fn handle_wish(&mut self, shell: &AppContext, wish: Wish) {
        match wish {
            Wish::Show => match &self.page {
                Some(page) if page.is_going() => self.comes_back = true,
                Some(page) => page.orders.give(&WindowCommand::Show),
                None => self.open(shell, true),
            },
            Wish::ShowMinimised if self.page.is_none() => self.open(shell, false),
            Wish::ShowMinimised => {}
            Wish::Minimise => self.order(&WindowCommand::Minimise),
            Wish::Tell(order, importance) => match &self.page {
                Some(page) if importance == Importance::Event => page.orders.give_event(&order),
                Some(page) => page.orders.give(&order),
                None => {}
            },
            Wish::Ask(question, answer) => {
                self.unasked.push((question, answer));
                match &self.page {
                    Some(page) if page.is_going() => self.comes_back = true,
                    Some(_) => self.ask(),
                    None => self.open(shell, true),
                }
            }
            Wish::Leave(left) => {
                self.comes_back = false;
                if let Some(page) = &mut self.page {
                    page.leave();
                    self.left.extend(left);
                    // What comes for the page from now on is for the next one.
                    shell.links.hold_back();
                }
            }
        }
    }

    /// What the window says.
    fn on_window_message(&mut self, shell: &AppContext, word: WindowMessage) {
        let Some(page) = &mut self.page else { return };
        match word {
            WindowMessage::Version(version) if version == env!("CARGO_PKG_VERSION") => {}
            WindowMessage::Version(version) => self.is_another(shell, &version),
            WindowMessage::Focused(focused) => {
                self.seen.send_modify(|seen| seen.has_focus = focused);
                shell.notifier.focus(focused);
                if focused {
                    shell.glance.seen();
                    tokio::spawn(clipboard::focused(shell.clone()));
                }
            }
            WindowMessage::CloseWanted => drop(tokio::spawn(closed(shell.clone()))),
            WindowMessage::Place { place, is_maximised } => shell.remembered.set_place(place, is_maximised),
            WindowMessage::Ask { id, request } => {
                page.is_alive = true;
                let (shell, orders) = (shell.clone(), page.orders.clone());
                tokio::spawn(async move {
                    let answer = commands::answer(&shell, request).await;
                    orders.give(&WindowCommand::Answer { id, answer });
                });
            }
            WindowMessage::Answer { id, answer } => {
                if let Some(asker) = page.questions.remove(&id) {
                    // Who asked may have gone away.
                    let _ = asker.send(answer);
                }
            }
        }
    }

    /// The window is of another version: Ashore was installed anew while this one ran, which gives way to the new one.
    fn is_another(&self, shell: &AppContext, version: &str) {
        if install_paths::is_replaced() {
            tracing::info!(version, "Ashore was updated, and starts anew");
            shell.quit(ExitReason::Anew);
        } else {
            tracing::error!("The window is that of Ashore {version}, which is not this one. Install Ashore anew.");
        }
    }

    fn open(&mut self, shell: &AppContext, in_front: bool) {
        match PageState::start() {
            Ok(page) => {
                let (place, is_maximised) = shell.remembered.place();
                page.orders.give(&WindowCommand::Open { place, is_maximised, in_front });
                self.page = Some(page);
                self.seen.send_replace(Seen { is_open: true, has_focus: false });
                self.ask();
            }
            Err(error) => {
                self.unasked.clear();
                tracing::error!(
                    "The window cannot be opened: {error}. Install Ashore anew; `ashore serve` downloads without a window."
                );
                self.end_where_nobody_could_call(shell);
            }
        }
    }

    /// There is no window any more.
    async fn gone(&mut self, shell: &AppContext) {
        let Some(page) = self.page.take() else { return };
        self.seen.send_replace(Seen::default());
        shell.links.hold_back();
        shell.notifier.focus(false);
        let (is_going, is_alive) = (page.is_going(), page.is_alive);
        let ended = page.end().await;
        for left in mem::take(&mut self.left) {
            // Who waited may have gone away.
            let _ = left.send(());
        }
        if mem::take(&mut self.comes_back) {
            return self.open(shell, true);
        }
        if is_going {
            return;
        }
        tracing::error!(?ended, "the window has crashed; downloads go on");
        let is_calm = self.came_back.is_none_or(|at| at.elapsed() > CALM);
        if !is_alive || !is_calm {
            return self.end_where_nobody_could_call(shell);
        }
        self.came_back = Some(Instant::now());
        let window = shell.window.clone();
        tokio::spawn(async move {
            if !tray::is_available().await {
                window.show();
            }
        });
    }

    /// Without a tray, an Ashore without a window could only be ended by the system.
    fn end_where_nobody_could_call(&self, shell: &AppContext) {
        let shell = shell.clone();
        tokio::spawn(async move {
            if !tray::is_available().await {
                shell.quit(ExitReason::Failed);
            }
        });
    }

    fn ask(&mut self) {
        let Some(page) = &mut self.page else { return };
        for (question, answer) in self.unasked.drain(..) {
            let id = self.next_question;
            self.next_question += 1;
            page.questions.insert(id, answer);
            page.orders.give(&WindowCommand::Ask { id, question });
        }
    }

    fn order(&self, order: &WindowCommand) {
        if let Some(page) = &self.page {
            page.orders.give(order);
        }
    }
}

impl PageState {
    /// Starts one, which waits for its first order.
    fn start() -> io::Result<Self> {
        let mut command = Command::new(install_paths::named("ashore-window")?);
        // In a group of its own: what a terminal says to Ashore, Ashore says to its window.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).process_group(0);
        // Whoever says how it is to paint knows better.
        if env::var_os(PLAIN).is_none() && !has_renderer(Path::new(DEVICES)) {
            command.env(PLAIN, "1");
        }
        let mut program = command.spawn()?;
        let (Some(input), Some(output)) = (program.stdin.take(), program.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (orders, lines) = Orders::new();
        let (said, words) = mpsc::unbounded_channel();
        tokio::spawn(write(input, lines));
        tokio::spawn(read(output, said));
        Ok(Self { program, orders, words, questions: HashMap::new(), is_alive: false, going: Going::No })
    }

    fn is_going(&self) -> bool {
        self.going != Going::No
    }

    fn leave(&mut self) {
        if !self.is_going() {
            self.going = Going::Until(Instant::now() + PATIENCE);
            self.orders.give(&WindowCommand::Leave);
        }
    }

    /// Waits until the program is over, which has nothing to say any more.
    async fn end(mut self) -> io::Result<ExitStatus> {
        // It sees that nobody speaks to it.
        drop(self.orders);
        match timeout(PATIENCE, self.program.wait()).await {
            Ok(ended) => ended,
            Err(_) => {
                self.program.start_kill()?;
                self.program.wait().await
            }
        }
    }
}

/// Whether there is a graphics card that draws.
fn has_renderer(devices: &Path) -> bool {
    let Ok(devices) = fs::read_dir(devices) else { return false };
    devices.flatten().any(|device| device.file_name().as_encoded_bytes().starts_with(b"renderD"))
}

/// Lines that wait to be written.
struct Lines {
    lines: mpsc::UnboundedReceiver<String>,
    backlog: Arc<Mutex<PageBacklog>>,
}

impl Lines {
    /// The next one. Where events were left out and the others are written, it is the word to read everything anew.
    async fn next(&mut self) -> Option<String> {
        if locked(&self.backlog).has_caught_up()
            && let Some(lagged) = lagged()
        {
            return Some(lagged);
        }
        let line = self.lines.recv().await?;
        locked(&self.backlog).waiting -= 1;
        Some(line)
    }
}

impl PageBacklog {
    /// Whether everything is written, and something was left out before.
    fn has_caught_up(&mut self) -> bool {
        self.waiting == 0 && mem::take(&mut self.lags)
    }
}

fn locked(backlog: &Mutex<PageBacklog>) -> MutexGuard<'_, PageBacklog> {
    backlog.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lagged() -> Option<String> {
    let payload = raw(&EngineEvent::Lagged).ok()?;
    line(&WindowCommand::Tell { event: "engine".to_owned(), payload }).ok()
}

impl Orders {
    fn new() -> (Self, Lines) {
        let (lines, written) = mpsc::unbounded_channel();
        let backlog = Arc::default();
        (Self { lines, backlog: Arc::clone(&backlog) }, Lines { lines: written, backlog })
    }

    /// The same for what may be left out, and is, where the window does not take what it was told before.
    fn give_event(&self, order: &WindowCommand) {
        let mut backlog = locked(&self.backlog);
        backlog.lags |= backlog.waiting >= MOST_WAITING;
        if !backlog.lags {
            self.send(order, &mut backlog);
        }
    }

    fn give(&self, order: &WindowCommand) {
        self.send(order, &mut locked(&self.backlog));
    }

    fn send(&self, order: &WindowCommand, backlog: &mut PageBacklog) {
        match line(order) {
            Ok(line) => {
                backlog.waiting += 1;
                // It is gone, and its end is heard of.
                let _ = self.lines.send(line);
            }
            Err(error) => tracing::error!(%error, "the window cannot be told"),
        }
    }
}

async fn write(mut input: ChildStdin, mut lines: Lines) {
    while let Some(line) = lines.next().await {
        if let Err(error) = input.write_all(line.as_bytes()).await {
            return tracing::debug!(%error, "the window does not listen any more");
        }
    }
}

async fn read(output: ChildStdout, said: mpsc::UnboundedSender<WindowMessage>) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        match message(&line) {
            // Nobody listens any more: Ashore ends.
            Ok(word) => drop(said.send(word)),
            Err(error) => tracing::warn!(%error, "the window said something that makes no sense"),
        }
    }
}

/// A person has closed it.
async fn closed(shell: AppContext) {
    let wishes = shell.wished.now();
    if wishes.as_ref().is_some_and(|wishes| !wishes.close_to_tray) {
        return shell.quit(ExitReason::Meant);
    }
    if !tray::is_available().await {
        return shell.window.wish(Wish::Minimise);
    }
    shell.window.wish(Wish::Leave(None));
    // Who is not to be told anything now is told the next time.
    let may_be_told = wishes.is_none_or(|wishes| wishes.card_mode(false, &EngineEnv::default()) == CardMode::Shown);
    if may_be_told && shell.remembered.tell_about_tray() {
        shell.notifier.news(content::goes_on_in_tray());
    }
}

/// What a page's question got, as it goes through the pipe.
pub fn answer<T: Serialize, E: Serialize>(answer: Result<T, E>) -> PipeReply {
    let shaped = match &answer {
        Ok(value) => raw(value).map(Ok),
        Err(trouble) => raw(trouble).map(Err),
    };
    shaped.unwrap_or_else(|_| Err(Box::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_is_no_card_that_draws() {
        let devices = tempfile::tempdir().unwrap();
        assert!(!has_renderer(&devices.path().join("gone")));
        fs::write(devices.path().join("card0"), "").unwrap();
        assert!(!has_renderer(devices.path()));
        fs::write(devices.path().join("renderD128"), "").unwrap();
        assert!(has_renderer(devices.path()));
    }

    fn event(number: usize) -> WindowCommand {
        WindowCommand::Tell { event: "engine".to_owned(), payload: raw(&number).unwrap() }
    }

    #[tokio::test]
    async fn what_is_left_out_for_a_window_that_takes_nothing_is_read_anew_when_it_does() {
        let (orders, mut lines) = Orders::new();
        (0..MOST_WAITING + 10).for_each(|number| orders.give_event(&event(number)));
        orders.give(&WindowCommand::Show);
        for number in 0..MOST_WAITING {
            assert_eq!(lines.next().await, line(&event(number)).ok());
        }
        assert_eq!(lines.next().await, line(&WindowCommand::Show).ok(), "what is no event is never left out");
        assert_eq!(lines.next().await, lagged(), "also where nothing happens any more");
        orders.give_event(&event(7));
        assert_eq!(lines.next().await, line(&event(7)).ok());
        drop(orders);
        assert_eq!(lines.next().await, None);
    }
}
