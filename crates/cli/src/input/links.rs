//! Reads links from a file or stdin, one per line. Reads in batches, because a list may be larger than memory.
//!
//! Does not connect to an engine.
//!
//! - A line that is not a link is left out and reported with its number.
//! - A list without any link is refused.

use std::{
    collections::HashSet,
    fs::File,
    io::{self, BufRead, BufReader, Cursor},
    mem,
    path::Path,
    thread,
};

use ashore_engine::{NewRequest, UserMessage, list_option, plain_text, understand_listed};
use ashore_messages::message;
use tokio::sync::mpsc;

use crate::{
    limited_input::read_bytes,
    output::{problem::CliProblem, words::sentence},
};

/// Maximum length of a line in bytes. A longer line is not a link, and its text is dropped.
const LONGEST_LINE: u64 = 1 << 20;
/// Maximum number of line numbers in the message about invalid lines.
const TOLD: usize = 10;
/// Maximum size of a UTF-16 list in bytes. The rest of a longer list is ignored.
const LONGEST_WIDE: u64 = 64 << 20;

/// Maximum size of one batch of links.
#[derive(Clone, Copy, Debug)]
pub struct LinkLimits {
    /// Maximum number of links.
    pub links: usize,
    /// Maximum total size of the links and their additional data, in bytes.
    pub bytes: usize,
    /// Number of bytes that each link counts in addition to its text and its data.
    pub beside: usize,
}

/// Batch of links that are added together.
#[derive(Debug)]
pub struct LinkSet {
    /// Links in order, each with its options from the list.
    pub links: Vec<NewRequest>,
    /// Number of links in all earlier batches.
    pub before: usize,
    /// Line number of the last link in the batch.
    pub line: u64,
    /// Message about lines of the list that are not links.
    pub left_out: Option<String>,
}

/// Batches of a list of links. A separate thread reads at most one batch ahead.
#[derive(Debug)]
pub struct LinkSets {
    sets: mpsc::Receiver<Result<LinkSet, CliProblem>>,
    again: Option<Result<LinkSet, CliProblem>>,
}

impl LinkSets {
    /// Starts to read the links in `typed` and then those in `input`.
    ///
    /// Fails with a usage problem if `input` cannot be opened.
    pub fn open(typed: Vec<String>, input: &Path, bounds: LinkLimits) -> Result<Self, CliProblem> {
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

    /// Returns the next batch. After a problem, there are no more batches.
    pub async fn next(&mut self) -> Option<Result<LinkSet, CliProblem>> {
        match self.again.take() {
            Some(set) => Some(set),
            None => self.sets.recv().await,
        }
    }

    /// Returns the next batch if it has already been read.
    pub fn ready(&mut self) -> Option<Result<LinkSet, CliProblem>> {
        self.again.take().or_else(|| self.sets.try_recv().ok())
    }

    /// Waits for the next batch. Returns false if there is none.
    pub async fn is_more(&mut self) -> bool {
        self.again = self.next().await;
        self.again.is_some()
    }
}

/// Returns the links of `typed` and of `input`, and a message about the lines that are not links.
///
/// Fails with a usage problem if `input` cannot be read, and refuses a list without any link.
pub fn all(typed: Vec<String>, input: &Path) -> Result<(Vec<NewRequest>, Option<String>), CliProblem> {
    let endless = LinkLimits { links: usize::MAX, bytes: usize::MAX, beside: 0 };
    Ok(Lists::open(typed, input)?.next(endless)?.map(|set| (set.links, set.left_out)).unwrap_or_default())
}

/// Returns the name of a list for use in sentences.
pub fn name(input: &Path) -> String {
    if input == Path::new("-") { "stdin".to_owned() } else { input.display().to_string() }
}

struct Lists<R> {
    reader: R,
    name: String,
    /// Number of the last line that was read.
    number: u64,
    line: Vec<u8>,
    /// Links that are already read but belong to the next batch.
    held: Vec<NewRequest>,
    /// Whether any link was found, among the arguments or in the list.
    has_found: bool,
    /// Invalid lines: the line numbers of the first few, the total number, and the reason for the first one.
    wrong: Option<(Vec<u64>, usize, UserMessage)>,
    count: usize,
}

impl Lists<Box<dyn BufRead + Send>> {
    fn open(typed: Vec<String>, input: &Path) -> Result<Self, CliProblem> {
        let refuse = |error: io::Error| unreadable(&name(input), &error);
        let reader: Box<dyn BufRead + Send> = match input == Path::new("-") {
            true => with_its_encoding(BufReader::new(io::stdin())).map_err(refuse)?,
            false => with_its_encoding(BufReader::with_capacity(1 << 16, File::open(input).map_err(refuse)?)).map_err(refuse)?,
        };
        Ok(Self::new(typed, reader, name(input)))
    }
}

/// Returns a reader of UTF-8. If the input begins with a UTF-16 byte order mark, the returned reader decodes it.
/// Otherwise, returns `reader` itself.
fn with_its_encoding(mut reader: impl BufRead + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let is_wide = matches!(reader.fill_buf()?, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    if !is_wide {
        return Ok(Box::new(reader));
    }
    let bytes = read_bytes(reader, LONGEST_WIDE)?;
    Ok(Box::new(Cursor::new(plain_text(&bytes).into_owned().into_bytes())))
}

impl<R: BufRead> Lists<R> {
    fn new(typed: Vec<String>, reader: R, name: String) -> Self {
        let held: Vec<_> = typed.into_iter().map(|url| NewRequest { url, ..NewRequest::default() }).collect();
        let has_found = !held.is_empty();
        Self { reader, name, number: 0, line: Vec::new(), held, has_found, wrong: None, count: 0 }
    }

    /// Returns the next batch, with a message about the invalid lines since the previous batch.
    ///
    /// Returns an empty batch only at the end of the list. Duplicate links in a batch count once.
    fn next(&mut self, bounds: LinkLimits) -> Result<Option<LinkSet>, CliProblem> {
        let mut links = mem::take(&mut self.held);
        let weight = |link: &NewRequest| {
            let more = link.mirrors.iter().map(String::len).sum::<usize>()
                + link.headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
            link.url.len() + more + bounds.beside
        };
        let mut seen: HashSet<String> = links.iter().map(|link| link.url.clone()).collect();
        let mut bytes: usize = links.iter().map(weight).sum();
        let mut line = self.number;
        // Number of links on the last line with links. The option lines that follow apply to these links.
        let mut last = 0;
        while links.len() < bounds.links && self.held.is_empty() {
            let Some(read) = self.read()? else { break };
            match read {
                Line::Option => {
                    let text = String::from_utf8_lossy(&self.line).into_owned();
                    if let Some(option) = list_option(&text) {
                        links.iter_mut().rev().take(last).for_each(|link| option.apply(link));
                    }
                }
                Line::Wrong(why) => {
                    last = 0;
                    let (told, count, _) = self.wrong.get_or_insert_with(|| (Vec::new(), 0, why));
                    *count += 1;
                    if told.len() < TOLD {
                        told.push(self.number);
                    }
                }
                Line::Links(found) => {
                    self.has_found |= !found.is_empty();
                    last = 0;
                    for link in found {
                        if !seen.insert(link.url.clone()) {
                            continue;
                        }
                        bytes += weight(&link);
                        let is_full = links.len() == bounds.links || bytes > bounds.bytes && !links.is_empty();
                        if is_full || !self.held.is_empty() {
                            self.held.push(link);
                            continue;
                        }
                        line = self.number;
                        last += 1;
                        links.push(link);
                    }
                }
            }
        }
        let left_out = self.wrong.take();
        if !self.has_found
            && let Some((told, count, why)) = left_out
        {
            let lines = self.lines_without_link(&told, count, why.clone());
            return Err(CliProblem::NoLinks { first: why, lines: Box::new(lines) });
        }
        let left_out = left_out.map(|(told, count, why)| {
            let lines = self.lines_without_link(&told, count, why);
            format!("{} {}", sentence(&lines), sentence(&message!("bad-list.left-out")))
        });
        let before = self.count;
        self.count += links.len();
        Ok((!links.is_empty() || left_out.is_some()).then_some(LinkSet { links, before, line, left_out }))
    }

    /// Reads the next line; `None` at the end of the list.
    fn read(&mut self) -> Result<Option<Line>, CliProblem> {
        self.line.clear();
        let is_long = match self.line_end() {
            Ok(Some(is_long)) => is_long,
            Ok(None) => return Ok(None),
            Err(error) => return Err(unreadable(&self.name, &error)),
        };
        self.number += 1;
        if is_long {
            return Ok(Some(Line::Wrong(message!("bad-url.line", most = LONGEST_LINE))));
        }
        let text = plain_text(&self.line);
        if list_option(&text).is_some() {
            return Ok(Some(Line::Option));
        }
        Ok(Some(match understand_listed(&text) {
            Ok(found) => Line::Links(found),
            Err(why) => Line::Wrong(why),
        }))
    }

    /// Reads up to any kind of line end. Returns true if the line is too long; `None` at the end of the list.
    fn line_end(&mut self) -> io::Result<Option<bool>> {
        let (mut has_read, mut is_long) = (false, false);
        loop {
            let held = self.reader.fill_buf()?;
            if held.is_empty() {
                return Ok(has_read.then_some(is_long));
            }
            has_read = true;
            let end = held.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &held[..end.unwrap_or(held.len())];
            is_long |= (self.line.len() + part.len()) as u64 > LONGEST_LINE;
            if !is_long {
                self.line.extend_from_slice(part);
            }
            let is_return = end.is_some_and(|end| held[end] == b'\r');
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if is_return && self.reader.fill_buf()?.first() == Some(&b'\n') {
                self.reader.consume(1);
            }
            if end.is_some() {
                return Ok(Some(is_long));
            }
        }
    }

    /// Returns the message about invalid lines: the reason `why` for the first line, and the numbers of the other
    /// lines.
    fn lines_without_link(&self, told: &[u64], count: usize, why: UserMessage) -> UserMessage {
        let mut numbers = told.iter().map(u64::to_string);
        let (line, list) = (numbers.next().unwrap_or_default(), &self.name);
        let others = numbers.collect::<Vec<_>>().join(", ");
        match told.len() {
            ..=1 => message!("bad-list.line", line = line, list = list, why = why),
            2 => message!("bad-list.two", line = line, list = list, why = why, other = others),
            shown if shown == count => message!("bad-list.lines", line = line, list = list, why = why, others = others),
            _ => message!("bad-list.many", line = line, list = list, why = why, others = others),
        }
    }
}

/// Kind of a line in a list.
enum Line {
    /// Links of the line; empty if the line is blank or a comment.
    Links(Vec<NewRequest>),
    /// Line that sets an option for the links of the previous line.
    Option,
    Wrong(UserMessage),
}

fn unreadable(name: &str, error: &io::Error) -> CliProblem {
    CliProblem::Usage(message!("input.links", list = name, why = error))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: LinkLimits = LinkLimits { links: 100, bytes: 10_000, beside: 0 };

    fn lists(text: &[u8]) -> Lists<&[u8]> {
        Lists::new(Vec::new(), text, "links.txt".to_owned())
    }

    fn sets(text: &str, bounds: LinkLimits) -> Vec<(Vec<String>, usize, u64)> {
        let mut lists = lists(text.as_bytes());
        let mut found = Vec::new();
        while let Some(set) = lists.next(bounds).unwrap() {
            found.push((set.links.into_iter().map(|link| link.url).collect(), set.before, set.line));
        }
        found
    }

    fn refused(text: &[u8]) -> UserMessage {
        lists(text).next(ALL).unwrap_err().message().unwrap()
    }

    #[test]
    fn links_are_read_one_per_line() {
        let text = "\u{feff}https://a/\r\n\n  # no\n\thttps://b/#part  \n#https://c/";
        let both = ["https://a/", "https://b/#part"].map(str::to_owned).to_vec();
        assert_eq!(sets(text, ALL), [(both, 0, 4)]);
        assert_eq!(sets("", ALL), []);
        assert_eq!(sets("\n# nothing\n", ALL), []);
    }

    #[test]
    fn list_is_split_into_batches_in_order_without_loss() {
        let text: String = (0..7).map(|number| format!("http://a/{number}\n\n")).collect();
        let found = sets(&text, LinkLimits { links: 3, ..ALL });
        let links: Vec<String> = found.iter().flat_map(|set| set.0.clone()).collect();
        assert_eq!(links, (0..7).map(|number| format!("http://a/{number}")).collect::<Vec<_>>());
        assert_eq!(found.iter().map(|set| (set.0.len(), set.1, set.2)).collect::<Vec<_>>(), [(3, 0, 5), (3, 3, 11), (1, 6, 13)]);
        let by_bytes = sets(&text, LinkLimits { bytes: 40, beside: 9, ..ALL });
        assert_eq!(
            by_bytes.iter().map(|set| (set.0.len(), set.1, set.2)).collect::<Vec<_>>(),
            [(2, 0, 3), (2, 2, 7), (2, 4, 11), (1, 6, 13)]
        );
        assert_eq!(sets(&text, LinkLimits { bytes: 1, ..ALL }).len(), 7, "a link longer than the limit is a set of its own");
    }

    #[test]
    fn links_on_command_line_precede_links_from_list() {
        let mut lists = Lists::new(vec!["http://t/".to_owned()], &b"http://a.test/"[..], String::new());
        let links: Vec<String> = lists.next(ALL).unwrap().unwrap().links.into_iter().map(|link| link.url).collect();
        assert_eq!(links, ["http://t/", "http://a.test/"]);
        assert!(lists.next(ALL).unwrap().is_none());
    }

    #[test]
    fn invalid_lines_are_reported_and_valid_lines_are_kept() {
        let left_out = |text: &[u8]| {
            let set = lists(text).next(ALL).unwrap().unwrap();
            (set.links.len(), set.left_out.unwrap_or_default())
        };
        let (count, told) = left_out(b"http://a/\n\nftp://b/\nhttp://c/\n");
        assert!(
            count == 2 && told.starts_with("Line 3 of links.txt is not a valid link") && told.ends_with("skipped."),
            "{told}"
        );
        assert!(
            left_out(b"http://a/\nwords\nmagnet:?xt=1\n").1.contains("Line 2 ")
                && left_out(b"http://a/\nx\ny\n").1.contains(" Line 3 is not valid either.")
        );
        assert_eq!(left_out(b"http://a/\n# none\n").1, "");
    }

    #[test]
    fn list_without_links_is_refused_with_line_numbers() {
        let one = refused(b"\n\nftp://b/\n");
        assert_eq!(one.code, "other-scheme");
        assert!(one.text.starts_with("Line 3 of links.txt is not a valid link"), "{one:?}");
        assert!(refused(b"x\ny\n").text.ends_with(" Line 2 is not valid either."));
        assert!(refused(b"x\n\ny\nz").text.ends_with(" Lines 3, 4 are not valid either."));
        assert!(refused(&b"x\n".repeat(30)).text.ends_with(" Lines 2, 3, 4, 5, 6, 7, 8, 9, 10 and others are not valid either."));
        let endless = [vec![b'x'; 2 * usize::try_from(LONGEST_LINE).unwrap()], b"\nx".to_vec()].concat();
        let told = refused(&endless).text;
        assert!(told.contains("more than") && told.ends_with(" Line 2 is not valid either."), "{told}");
    }

    #[test]
    fn list_is_read_in_any_encoding_and_with_any_line_ending() {
        assert_eq!(sets("http://a/\rhttp://b/\r\n\rhttp://c/", ALL)[0].0.len(), 3);
        assert_eq!(sets("http://a/\rhttp://b/\r", ALL)[0].2, 2);
        assert_eq!(
            sets("http://a/1.zip http://a/2.zip\n- <http://a/3.zip>,\nhttp://a/1.zip\n", ALL)[0].0.len(),
            3,
            "twice is once"
        );
        let set =
            lists(b"http://a/1.zip\thttp://b/1.zip\n  out=one.zip\n  dir=/tmp\nhttp://a/2.zip\n").next(ALL).unwrap().unwrap();
        assert_eq!(
            (set.links[0].name.as_deref(), set.links[0].mirrors.as_slice()),
            (Some("one.zip"), &["http://b/1.zip".to_owned()][..])
        );
        assert_eq!((set.links[1].name.as_deref(), set.links.len()), (None, 2));
        let wide: Vec<u8> = "\u{feff}http://a/\r\nhttp://b/\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let list = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(list.path(), wide).unwrap();
        assert_eq!(all(Vec::new(), list.path()).unwrap().0.len(), 2);
        assert_eq!(sets("\u{feff}http://a/\u{200b}\n", ALL)[0].0, ["http://a/"]);
        let latin = lists(b"http://a/Ger\xe4t.zip\n").next(ALL).unwrap().unwrap();
        assert_eq!(latin.links[0].url, "http://a/Ger\u{e4}t.zip");
    }

    #[tokio::test]
    async fn batches_of_links_are_read_ahead_until_a_problem_occurs() {
        let list = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(list.path(), "http://a/\nhttp://b/\nx\nhttp://c/\n").unwrap();
        let mut sets = LinkSets::open(Vec::new(), list.path(), LinkLimits { links: 1, ..ALL }).unwrap();
        assert!(sets.is_more().await);
        assert_eq!(sets.next().await.unwrap().unwrap().links[0].url, "http://a/");
        assert_eq!(sets.next().await.unwrap().unwrap().line, 2);
        assert!(sets.next().await.unwrap().unwrap().left_out.unwrap().contains("Line 3"));
        assert!(sets.next().await.is_none() && !sets.is_more().await);
        assert_eq!(LinkSets::open(Vec::new(), Path::new("/nowhere"), ALL).unwrap_err().code(), 2);
        assert_eq!(all(Vec::new(), std::env::temp_dir().as_path()).unwrap_err().code(), 2, "a folder");
    }
}
