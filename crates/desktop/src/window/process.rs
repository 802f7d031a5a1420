//! Process of the window. It starts when needed and ends when the user closes the window.
//!
//! The end of the process frees the memory of the page, which is most of Ashore's memory.
//!
//! - A new window appears at the place of the last window.
//! - Closing the window quits Ashore if the setting says so.
//! - Without a tray, closing only minimises the window, because the user could not reopen a closed window.
//! - A window that ends by itself has crashed. With a tray, the user can reopen it. Without a tray, it restarts once.

use std::{
    collections::HashMap,
    env, fs, io, mem,
    path::Path,
    process::{ExitStatus, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ashore_engine::{EngineEnv, EngineEvent};
use ashore_pipe::{PipeQuestion, WindowCommand, WindowMessage, line, message, raw};
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
    handles::window::{MessageImportance, WindowNumber, WindowQueue, WindowVisibility, WindowWish},
    notifications::content,
    system::{install_paths, tray_panel},
    tasks::clipboard,
    window::commands,
};

/// Maximum time for a window to end on request before it is killed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Period after a restart of the window. A crash in this period does not restart the window again.
const CALM: Duration = Duration::from_secs(60);

/// Maximum number of unread events for a window. Further events are dropped, and the page reads everything again.
const MOST_WAITING: usize = 1024;

/// Folder in which the system lists graphics cards.
const DEVICES: &str = "/dev/dri";
/// Variable that makes the web view draw in software.
///
/// Without a graphics card and without this variable, the web view emulates a card, which costs processor time. To
/// measure this cost, compare `WEBKIT_DISABLE_DMABUF_RENDERER=0 make bench ONLY=window,page` with the same command
/// without the variable.
const PLAIN: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Actor that owns the window process.
pub struct WindowSupervisor {
    wished: mpsc::UnboundedReceiver<WindowWish>,
    seen: watch::Sender<WindowVisibility>,
    page: Option<PageState>,
    /// Number of the latest window.
    last: WindowNumber,
    next_question: u64,
    /// Whether to open another window after the end of the current one.
    comes_back: bool,
    /// Questions that no window has received yet.
    unasked: Vec<(PipeQuestion, oneshot::Sender<Value>)>,
    /// Senders that notify the callers when the window has ended.
    left: Vec<oneshot::Sender<()>>,
    /// Time of the last restart after a crash.
    came_back: Option<Instant>,
}

/// Window that is open.
struct PageState {
    number: WindowNumber,
    program: Child,
    orders: Orders,
    words: mpsc::UnboundedReceiver<WindowMessage>,
    questions: HashMap<u64, oneshot::Sender<Value>>,
    /// Whether the page has sent at least one request.
    is_alive: bool,
    going: Going,
}

/// Progress of closing the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Going {
    No,
    /// The window was asked to end. It is killed if it still runs at this time.
    Until(Instant),
    /// The window did not end in time and was killed.
    Ended,
}

/// Queue of lines for the window. A separate task writes them in order.
#[derive(Clone, Debug)]
struct Orders {
    lines: mpsc::UnboundedSender<String>,
    backlog: Arc<Mutex<PageBacklog>>,
}

/// Lines that the window has not received yet.
#[derive(Debug, Default)]
struct PageBacklog {
    /// Number of unwritten lines.
    waiting: usize,
    /// Whether events were dropped since the last `Lagged`.
    lags: bool,
}

impl WindowSupervisor {
    /// Returns a supervisor without an open window. [`WindowSupervisor::live`] then executes the requests in `queue`.
    pub fn new(queue: WindowQueue) -> Self {
        Self {
            wished: queue.wished,
            seen: queue.seen,
            page: None,
            last: WindowNumber::default(),
            next_question: 0,
            comes_back: false,
            unasked: Vec::new(),
            left: Vec::new(),
            came_back: None,
        }
    }

    /// Executes requests as long as Ashore runs.
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
                    tracing::warn!("window did not close in time; killing its process");
                    if let Some(page) = &mut self.page {
                        page.going = Going::Ended;
                        let _ = page.program.start_kill();
                    }
                }
            }
        }
    }

    fn handle_wish(&mut self, shell: &AppContext, wish: WindowWish) {
        match wish {
            WindowWish::Show => match &self.page {
                Some(page) if page.is_going() => self.comes_back = true,
                Some(page) => page.orders.give(&WindowCommand::Show),
                None => self.open(shell, true),
            },
            WindowWish::ShowMinimised if self.page.is_none() => self.open(shell, false),
            WindowWish::ShowMinimised => {}
            WindowWish::Minimise(number) => {
                if self.is_open(number) {
                    self.order(&WindowCommand::Minimise);
                }
            }
            WindowWish::Tell(order, importance) => match &self.page {
                Some(page) if importance == MessageImportance::Event => page.orders.give_event(&order),
                Some(page) => page.orders.give(&order),
                None => {}
            },
            WindowWish::Ask(question, answer) => {
                self.unasked.push((question, answer));
                match &self.page {
                    Some(page) if page.is_going() => self.comes_back = true,
                    Some(_) => self.ask(),
                    None => self.open(shell, true),
                }
            }
            WindowWish::CloseToTray(number) => {
                if self.is_open(number) {
                    self.leave(shell);
                }
            }
            WindowWish::Leave(left) => {
                self.comes_back = false;
                if self.page.is_some() {
                    self.left.push(left);
                    self.leave(shell);
                }
            }
        }
    }

    fn is_open(&self, number: WindowNumber) -> bool {
        self.page.as_ref().is_some_and(|page| page.number == number && !page.is_going())
    }

    /// Asks the window to end, if a window is open.
    fn leave(&mut self, shell: &AppContext) {
        if let Some(page) = &mut self.page {
            page.leave();
            // Store new links from now on. The page of the next window receives them.
            shell.links.hold_back();
        }
    }

    /// Handles a message of the window.
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
            WindowMessage::CloseWanted => drop(tokio::spawn(closed(shell.clone(), page.number))),
            WindowMessage::QuitWanted => shell.quit(ExitReason::Meant),
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
                    // Ignore the error: sending fails only if the caller no longer waits.
                    let _ = asker.send(answer);
                }
            }
        }
    }

    /// Restarts Ashore, because the window is of a different version than this process.
    ///
    /// The versions differ after an update of Ashore while this process runs.
    fn is_another(&self, shell: &AppContext, version: &str) {
        if install_paths::is_replaced() {
            tracing::info!(version, "new version installed; restarting Ashore");
            shell.quit(ExitReason::Anew);
        } else {
            tracing::error!("window has version {version}, which differs from this program; reinstall Ashore");
        }
    }

    fn open(&mut self, shell: &AppContext, in_front: bool) {
        self.last = self.last.next();
        match PageState::start(self.last) {
            Ok(page) => {
                let (place, is_maximised) = shell.remembered.place();
                page.orders.give(&WindowCommand::Open { place, is_maximised, in_front });
                self.page = Some(page);
                self.seen.send_replace(WindowVisibility { is_open: true, has_focus: false });
                self.ask();
            }
            Err(error) => {
                self.unasked.clear();
                tracing::error!("opening the window failed: {error}; reinstall Ashore, or download with `ashore serve`");
                self.end_where_nobody_could_call(shell);
            }
        }
    }

    /// Handles the exit of the window process.
    async fn gone(&mut self, shell: &AppContext) {
        let Some(page) = self.page.take() else { return };
        self.seen.send_replace(WindowVisibility::default());
        shell.links.hold_back();
        shell.notifier.focus(false);
        let (is_going, is_alive) = (page.is_going(), page.is_alive);
        let ended = page.end().await;
        for left in mem::take(&mut self.left) {
            // Ignore the error: sending fails only if the caller no longer waits.
            let _ = left.send(());
        }
        if mem::take(&mut self.comes_back) {
            return self.open(shell, true);
        }
        if is_going {
            return;
        }
        tracing::error!(?ended, "window crashed; downloads continue");
        let is_calm = self.came_back.is_none_or(|at| at.elapsed() > CALM);
        if !is_alive || !is_calm {
            return self.end_where_nobody_could_call(shell);
        }
        self.came_back = Some(Instant::now());
        let window = shell.window.clone();
        tokio::spawn(async move {
            if !tray_panel::is_available().await {
                window.show();
            }
        });
    }

    /// Quits if there is no tray, because without a window, users can reach Ashore only through the tray.
    fn end_where_nobody_could_call(&self, shell: &AppContext) {
        let shell = shell.clone();
        tokio::spawn(async move {
            if !tray_panel::is_available().await {
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
    /// Starts the window process. The window then waits for its first command.
    fn start(number: WindowNumber) -> io::Result<Self> {
        let mut command = Command::new(install_paths::named("ashore-window")?);
        // Use a separate process group. Terminal signals then reach only Ashore, which closes its window itself.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).process_group(0);
        // Keep a value that the user has set.
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
        Ok(Self { number, program, orders, words, questions: HashMap::new(), is_alive: false, going: Going::No })
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

    /// Closes the pipe of the window, and waits for its process to end. After [`PATIENCE`], kills the process.
    async fn end(mut self) -> io::Result<ExitStatus> {
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

/// Whether there is a graphics card that can render.
fn has_renderer(devices: &Path) -> bool {
    let Ok(devices) = fs::read_dir(devices) else { return false };
    devices.flatten().any(|device| device.file_name().as_encoded_bytes().starts_with(b"renderD"))
}

/// Unwritten lines for the window.
struct Lines {
    lines: mpsc::UnboundedReceiver<String>,
    backlog: Arc<Mutex<PageBacklog>>,
}

impl Lines {
    /// Returns the next line. After dropped events, returns `Lagged` as soon as all lines are written.
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
    /// Whether events were dropped and all lines are now written. If true, also resets the record of dropped events.
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

    /// Queues an event, or drops it if too many lines are unread.
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
                // Ignore the error: sending fails only after the end of the window, which is handled elsewhere.
                let _ = self.lines.send(line);
            }
            Err(error) => tracing::error!(%error, "message to the window could not be serialised; dropped"),
        }
    }
}

async fn write(mut input: ChildStdin, mut lines: Lines) {
    while let Some(line) = lines.next().await {
        if let Err(error) = input.write_all(line.as_bytes()).await {
            return tracing::debug!(%error, "write to the window process failed");
        }
    }
}

async fn read(output: ChildStdout, said: mpsc::UnboundedSender<WindowMessage>) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        match message(&line) {
            // Ignore the error: sending fails only while Ashore is shutting down.
            Ok(word) => drop(said.send(word)),
            Err(error) => tracing::warn!(%error, "message from the window process is not valid; ignored"),
        }
    }
}

/// Executes the user's request to close the window with this number.
async fn closed(shell: AppContext, number: WindowNumber) {
    let wishes = shell.wished.now();
    if wishes.as_ref().is_some_and(|wishes| !wishes.close_to_tray) {
        return shell.quit(ExitReason::Meant);
    }
    if !tray_panel::is_available().await {
        return shell.window.wish(WindowWish::Minimise(number));
    }
    shell.window.wish(WindowWish::CloseToTray(number));
    // If a notification is not allowed now, the hint waits until the next time that the window is closed.
    let may_be_told = wishes.is_none_or(|wishes| wishes.card_mode(false, &EngineEnv::default()) == CardMode::Shown);
    if may_be_told && shell.remembered.tell_about_tray() {
        shell.notifier.news(content::goes_on_in_tray());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_view_has_a_renderer_only_if_a_graphics_card_has_a_render_node() {
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
    async fn dropped_events_are_replaced_by_one_lagged_event() {
        let (orders, mut lines) = Orders::new();
        (0..MOST_WAITING + 10).for_each(|number| orders.give_event(&event(number)));
        orders.give(&WindowCommand::Show);
        for number in 0..MOST_WAITING {
            assert_eq!(lines.next().await, line(&event(number)).ok());
        }
        assert_eq!(lines.next().await, line(&WindowCommand::Show).ok(), "only events may be dropped");
        assert_eq!(lines.next().await, lagged(), "also where nothing happens any more");
        orders.give_event(&event(7));
        assert_eq!(lines.next().await, line(&event(7)).ok());
        drop(orders);
        assert_eq!(lines.next().await, None);
    }
}
