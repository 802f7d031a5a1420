//! Links, one a line, out of a file or from stdin: read a set at a time, so that a list may be longer than memory. What is
//! no link is found here, and told with the number of its line. Asks no engine.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    mem,
    path::Path,
    thread,
};

use ashore_engine::{Trouble, check_link};
use ashore_rpc::Failure;
use tokio::sync::mpsc;

use crate::problem::Problem;

/// A longer line is no link, and is not held in memory.
const LONGEST_LINE: u64 = 1 << 20;
/// So many lines that are no links are told by their number.
const TOLD: usize = 10;

/// How much one set may hold.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Links.
    pub links: usize,
    /// Bytes of them, and of what goes along with each.
    pub bytes: usize,
    /// Bytes that go along with each.
    pub beside: usize,
}

/// Links that belong together.
#[derive(Debug, PartialEq, Eq)]
pub struct Set {
    /// The links, in order.
    pub links: Vec<String>,
    /// How many came before them.
    pub before: usize,
    /// The number of the line that the last of them is on.
    pub line: u64,
}

/// The sets of a list. A thread of its own reads one ahead, and no further.
#[derive(Debug)]
pub struct Sets {
    sets: mpsc::Receiver<Result<Set, Problem>>,
    again: Option<Result<Set, Problem>>,
}

impl Sets {
    /// `typed`, and what is in `input` after them.
    ///
    /// Fails with a usage problem when `input` cannot be opened.
    pub fn open(typed: Vec<String>, input: &Path, bounds: Bounds) -> Result<Self, Problem> {
        let mut lists = Lists::open(typed, input)?;
        let (into, sets) = mpsc::channel(1);
        thread::spawn(move || {
            while let Some(set) = lists.next(bounds).transpose() {
                let is_last = set.is_err();
                if into.blocking_send(set).is_err() || is_last {
                    break;
                }
            }
        });
        Ok(Self { sets, again: None })
    }

    /// The next set; a problem is the last thing.
    pub async fn next(&mut self) -> Option<Result<Set, Problem>> {
        match self.again.take() {
            Some(set) => Some(set),
            None => self.sets.recv().await,
        }
    }

    /// The same, where it is there already.
    pub fn ready(&mut self) -> Option<Result<Set, Problem>> {
        self.again.take().or_else(|| self.sets.try_recv().ok())
    }

    /// Whether there is another one.
    pub async fn is_more(&mut self) -> bool {
        self.again = self.next().await;
        self.again.is_some()
    }
}

/// Everything: `typed`, and what is in `input` after them.
///
/// Fails with a usage problem when `input` cannot be read, and refuses a line that is no link.
pub fn all(typed: Vec<String>, input: &Path) -> Result<Vec<String>, Problem> {
    let endless = Bounds { links: usize::MAX, bytes: usize::MAX, beside: 0 };
    Ok(Lists::open(typed, input)?.next(endless)?.map(|set| set.links).unwrap_or_default())
}

/// How a list is called in sentences.
pub fn name(input: &Path) -> String {
    if input == Path::new("-") { "stdin".to_owned() } else { input.display().to_string() }
}

struct Lists<R> {
    reader: R,
    name: String,
    /// Of the line that was read last.
    number: u64,
    line: Vec<u8>,
    /// What was read and belongs to the next set.
    held: Vec<String>,
    count: usize,
}

impl Lists<Box<dyn BufRead + Send>> {
    fn open(typed: Vec<String>, input: &Path) -> Result<Self, Problem> {
        let reader: Box<dyn BufRead + Send> = match input == Path::new("-") {
            true => Box::new(BufReader::new(io::stdin())),
            false => Box::new(BufReader::with_capacity(1 << 16, File::open(input).map_err(|error| unreadable(&name(input), &error))?)),
        };
        Ok(Self::new(typed, reader, name(input)))
    }
}

impl<R: BufRead> Lists<R> {
    fn new(typed: Vec<String>, reader: R, name: String) -> Self {
        Self { reader, name, number: 0, line: Vec::new(), held: typed, count: 0 }
    }

    /// The next set; whole lines, and at least one where there is one.
    fn next(&mut self, bounds: Bounds) -> Result<Option<Set>, Problem> {
        let mut links = mem::take(&mut self.held);
        let weight = |link: &String| link.len() + bounds.beside;
        let mut bytes: usize = links.iter().map(weight).sum();
        let mut line = self.number;
        while links.len() < bounds.links {
            let Some(link) = self.link()? else { break };
            bytes += weight(&link);
            if bytes > bounds.bytes && !links.is_empty() {
                self.held.push(link);
                break;
            }
            line = self.number;
            links.push(link);
        }
        let before = self.count;
        self.count += links.len();
        Ok((!links.is_empty()).then_some(Set { links, before, line }))
    }

    fn link(&mut self) -> Result<Option<String>, Problem> {
        loop {
            match self.read()? {
                None => return Ok(None),
                Some(Ok(None)) => {}
                Some(Ok(Some(link))) => return Ok(Some(link)),
                Some(Err(why)) => return Err(self.wrong(why)),
            }
        }
    }

    /// The next line, where there is one; a link, where it is one.
    fn read(&mut self) -> Result<Option<Result<Option<String>, Trouble>>, Problem> {
        self.line.clear();
        let read = (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut self.line);
        if read.map_err(|error| unreadable(&self.name, &error))? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.line.len() as u64 == LONGEST_LINE && !self.line.ends_with(b"\n") {
            self.reader.skip_until(b'\n').map_err(|error| unreadable(&self.name, &error))?;
            return Ok(Some(Err(trouble(format!("It has more than {LONGEST_LINE} bytes, and no link is that long.")))));
        }
        let start = if self.number == 1 && self.line.starts_with("\u{feff}".as_bytes()) { "\u{feff}".len() } else { 0 };
        let Ok(text) = str::from_utf8(&self.line[start..]) else {
            return Ok(Some(Err(trouble("It is not text in UTF-8.".to_owned()))));
        };
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(Some(Ok(None)));
        }
        Ok(Some(check_link(text).map(|()| Some(text.to_owned())).map_err(|error| error.trouble())))
    }

    /// What is wrong with the line that was read last, and which others are no links either.
    fn wrong(&mut self, why: Trouble) -> Problem {
        let first = self.number;
        let mut others = Vec::new();
        while others.len() < TOLD {
            match self.read() {
                Ok(Some(Err(_))) => others.push(self.number.to_string()),
                Ok(Some(Ok(_))) => {}
                // What cannot be read any further is a lesser problem.
                Ok(None) | Err(_) => break,
            }
        }
        let is_more = others.len() == TOLD;
        let others = match (others.pop(), others.is_empty()) {
            (None, _) => String::new(),
            (Some(_), _) if is_more => format!(" So are lines {} and more.", others.join(", ")),
            (Some(last), true) => format!(" So is line {last}."),
            (Some(last), false) => format!(" So are lines {} and {last}.", others.join(", ")),
        };
        let text = format!("Line {first} of {} is no link for Ashore. {}{others}", self.name, why.text);
        Failure::Refused(Trouble { code: why.code, text }).into()
    }
}

fn trouble(text: String) -> Trouble {
    Trouble { code: "bad-url".to_owned(), text }
}

fn unreadable(name: &str, error: &io::Error) -> Problem {
    Problem::usage("input", format!("The links in {name} cannot be read: {error}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Bounds = Bounds { links: 100, bytes: 10_000, beside: 0 };

    fn lists(text: &[u8]) -> Lists<&[u8]> {
        Lists::new(Vec::new(), text, "links.txt".to_owned())
    }

    fn sets(text: &str, bounds: Bounds) -> Vec<(Vec<String>, usize, u64)> {
        let mut lists = lists(text.as_bytes());
        let mut found = Vec::new();
        while let Some(set) = lists.next(bounds).unwrap() {
            found.push((set.links, set.before, set.line));
        }
        found
    }

    fn refused(text: &[u8]) -> Trouble {
        lists(text).next(ALL).unwrap_err().trouble().unwrap()
    }

    #[test]
    fn links_are_one_a_line() {
        let text = "\u{feff}https://a/\r\n\n  # no\n\thttps://b/#part  \n#https://c/";
        let both = ["https://a/", "https://b/#part"].map(str::to_owned).to_vec();
        assert_eq!(sets(text, ALL), [(both, 0, 4)]);
        assert_eq!(sets("", ALL), []);
        assert_eq!(sets("\n# nothing\n", ALL), []);
    }

    #[test]
    fn what_is_more_than_a_set_is_another_one_in_order_and_none_is_lost_or_cut() {
        let text: String = (0..7).map(|number| format!("http://a/{number}\n\n")).collect();
        let found = sets(&text, Bounds { links: 3, ..ALL });
        let links: Vec<String> = found.iter().flat_map(|set| set.0.clone()).collect();
        assert_eq!(links, (0..7).map(|number| format!("http://a/{number}")).collect::<Vec<_>>());
        assert_eq!(found.iter().map(|set| (set.0.len(), set.1, set.2)).collect::<Vec<_>>(), [(3, 0, 5), (3, 3, 11), (1, 6, 13)]);
        let by_bytes = sets(&text, Bounds { bytes: 40, beside: 9, ..ALL });
        assert_eq!(by_bytes.iter().map(|set| (set.0.len(), set.1, set.2)).collect::<Vec<_>>(), [(2, 0, 3), (2, 2, 7), (2, 4, 11), (1, 6, 13)]);
        assert_eq!(sets(&text, Bounds { bytes: 1, ..ALL }).len(), 7, "one that is too long stands alone");
    }

    #[test]
    fn what_was_typed_comes_first() {
        let mut lists = Lists::new(vec!["http://t/".to_owned()], &b"http://a/"[..], String::new());
        assert_eq!(lists.next(ALL).unwrap().unwrap().links, ["http://t/", "http://a/"]);
        assert_eq!(lists.next(ALL).unwrap(), None);
    }

    #[test]
    fn what_is_no_link_is_told_with_its_line_and_that_of_others() {
        let one = refused(b"http://a/\n\nftp://b/\nhttp://c/\n");
        assert_eq!(one.code, "bad-scheme");
        assert!(one.text.starts_with("Line 3 of links.txt is no link for Ashore. ") && one.text.ends_with("neither."), "{one:?}");
        assert!(refused(b"x\ny\n").text.ends_with(" So is line 2."));
        assert!(refused(b"x\nhttp://a/\ny\nz").text.ends_with(" So are lines 3 and 4."));
        assert!(refused(&b"x\n".repeat(30)).text.ends_with(" So are lines 2, 3, 4, 5, 6, 7, 8, 9, 10 and more."));
    }

    #[test]
    fn what_is_no_text_or_has_no_end_is_no_link() {
        assert!(refused(b"\xff\xfe\n").text.contains("UTF-8"));
        let endless = [vec![b'x'; 2 * usize::try_from(LONGEST_LINE).unwrap()], b"\nx".to_vec()].concat();
        let told = refused(&endless).text;
        assert!(told.contains("more than") && told.ends_with(" So is line 2."), "{told}");
    }

    #[tokio::test]
    async fn a_set_is_read_ahead_and_a_problem_comes_last() {
        let list = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(list.path(), "http://a/\nhttp://b/\nx\nhttp://c/\n").unwrap();
        let mut sets = Sets::open(Vec::new(), list.path(), Bounds { links: 1, ..ALL }).unwrap();
        assert!(sets.is_more().await);
        assert_eq!(sets.next().await.unwrap().unwrap().links, ["http://a/"]);
        assert_eq!(sets.next().await.unwrap().unwrap().line, 2);
        assert_eq!(sets.next().await.unwrap().unwrap_err().code(), 4);
        assert!(sets.next().await.is_none() && !sets.is_more().await);
        assert_eq!(Sets::open(Vec::new(), Path::new("/nowhere"), ALL).unwrap_err().code(), 2);
        assert_eq!(all(Vec::new(), std::env::temp_dir().as_path()).unwrap_err().code(), 2, "a folder");
    }
}
