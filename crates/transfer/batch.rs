//! Where small files land: a thread for each folder gives as many as wait their place on disk together. A folder that does not
//! answer holds up its own files alone. A thread ends as soon as it has nothing to do and nothing to remember.
//!
//! Ten thousand files of ten kilobytes cost next to nothing on the network; what they cost is a sync, a synced folder and
//! a hop to another thread for each. Here one pass writes all that wait, makes all of it durable with one call, gives
//! each its name, and makes the names durable with one more. The order is that of a single file: bytes, sync, name,
//! folder, and only then is anybody told. One file's trouble is its own: the others of the pass go on. A defect ends no more
//! than its pass, and the files of that go the ordinary way, where each is on its own. To a disk, ten thousand take a sixth of
//! the time that aria2 takes, and as long as curl, which syncs nothing (`make bench ONLY=small`).
//!
//! A partial of this room has no journal and is whole or worth nothing. It carries its GUID's tag like every other, so
//! that a kill in the middle leaves what `found` and `survey` know how to read: bytes that nobody vouches for, or a
//! second name of a file that was placed.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs::File,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, mpsc},
    time::{Duration, Instant},
};

use bytes::Bytes;
use rustix::{
    fs::{AtFlags, Mode, OFlags},
    io::{Errno, retry_on_intr},
};
use tokio::sync::oneshot;
use url::Url;

use crate::{
    crashpoint, filename,
    mark::mark,
    outcome::{Failure, FailureKind},
    part::{self, MOST_NAMES},
    service::words_of,
    spec::Guid,
    survey::Index,
};

/// Files in one pass: more wait for the next, so that the first are not told too late.
const MOST: usize = 256;
/// From so many files on, the whole volume is synced with one call instead of each file.
const TOGETHER: usize = 4;
/// Somebody else writes much to a volume whose sync takes longer than this: his bytes are not to be waited for...
const PATIENCE: Duration = Duration::from_millis(300);
/// ...for so long.
const ALONE_FOR: Duration = Duration::from_secs(30);

/// A file that has come, and where it is to go.
#[derive(Debug)]
pub(crate) struct Landing {
    pub guid: Guid,
    pub folder: PathBuf,
    /// Its final name, or the next `name (1)` that is free.
    pub name: String,
    /// All of its bytes.
    pub pieces: Vec<Bytes>,
    /// Where they came from.
    pub origin: Url,
}

impl Landing {
    /// What its partial is called.
    fn part(&self) -> String {
        filename::partial(&self.name, &self.guid.tag())
    }
}

/// What became of it.
#[derive(Debug)]
pub(crate) enum Landed {
    /// Durable under this name; the partial's name is there until it is forgotten.
    At(PathBuf),
    /// This folder has no links, without which nobody could tell after a kill that it was placed, or no sync, or takes only
    /// short names. Nothing was done.
    Unsuited,
    /// A defect cut the pass short. What was done is on the disk, where it is looked for again.
    CutShort,
}

type Answer = oneshot::Sender<Result<Landed, Failure>>;

#[derive(Debug)]
enum Order {
    Land(Landing, Answer),
    Forget(Vec<Guid>),
    Rest(oneshot::Sender<HashSet<Guid>>),
}

/// The way to the threads.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    desks: Arc<Desks>,
    /// Downloads that are to be forgotten and are not yet, each with its folder.
    leaving: Arc<Mutex<HashMap<Guid, PathBuf>>>,
    index: Arc<Index>,
    doors: Doors,
}

/// The thread of each folder that has one. Orders are given under this lock, so that a thread that ends misses none.
type Desks = Mutex<HashMap<PathBuf, mpsc::Sender<Order>>>;

impl Batch {
    /// Without a thread yet: each starts with the first order for its folder.
    pub fn new(index: Arc<Index>) -> Self {
        Self { desks: Arc::default(), leaving: Arc::default(), index, doors: Doors::real() }
    }

    /// Places `landing`; answered when file and name are durable, or it is known why not. Not cut short.
    pub async fn land(&self, landing: Landing) -> Result<Landed, Failure> {
        let (answer, answered) = oneshot::channel();
        let (guid, folder, part) = (landing.guid, landing.folder.clone(), landing.folder.join(landing.part()));
        if !self.order(&folder, Order::Land(landing, answer)) {
            // There is no thread to be had; the ordinary way has one already.
            return Ok(Landed::CutShort);
        }
        answered.await.unwrap_or_else(|_| {
            // Whatever there is of it by now, whoever goes on with it finds.
            self.index.add(guid, &part);
            Ok(Landed::CutShort)
        })
    }

    /// Removes the partials' names and all that belongs to them, sooner or later.
    pub fn forget(&self, finished: Vec<(Guid, PathBuf)>) {
        let mut by_folder: BTreeMap<PathBuf, Vec<Guid>> = BTreeMap::new();
        for (guid, folder) in finished {
            locked(&self.leaving).insert(guid, folder.clone());
            by_folder.entry(folder).or_default().push(guid);
        }
        for (folder, guids) in by_folder {
            // Without a thread it is done at the next start.
            self.order(&folder, Order::Forget(guids));
        }
    }

    /// Returns when everything ordered before is done, with those of whom something could not be removed. A folder that does not
    /// answer within `limit` is not waited for, and what was to be forgotten in it is left.
    pub async fn rest(&self, limit: Duration) -> HashSet<Guid> {
        let folders: Vec<PathBuf> = locked(&self.desks).keys().cloned().collect();
        let resting = folders.iter().map(|folder| self.rest_of(folder, limit));
        futures_util::future::join_all(resting).await.into_iter().flatten().collect()
    }

    /// The same for one folder.
    pub async fn rest_of(&self, folder: &Path, limit: Duration) -> HashSet<Guid> {
        let (answer, answered) = oneshot::channel();
        if locked(&self.desks).get(folder).is_none_or(|desk| desk.send(Order::Rest(answer)).is_err()) {
            return HashSet::new();
        }
        match tokio::time::timeout(limit, answered).await {
            Ok(left) => left.unwrap_or_default(),
            Err(_) => {
                let leaving = locked(&self.leaving);
                leaving.iter().filter(|(_, where_it_is)| *where_it_is == folder).map(|(guid, _)| *guid).collect()
            }
        }
    }

    /// Hands `order` to the thread of `folder`, which is started where there is none. False where the system has none to give.
    fn order(&self, folder: &Path, order: Order) -> bool {
        let mut desks = locked(&self.desks);
        let order = match desks.get(folder) {
            None => order,
            Some(desk) => match desk.send(order) {
                Ok(()) => return true,
                // Its thread ended by a defect.
                Err(mpsc::SendError(order)) => order,
            },
        };
        let (orders, queue) = mpsc::channel();
        if orders.send(order).is_err() {
            return false;
        }
        let (all, place) = (Arc::downgrade(&self.desks), folder.to_owned());
        let (index, leaving, doors) = (self.index.clone(), self.leaving.clone(), self.doors);
        let mut desk = Desk { index, leaving, landed: HashMap::new(), left: HashSet::new(), syncing: Syncing::new(), doors };
        let work = move || desk.work(&place, &queue, &all);
        let is_started = std::thread::Builder::new().name("ashore-landing".to_owned()).spawn(work).is_ok();
        if is_started {
            desks.insert(folder.to_owned(), orders);
        }
        is_started
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file on its way through a pass.
struct Begun {
    file: File,
    part: String,
    inode: (u64, u64),
    landing: Landing,
    answer: Answer,
}

/// The thread's own.
struct Desk {
    index: Arc<Index>,
    leaving: Arc<Mutex<HashMap<Guid, PathBuf>>>,
    /// The partials' names of what was placed and not forgotten yet: nothing else belongs to them.
    landed: HashMap<Guid, String>,
    /// Of these something was to be removed and is there still.
    left: HashSet<Guid>,
    syncing: Syncing,
    doors: Doors,
}

impl Desk {
    fn work(&mut self, folder: &Path, queue: &mpsc::Receiver<Order>, all: &Weak<Desks>) {
        while let Some(first) = self.next(folder, queue, all) {
            let (mut files, mut finished, mut resting) = (Vec::new(), Vec::new(), Vec::new());
            let mut count = 0;
            let mut next = Some(first);
            while let Some(order) = next {
                match order {
                    Order::Land(landing, answer) => files.push((landing, answer)),
                    Order::Forget(some) => finished.extend(some),
                    Order::Rest(answer) => resting.push(answer),
                }
                count += 1;
                next = if count < MOST { queue.try_recv().ok() } else { None };
            }
            if !files.is_empty() {
                alone(|| self.land(folder, files));
            }
            for guid in finished {
                alone(|| self.forget(guid, folder));
                locked(&self.leaving).remove(&guid);
            }
            for answer in resting {
                // Nobody waiting for it is not an error.
                let _ = answer.send(self.left.clone());
            }
        }
    }

    /// The next order; none once there is nothing to do and nothing to remember, so that the thread ends.
    fn next(&self, folder: &Path, queue: &mpsc::Receiver<Order>, all: &Weak<Desks>) -> Option<Order> {
        if let Ok(order) = queue.try_recv() {
            return Some(order);
        }
        if self.landed.is_empty() && self.left.is_empty() {
            let all = all.upgrade()?;
            let mut desks = locked(&all);
            let order = queue.try_recv().ok();
            if order.is_none() {
                desks.remove(folder);
            }
            return order;
        }
        queue.recv().ok()
    }

    fn land(&mut self, folder: &Path, files: Vec<(Landing, Answer)>) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = match retry_on_intr(|| rustix::fs::open(folder, flags, Mode::empty())) {
            Ok(opened) => File::from(opened),
            Err(error) => {
                let failure = Failure::of_target(&error.into(), "opening the folder");
                return files.into_iter().for_each(|(_, answer)| tell(answer, Err(failure.clone())));
            }
        };
        let mut begun = Vec::with_capacity(files.len());
        for (landing, answer) in files {
            match write(&opened, &landing) {
                Ok(Some((file, part, inode))) => begun.push(Begun { file, part, inode, landing, answer }),
                Ok(None) => tell(answer, Ok(Landed::Unsuited)),
                Err(failure) => tell(answer, Err(failure)),
            }
        }
        crashpoint::hit("transfer.batch-written");
        let durable = self.syncing.all(&self.doors, &opened, begun);
        crashpoint::hit("transfer.batch-synced");
        let mut placed = Vec::with_capacity(durable.len());
        for it in durable {
            match link(&self.doors, &opened, &it) {
                Ok(Some(name)) => {
                    crashpoint::hit("transfer.batch-linked");
                    placed.push((name, it));
                }
                outcome => {
                    // Its bytes are worth nothing without the run that brought them.
                    let _ = rustix::fs::unlinkat(&opened, &*it.part, AtFlags::empty());
                    tell(it.answer, outcome.map(|_| Landed::Unsuited));
                }
            }
        }
        let synced = opened.sync_all();
        crashpoint::hit("transfer.batch-placed");
        for (name, it) in placed {
            match &synced {
                Ok(()) => {
                    self.landed.insert(it.landing.guid, it.part);
                    tell(it.answer, Ok(Landed::At(folder.join(name))));
                }
                Err(error) => {
                    if take_back(&opened, &name, &it).is_err() {
                        // Another run finds what was placed, and tries again.
                        self.index.add(it.landing.guid, &folder.join(&it.part));
                    }
                    let is_missing = part::is_sync_missing(error);
                    let failure = || Failure::of_disk(error, "making the file's name durable");
                    tell(it.answer, if is_missing { Ok(Landed::Unsuited) } else { Err(failure()) });
                }
            }
        }
    }

    fn forget(&mut self, guid: Guid, folder: &Path) {
        let removed = match self.landed.remove(&guid) {
            Some(part) => {
                crashpoint::hit("transfer.batch-forgets");
                match std::fs::remove_file(folder.join(&part)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        self.index.add(guid, &folder.join(part));
                        Err(error)
                    }
                    _ => Ok(()),
                }
            }
            None => self.index.remove(guid, folder),
        };
        match removed {
            Ok(()) => drop(self.left.remove(&guid)),
            // It is found by its name at the next start.
            Err(error) => {
                tracing::warn!(%guid, %error, "a partial could not be removed");
                self.left.insert(guid);
            }
        }
        crashpoint::hit("transfer.removed");
    }
}

/// Does `work`; a defect in it ends that, and not the thread.
fn alone(work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        tracing::error!(why = words_of(&*panic), "a pass of small files ended by a defect");
    }
}

/// Whoever asked may be gone; what is on disk speaks for itself at the next start.
fn tell(answer: Answer, outcome: Result<Landed, Failure>) {
    let _ = answer.send(outcome);
}

/// A partial with all its bytes, its name, and its device and inode.
type Written = (File, String, (u64, u64));

/// Makes the partial with all its bytes. A file of its name is one of ours that nothing vouches for, and is replaced. None where
/// the file system takes no name of this length.
fn write(folder: &File, landing: &Landing) -> Result<Option<Written>, Failure> {
    let part = landing.part();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // The mode of an ordinary file: it is whole before anybody can know its name.
    let create = || retry_on_intr(|| rustix::fs::openat(folder, &*part, flags, Mode::from_raw_mode(0o666)));
    let created = match create() {
        Err(Errno::EXIST) => rustix::fs::unlinkat(folder, &*part, AtFlags::empty()).and_then(|()| create()),
        created => created,
    };
    if matches!(created, Err(Errno::NAMETOOLONG)) {
        return Ok(None);
    }
    let mut file = File::from(created.map_err(|error| Failure::of_target(&error.into(), "making the partial"))?);
    let written = landing.pieces.iter().try_for_each(|piece| file.write_all(piece));
    let inode = written.and_then(|()| {
        mark(&file, &landing.origin);
        Ok(rustix::fs::fstat(&file)?)
    });
    match inode {
        Ok(found) => Ok(Some((file, part, (found.st_dev, found.st_ino)))),
        Err(error) => {
            let _ = rustix::fs::unlinkat(folder, &*part, AtFlags::empty());
            Err(Failure::of_disk(&error, "writing the file"))
        }
    }
}

/// Gives it its final name; none where that takes more than a link.
fn link(doors: &Doors, folder: &File, it: &Begun) -> Result<Option<String>, Failure> {
    if !is_inode(folder, &it.part, it.inode) {
        return Err(Failure::new(FailureKind::Target, "the partial was moved or replaced while it was written"));
    }
    for number in 0..MOST_NAMES {
        let name = part::candidate(&it.landing.name, number);
        match (doors.link)(folder, &it.part, &name) {
            Ok(()) => return Ok(Some(name)),
            Err(Errno::EXIST) => {}
            Err(error) if part::has_no_links(error) || error == Errno::NAMETOOLONG => return Ok(None),
            Err(error) => return Err(Failure::of_target(&error.into(), "giving the file its name")),
        }
    }
    Err(Failure::new(FailureKind::Target, "every name tried is taken"))
}

/// Takes both of its names, for the reason that [`crate::part::Part::place`] has.
fn take_back(folder: &File, name: &str, it: &Begun) -> Result<(), Errno> {
    if is_inode(folder, name, it.inode) {
        rustix::fs::unlinkat(folder, name, AtFlags::empty())?;
    }
    rustix::fs::unlinkat(folder, &*it.part, AtFlags::empty())
}

fn is_inode(folder: &File, name: &str, inode: (u64, u64)) -> bool {
    let found = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    found.is_ok_and(|found| (found.st_dev, found.st_ino) == inode)
}

/// How files become durable, and get their names.
#[derive(Clone, Copy, Debug)]
struct Doors {
    /// Makes everything on a folder's volume durable. Fails where something could not be written, nobody knows what.
    sync_volume: fn(&File) -> io::Result<()>,
    sync_file: fn(&File) -> io::Result<()>,
    /// Gives the folder's first name a second one.
    link: fn(&File, &str, &str) -> Result<(), Errno>,
}

impl Doors {
    fn real() -> Self {
        Self {
            sync_volume: |folder| Ok(rustix::fs::syncfs(folder)?),
            sync_file: File::sync_all,
            link: |folder, part, name| rustix::fs::linkat(folder, part, folder, name, AtFlags::empty()),
        }
    }
}

/// Decides between one sync for all and one for each.
struct Syncing {
    /// Whether a sync of the volume says what could not be written: Linux before 5.8 does not.
    is_told: bool,
    alone_until: Option<Instant>,
}

impl Syncing {
    fn new() -> Self {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Self { is_told: version(&release) >= Some((5, 8)), alone_until: None }
    }

    /// Makes `files` durable and returns those that are. The others have been told why, and their names are gone.
    fn all(&mut self, doors: &Doors, folder: &File, files: Vec<Begun>) -> Vec<Begun> {
        let is_alone = self.alone_until.is_some_and(|until| Instant::now() < until);
        if files.len() >= TOGETHER && self.is_told && !is_alone {
            let begun = Instant::now();
            let synced = (doors.sync_volume)(folder);
            if begun.elapsed() > PATIENCE {
                self.alone_until = Some(Instant::now() + ALONE_FOR);
            }
            if synced.is_ok() {
                return files;
            }
            // Which of them it was, or whether it was somebody else's, only each file can say.
        }
        let mut durable = Vec::with_capacity(files.len());
        for it in files {
            match (doors.sync_file)(&it.file) {
                Ok(()) => durable.push(it),
                Err(error) => {
                    let _ = rustix::fs::unlinkat(folder, &*it.part, AtFlags::empty());
                    let is_missing = part::is_sync_missing(&error);
                    let failure = || Failure::of_disk(&error, "making the file durable");
                    tell(it.answer, if is_missing { Ok(Landed::Unsuited) } else { Err(failure()) });
                }
            }
        }
        durable
    }
}

/// The first two numbers of a kernel's release, such as `6.1.0-13-amd64`.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|letter: char| !letter.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn desk(doors: Doors) -> Desk {
        let syncing = Syncing { is_told: true, alone_until: None };
        Desk { index: Arc::default(), leaving: Arc::default(), landed: HashMap::new(), left: HashSet::new(), syncing, doors }
    }

    fn landing(folder: &Path, number: u128, name: &str, bytes: &[u8]) -> Landing {
        let guid = Guid(Uuid::from_u128(number << 96));
        let pieces = bytes.chunks(4).map(Bytes::copy_from_slice).collect();
        Landing { guid, folder: folder.to_owned(), name: name.to_owned(), pieces, origin: "http://example.org/".parse().unwrap() }
    }

    type Answered = oneshot::Receiver<Result<Landed, Failure>>;

    fn land(desk: &mut Desk, folder: &Path, landings: Vec<Landing>) -> Vec<Answered> {
        let asked = landings.into_iter().map(|landing| {
            let (answer, answered) = oneshot::channel();
            ((landing, answer), answered)
        });
        let (files, answers): (Vec<_>, Vec<_>) = asked.unzip();
        desk.land(folder, files);
        answers
    }

    fn path(mut answered: Answered) -> PathBuf {
        match answered.try_recv().unwrap() {
            Ok(Landed::At(path)) => path,
            other => panic!("{other:?}"),
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_second_name_that_could_not_be_removed_is_known_until_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let mut desk = desk(Doors::real());
        let landing = landing(folder.path(), 7, "a.bin", b"twelve bytes");
        let (guid, part) = (landing.guid, folder.path().join(landing.part()));
        assert!(desk.index.find(guid, folder.path()).unwrap().is_none(), "the folder was read");
        land(&mut desk, folder.path(), vec![landing]);
        // No file is removed in its place: a folder stands there.
        std::fs::remove_file(&part).unwrap();
        std::fs::create_dir(&part).unwrap();
        for _ in 0..2 {
            desk.forget(guid, folder.path());
            assert!(desk.left.contains(&guid));
        }
        std::fs::remove_dir(&part).unwrap();
        std::fs::hard_link(folder.path().join("a.bin"), &part).unwrap();
        desk.forget(guid, folder.path());
        assert!(desk.left.is_empty() && names(folder.path()) == ["a.bin"]);
    }

    #[test]
    fn each_has_its_bytes_under_a_name_of_its_own_and_one_name_more_until_it_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.bin"), "mine").unwrap();
        // What an earlier run left behind.
        std::fs::write(folder.path().join(filename::partial("b.bin", "00000003")), "old and longer").unwrap();
        let mut desk = desk(Doors::real());
        let (first, second, third) = (b"the first".as_slice(), b"".as_slice(), b"the third".as_slice());
        let landings = vec![
            landing(folder.path(), 1, "a.bin", first),
            landing(folder.path(), 2, "a.bin", second),
            landing(folder.path(), 3, "b.bin", third),
        ];
        let guids: Vec<_> = landings.iter().map(|landing| landing.guid).collect();
        let placed: Vec<_> = land(&mut desk, folder.path(), landings).into_iter().map(path).collect();
        let expected = [("a (1).bin", first), ("a (2).bin", second), ("b.bin", third)];
        for ((name, bytes), placed) in expected.iter().zip(&placed) {
            assert_eq!(*placed, folder.path().join(name));
            assert_eq!(std::fs::read(placed).unwrap(), *bytes);
        }
        assert_eq!(std::fs::read(folder.path().join("a.bin")).unwrap(), b"mine");
        let found = crate::survey::survey(folder.path()).unwrap();
        assert_eq!(found.iter().filter_map(|found| found.placed.clone()).collect::<Vec<_>>(), placed);
        guids.into_iter().for_each(|guid| desk.forget(guid, folder.path()));
        assert_eq!(names(folder.path()), ["a (1).bin", "a (2).bin", "a.bin", "b.bin"]);
    }

    #[test]
    fn a_file_whose_sync_fails_fails_alone_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut desk = desk(Doors {
            sync_volume: |_| Err(io::ErrorKind::Other.into()),
            sync_file: |file| match file.metadata()?.len() {
                7 => Err(io::ErrorKind::StorageFull.into()),
                _ => Ok(()),
            },
            ..Doors::real()
        });
        let bytes = |number: u128| if number == 3 { b"failing".as_slice() } else { b"sound" };
        let landings = (1..=6).map(|number| landing(folder.path(), number, &number.to_string(), bytes(number))).collect();
        for (number, mut answered) in (1..).zip(land(&mut desk, folder.path(), landings)) {
            match answered.try_recv().unwrap() {
                Ok(Landed::At(path)) => assert_eq!(path, folder.path().join(number.to_string())),
                Err(failure) => assert_eq!((number, failure.kind), (3, FailureKind::DiskFull)),
                other => panic!("{other:?}"),
            }
        }
        assert!(!names(folder.path()).iter().any(|name| name.starts_with('3')));
        assert_eq!(names(folder.path()).len(), 10);
    }

    #[test]
    fn few_are_synced_one_by_one_and_many_with_one_call() {
        let folder = tempfile::tempdir().unwrap();
        let never = |_: &File| -> io::Result<()> { unreachable!("it is not to be asked") };
        let some = |count: usize| (1..=count as u128).map(|number| landing(folder.path(), number, "x", b"y")).collect();
        let mut together = desk(Doors { sync_file: never, ..Doors::real() });
        land(&mut together, folder.path(), some(TOGETHER)).into_iter().for_each(|answered| drop(path(answered)));
        let mut alone = desk(Doors { sync_volume: never, ..Doors::real() });
        land(&mut alone, folder.path(), some(TOGETHER - 1)).into_iter().for_each(|answered| drop(path(answered)));
        let mut busy = desk(Doors { sync_volume: never, ..Doors::real() });
        busy.syncing.alone_until = Some(Instant::now() + ALONE_FOR);
        land(&mut busy, folder.path(), some(TOGETHER)).into_iter().for_each(|answered| drop(path(answered)));
    }

    /// A disk that takes names which differ by case for one.
    fn link_whatever_the_case(folder: &File, part: &str, name: &str) -> Result<(), Errno> {
        let entries = rustix::fs::Dir::read_from(folder)?;
        let mut names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().to_lowercase());
        match names.any(|there| there == name.to_lowercase()) {
            true => Err(Errno::EXIST),
            false => (Doors::real().link)(folder, part, name),
        }
    }

    #[test]
    fn where_the_disk_takes_two_names_for_one_it_says_so_and_the_next_number_is_tried() {
        let folder = tempfile::tempdir().unwrap();
        let mut desk = desk(Doors { link: link_whatever_the_case, ..Doors::real() });
        let names = ["A.bin", "a.bin", "a.BIN"].iter().zip(1..);
        let landings = names.map(|(name, number)| landing(folder.path(), number, name, b"bytes")).collect();
        let placed: Vec<_> = land(&mut desk, folder.path(), landings).into_iter().map(path).collect();
        assert_eq!(placed, ["A.bin", "a (1).bin", "a (2).BIN"].map(|name| folder.path().join(name)));
    }

    #[test]
    fn a_folder_without_links_is_left_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let mut desk = desk(Doors { link: |_, _, _| Err(Errno::PERM), ..Doors::real() });
        let mut answers = land(&mut desk, folder.path(), vec![landing(folder.path(), 1, "a.bin", b"bytes")]);
        assert!(matches!(answers.remove(0).try_recv().unwrap(), Ok(Landed::Unsuited)));
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn a_folder_that_is_gone_fails_its_files_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        let mut desk = desk(Doors::real());
        let mut answers = land(&mut desk, &gone, vec![landing(&gone, 1, "a.bin", b"bytes")]);
        assert_eq!(answers.remove(0).try_recv().unwrap().unwrap_err().kind, FailureKind::Target);
        let answers = land(&mut desk, folder.path(), vec![landing(folder.path(), 2, "a.bin", b"bytes")]);
        assert_eq!(answers.into_iter().map(path).collect::<Vec<_>>(), [folder.path().join("a.bin")]);
    }

    #[test]
    fn a_release_is_read_by_its_first_two_numbers() {
        assert_eq!(version("6.1.0-13-amd64"), Some((6, 1)));
        assert_eq!(version("5.15"), Some((5, 15)));
        assert_eq!(version("unknown"), None);
    }
}
