//! Builds registrations from the arguments, with absolute paths of folders.
//!
//! Reads files, but does not connect to an engine. The links come from `links`, and the commands from `commands`.

use std::{
    env, fs, io,
    path::{Path, PathBuf, absolute},
};

use ashore_engine::{
    ByteSize, FollowUpRule, FollowUpSeries, ImageResource, NewRegistration, NewRequest, QueuePlace, RequestSource,
    RetentionPeriod, from_metalink, link_without_sign_in,
};
use ashore_messages::{MessageArgument, message};
use ashore_terminal::TerminalOutput;

use crate::{
    arguments::{WantedDownload, field},
    connection,
    input::links::{self, LinkLimits, LinkSet, LinkSets},
    limited_input::{read_bytes, read_text},
    output::problem::CliProblem,
};

/// Maximum size of a file with header fields, in bytes.
const LONGEST_FIELDS: u64 = 1 << 20;
/// Maximum size of a Metalink, in bytes. The rest of a longer Metalink is ignored.
const LONGEST_METALINK: u64 = 64 << 20;

/// Maximum number of links per registration. Further links go into another registration.
const MOST_LINKS: usize = 100_000;
/// Maximum total size of the links of a registration, in bytes.
///
/// The links fit into one message to an engine, even if JSON escapes each byte with six bytes.
const MOST_BYTES: usize = 10 << 20;
/// Number of bytes that a link needs in a message, in addition to its text and its headers.
const BESIDE: usize = 16;

/// Returns a single registration for `wanted`, with any number of links.
///
/// Fails with a usage problem if an input cannot be read, if a Metalink is not valid, or if an option for one link is
/// used with several links. Refuses an input without links. Leaves out lines that are not links, and reports them.
pub fn registration(wanted: &WantedDownload, out: TerminalOutput) -> Result<NewRegistration, CliProblem> {
    let asked = match (metalink(wanted)?, &wanted.input) {
        (Some(path), _) => described(path)?,
        (None, Some(input)) => {
            let (links, left_out) = links::all(wanted.urls.clone(), input)?;
            if let Some(left_out) = left_out {
                out.complain(left_out);
            }
            listed(wanted, links)?
        }
        (None, None) if wanted.commanded.is_empty() => listed(wanted, plain(wanted.urls.clone()))?,
        (None, None) => listed(wanted, wanted.commanded.clone())?,
    };
    described_by(wanted, asked, 0)
}

/// Returns the batches of the typed links and of the links in the input; `None` if `wanted` has no input.
///
/// Fails with a usage problem if the input cannot be opened.
pub fn sets(wanted: &WantedDownload) -> Result<Option<LinkSets>, CliProblem> {
    let Some(input) = &wanted.input else { return Ok(None) };
    let own = [&wanted.user_agent, &wanted.referrer].into_iter().flatten().map(|value| value.len() + BESIDE);
    let headers = wanted.headers.iter().map(|(name, value)| name.len() + value.len() + BESIDE);
    let bounds = LinkLimits { links: MOST_LINKS, bytes: MOST_BYTES, beside: BESIDE + own.chain(headers).sum::<usize>() };
    LinkSets::open(wanted.urls.clone(), input, bounds).map(Some)
}

/// Returns the registration for one batch of links.
///
/// Fails with a usage problem if an option for one link is used with several links.
pub fn of_set(wanted: &WantedDownload, set: LinkSet) -> Result<NewRegistration, CliProblem> {
    described_by(wanted, listed(wanted, set.links)?, set.before)
}

/// Adds the typed options to `asked`. `before` is the number of links in all earlier batches.
fn described_by(wanted: &WantedDownload, mut asked: NewRegistration, before: usize) -> Result<NewRegistration, CliProblem> {
    // A sign-in given as an option replaces the sign-ins in the links, as with curl.
    if wanted.user.is_some() || wanted.user_file.is_some() || wanted.sign_in.is_some() {
        asked.requests.iter_mut().for_each(|request| request.url = link_without_sign_in(&request.url));
    }
    if asked.requests.len() > 1 && wanted.output.is_some() {
        return Err(CliProblem::Usage(message!("single.output")));
    }
    let place = |path: &Path| made_absolute(path);
    let mut folder = place(wanted.dir.as_deref().unwrap_or(Path::new(".")))?;
    let mut name = None;
    if let Some(output) = &wanted.output {
        let (above, file) = split(output)?;
        folder = folder.join(above);
        name = Some(file);
    }
    let upload_file = wanted.upload_file.as_deref().map(place).transpose()?;
    let mut headers = fields(wanted)?;
    let said = [("User-Agent", &wanted.user_agent), ("Referer", &wanted.referrer)];
    headers.extend(said.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?))));
    let next = following(wanted, &asked.requests)?;
    let requests = asked.requests.into_iter().enumerate().map(|(index, request)| NewRequest {
        next: next.clone(),
        method: wanted.method.clone(),
        headers: along(request.headers, &headers),
        upload_file: upload_file.clone(),
        name: name.clone().or(request.name.clone()),
        skip_existing: wanted.skip_existing,
        optional: wanted.optional_from.is_some_and(|from| before + index >= from),
        ..request
    });
    Ok(NewRegistration {
        owner: connection::owner().to_owned(),
        source: wanted.source.unwrap_or(RequestSource::CommandLine),
        description: wanted.description.clone(),
        icon: None,
        icons: icons(&wanted.icon)?,
        download_total: wanted.download_total.map_or(0, |ByteSize(bytes)| bytes),
        deliver: wanted.deliver.then_some(true),
        developer_id: wanted.id.clone(),
        title: wanted.title.clone().or(asked.title),
        folder: Some(folder),
        paused: wanted.paused,
        ignore_when_paused: wanted.ignore_when_paused,
        place: place_in_queue(wanted),
        parallel: wanted.at_once,
        connections: None,
        owner_data: None,
        keep_for_seconds: wanted.keep_for.map(RetentionPeriod::seconds),
        takes_files: wanted.takes_files,
        page: None,
        first_url: None,
        requests: requests.collect(),
    })
}

/// Returns the header fields from the arguments and from the named files.
///
/// Fails with a usage problem if a file cannot be read or contains a line that is not a header field.
fn fields(wanted: &WantedDownload) -> Result<Vec<(String, String)>, CliProblem> {
    let mut fields = Vec::new();
    for (name, value) in &wanted.headers {
        if name != "@" {
            fields.push((name.clone(), value.clone()));
            continue;
        }
        let read = match value == "-" {
            true => read_text(io::stdin().lock(), LONGEST_FIELDS),
            false => fs::File::open(value).and_then(|file| read_text(file, LONGEST_FIELDS)),
        };
        let text = read.map_err(|error| CliProblem::Usage(message!("header.unreadable", path = value, why = &error)))?;
        for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1_u32..) {
            if !line.trim().is_empty() {
                // Do not repeat the line in the message, because it may be a secret.
                let parsed = field(line).map_err(|why| {
                    CliProblem::Usage(message!("header.line", line = MessageArgument::display(number), path = value, why = why))
                });
                fields.push(parsed?);
            }
        }
    }
    Ok(fields)
}

/// Returns the rule of `--until` or `--parts` for the requests after the first one.
///
/// Fails with a usage problem if there are several links, or if the link contains no number that could be incremented.
fn following(wanted: &WantedDownload, requests: &[NewRequest]) -> Result<Option<FollowUpRule>, CliProblem> {
    if wanted.until.is_none() && !wanted.parts {
        return Ok(None);
    }
    let [only] = requests else {
        return Err(CliProblem::Usage(message!("single.series")));
    };
    let Some(until) = wanted.until else { return Ok(Some(FollowUpRule::Parts { optional: wanted.optional })) };
    let shown = link_without_sign_in(&only.url);
    let end = only.url.rfind(|letter: char| letter.is_ascii_digit()).map(|at| at + 1);
    let (before, after) = only.url.split_at(end.ok_or_else(|| CliProblem::Usage(message!("until.no-number", url = &shown)))?);
    let start = before.rfind(|letter: char| !letter.is_ascii_digit()).map_or(0, |at| at + 1);
    let (before, digits) = before.split_at(start);
    let number: u64 = digits.parse().map_err(|_| CliProblem::Usage(message!("until.long", url = &shown)))?;
    if until <= number {
        return Err(CliProblem::Usage(message!("until.small", url = &shown, least = number.to_string())));
    }
    let width = if digits.starts_with('0') { u8::try_from(digits.len()).unwrap_or(u8::MAX) } else { 0 };
    let url = format!("{before}{{}}{after}");
    Ok(Some(FollowUpRule::Series(FollowUpSeries {
        url,
        number: number + 1,
        until,
        width,
        skip_existing: wanted.skip_existing,
        ..FollowUpSeries::default()
    })))
}

/// Returns the queue position that the options choose.
fn place_in_queue(wanted: &WantedDownload) -> Option<QueuePlace> {
    let said = [(wanted.now, QueuePlace::Now), (wanted.first, QueuePlace::Top), (wanted.last, QueuePlace::Bottom)];
    said.into_iter().find_map(|(is_said, place)| is_said.then_some(place))
}

/// Returns the only argument, if it is the id of a listed download.
pub fn existing(wanted: &WantedDownload) -> Option<&str> {
    match (wanted.urls.as_slice(), &wanted.input) {
        ([only], None) if is_id(only) => Some(only),
        _ => None,
    }
}

/// Whether `text` can be an id or the beginning of an id. No link has this form.
pub fn is_id(text: &str) -> bool {
    let digits = text.chars().filter(|letter| *letter != '-').count();
    (4..=32).contains(&digits) && text.chars().all(|letter| letter == '-' || letter.is_ascii_hexdigit())
}

/// Returns the path of the Metalink, if one is given. A Metalink together with other links is refused.
fn metalink(wanted: &WantedDownload) -> Result<Option<&Path>, CliProblem> {
    if let Some(path) = &wanted.metalink {
        return Ok(Some(path));
    }
    let is_metalink = |url: &&String| {
        let ending = Path::new(url).extension().map(|ending| ending.to_ascii_lowercase());
        !url.contains("://") && ending.is_some_and(|ending| ending == "meta4" || ending == "metalink")
    };
    let Some(path) = wanted.urls.iter().find(is_metalink) else { return Ok(None) };
    let is_alone = wanted.urls.len() == 1 && wanted.input.is_none();
    if !is_alone || !wanted.checksums.is_empty() || !wanted.mirrors.is_empty() || wanted.size.is_some() {
        return Err(CliProblem::Usage(message!("metalink.alone", path = path)));
    }
    Ok(Some(Path::new(path)))
}

/// Returns the registration that a Metalink describes.
///
/// If it has several files without a common title, the registration gets the name of the Metalink.
fn described(path: &Path) -> Result<NewRegistration, CliProblem> {
    let read = match path == Path::new("-") {
        true => read_bytes(io::stdin().lock(), LONGEST_METALINK),
        false => fs::File::open(path).and_then(|file| read_bytes(file, LONGEST_METALINK)),
    };
    let document = read.map_err(|error| CliProblem::Usage(message!("input.metalink", path = path, why = &error)))?;
    let mut asked = from_metalink(&document).map_err(CliProblem::Usage)?;
    if asked.title.is_none() && asked.requests.len() > 1 {
        let stem = path.file_stem().filter(|stem| *stem != "-").and_then(|stem| stem.to_str());
        asked.title = stem.map(str::to_owned);
    }
    Ok(asked)
}

fn plain(urls: Vec<String>) -> Vec<NewRequest> {
    urls.into_iter().map(|url| NewRequest { url, ..NewRequest::default() }).collect()
}

/// Returns the headers of the cURL command. Typed headers replace those with the same name.
fn along(mut own: Vec<(String, String)>, typed: &[(String, String)]) -> Vec<(String, String)> {
    own.retain(|(name, _)| !typed.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
    own.extend_from_slice(typed);
    own
}

fn listed(wanted: &WantedDownload, requests: Vec<NewRequest>) -> Result<NewRegistration, CliProblem> {
    let is_for_one = !wanted.checksums.is_empty() || !wanted.mirrors.is_empty() || wanted.size.is_some();
    if requests.len() > 1 && is_for_one {
        return Err(CliProblem::Usage(message!("single.checks")));
    }
    let requests = requests.into_iter().map(|request| NewRequest {
        checksum: wanted.checksums.first().cloned().or_else(|| request.checksum.clone()),
        checksums: wanted.checksums.iter().skip(1).cloned().collect(),
        mirrors: if wanted.mirrors.is_empty() { request.mirrors.clone() } else { wanted.mirrors.clone() },
        size: wanted.size.map(|ByteSize(bytes)| bytes),
        ..request
    });
    Ok(NewRegistration { requests: requests.collect(), ..NewRegistration::default() })
}

/// Splits `--output` into folder and file name.
fn split(output: &Path) -> Result<(PathBuf, String), CliProblem> {
    let is_folder = output.as_os_str().as_encoded_bytes().ends_with(b"/");
    let name = output.file_name().filter(|_| !is_folder).and_then(|name| name.to_str());
    let name = name.ok_or_else(|| CliProblem::Usage(message!("output.name", path = output)))?;
    Ok((output.parent().unwrap_or(Path::new("")).to_owned(), name.to_owned()))
}

/// Returns the image files of `--icon`.
pub fn icons(paths: &[PathBuf]) -> Result<Vec<ImageResource>, CliProblem> {
    paths.iter().map(|path| made_absolute(path).map(ImageResource::from_source)).collect()
}

pub fn made_absolute(path: &Path) -> Result<PathBuf, CliProblem> {
    let here = if path == Path::new(".") { env::current_dir() } else { absolute(path) };
    here.map_err(|error| CliProblem::Usage(message!("dir", path = path, why = &error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registration(wanted: &WantedDownload) -> Result<NewRegistration, CliProblem> {
        super::registration(wanted, TerminalOutput { program: "ashore", json: false, quiet: true, draws: false })
    }

    fn urls(urls: &[&str]) -> WantedDownload {
        WantedDownload { urls: urls.iter().map(|&url| url.to_owned()).collect(), ..WantedDownload::default() }
    }

    #[test]
    fn files_are_saved_in_current_folder_by_default() {
        let here = env::current_dir().unwrap();
        let folder = |wanted: WantedDownload| registration(&wanted).unwrap().folder.unwrap();
        assert_eq!(folder(urls(&["u"])), here);
        assert_eq!(folder(WantedDownload { dir: Some("sub".into()), ..urls(&["u"]) }), here.join("sub"));
        assert_eq!(folder(WantedDownload { dir: Some("/abs".into()), ..urls(&["u"]) }), Path::new("/abs"));
    }

    #[test]
    fn output_option_is_relative_to_dir_option() {
        let new = |output: &str| {
            let wanted = WantedDownload { dir: Some("/abs".into()), output: Some(output.into()), ..urls(&["u"]) };
            registration(&wanted).map(|new| (new.folder.unwrap(), new.requests[0].name.clone().unwrap()))
        };
        assert_eq!(new("a.iso").unwrap(), ("/abs".into(), "a.iso".to_owned()));
        assert_eq!(new("x/y/a.iso").unwrap(), ("/abs/x/y".into(), "a.iso".to_owned()));
        assert_eq!(new("/other/a.iso").unwrap(), ("/other".into(), "a.iso".to_owned()));
        for none in ["x/", "..", "/"] {
            assert_eq!(new(none).unwrap_err().code(), 2, "{none}");
        }
    }

    #[test]
    fn options_for_one_link_are_refused_with_several_links() {
        let named = WantedDownload { output: Some("a".into()), ..urls(&["u", "v"]) };
        assert_eq!(registration(&named).unwrap_err().code(), 2);
        let checked = WantedDownload { checksums: vec!["sha-256=00".to_owned()], ..urls(&["u", "v"]) };
        assert_eq!(registration(&checked).unwrap_err().code(), 2);
        let mirrored = WantedDownload { mirrors: vec!["w".to_owned()], ..urls(&["u", "v"]) };
        assert_eq!(registration(&mirrored).unwrap_err().code(), 2);
        assert_eq!(registration(&WantedDownload { size: Some(ByteSize(1)), ..urls(&["u", "v"]) }).unwrap_err().code(), 2);
    }

    #[test]
    fn request_has_checksums_and_mirrors_and_size_from_options() {
        let checksums = ["sha-256=aa", "md5=bb"].map(str::to_owned).to_vec();
        let new =
            registration(&WantedDownload { checksums, mirrors: vec!["w".to_owned()], size: Some(ByteSize(7)), ..urls(&["u"]) });
        let request = new.unwrap().requests.pop().unwrap();
        assert_eq!((request.checksum.as_deref(), request.checksums.as_slice()), (Some("sha-256=aa"), &["md5=bb".to_owned()][..]));
        assert_eq!((request.mirrors.as_slice(), request.size), (&["w".to_owned()][..], Some(7)));
    }

    #[test]
    fn metalink_is_accepted_only_as_sole_input() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("two.meta4");
        let file = |name: &str| format!("<file name=\"{name}\"><url>http://a.test/{name}</url></file>");
        let text = ["<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">", &file("a"), &file("b"), "</metalink>"].concat();
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let positional = urls(&[path]);
        let named = WantedDownload { metalink: Some(path.into()), ..urls(&[]) };
        for wanted in [&positional, &named] {
            let new = registration(wanted).unwrap();
            assert_eq!((new.requests.len(), new.title.as_deref()), (2, Some("two")));
            assert_eq!(new.requests[1].name.as_deref(), Some("b"));
        }
        let titled = WantedDownload { title: Some("Mine".to_owned()), ..urls(&[path]) };
        assert_eq!(registration(&titled).unwrap().title.as_deref(), Some("Mine"));
        for refused in [
            urls(&[path, "http://a.test/"]),
            urls(&["/nowhere/a.meta4"]),
            WantedDownload { size: Some(ByteSize(1)), ..urls(&[path]) },
            WantedDownload { output: Some("c".into()), ..urls(&[path]) },
        ] {
            assert_eq!(registration(&refused).unwrap_err().code(), 2, "{refused:?}");
        }
        assert_eq!(registration(&urls(&["http://a.test/a.meta4"])).unwrap().requests[0].url, "http://a.test/a.meta4");
        fs::write(path, "<html/>").unwrap();
        assert_eq!(registration(&named).unwrap_err().code(), 2);
    }

    #[test]
    fn common_options_apply_to_every_request() {
        let wanted = WantedDownload {
            headers: vec![("A".to_owned(), "b".to_owned())],
            optional_from: Some(1),
            upload_file: Some("/body".into()),
            ..urls(&["u", "v"])
        };
        let new = registration(&wanted).unwrap();
        assert_eq!(new.requests.iter().map(|request| request.optional).collect::<Vec<_>>(), [false, true]);
        for request in &new.requests {
            assert_eq!((request.headers.len(), request.upload_file.as_deref()), (1, Some(Path::new("/body"))));
        }
    }

    #[test]
    fn missing_input_is_a_usage_error() {
        let wanted = WantedDownload { input: Some("/nowhere/links".into()), ..urls(&[]) };
        assert_eq!(registration(&wanted).unwrap_err().code(), 2);
    }

    #[test]
    fn series_of_links_increments_last_number_in_link() {
        let next = |url: &str, until| {
            let wanted = WantedDownload { until: Some(until), ..urls(&[url]) };
            registration(&wanted).map(|new| match new.requests.into_iter().next().and_then(|request| request.next) {
                Some(FollowUpRule::Series(series)) => (series.url, series.number, series.until, series.width),
                other => panic!("{other:?}"),
            })
        };
        assert_eq!(next("https://a/v2/p-007.jpg", 300).unwrap(), ("https://a/v2/p-{}.jpg".to_owned(), 8, 300, 3));
        assert_eq!(next("https://a/p?n=9&x=y", 10).unwrap(), ("https://a/p?n={}&x=y".to_owned(), 10, 10, 0));
        for (url, until) in [("https://a/p", 3), ("https://a/9", 9), ("https://a/99999999999999999999999", 1)] {
            assert_eq!(next(url, until).unwrap_err().code(), 2, "{url}");
        }
        let several = WantedDownload { parts: true, ..urls(&["https://a/1", "https://a/2"]) };
        assert_eq!(registration(&several).unwrap_err().code(), 2);
    }

    #[test]
    fn download_id_is_distinguished_from_link() {
        for id in ["1b9d", "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", "DEADBEEF"] {
            assert!(is_id(id), "{id}");
        }
        for link in ["abc", "https://a/", "example.org", "1b9d/", "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed0", ""] {
            assert!(!is_id(link), "{link}");
        }
    }
}
