//! Parses Metalink documents: files with sizes, digests, pieces and URLs. [pure]
//!
//! - Supported versions are 4 (RFC 5854) and the older 3.0 of metalinker.org. A document may have any known namespace,
//!   or none.
//! - A malicious document cannot exhaust memory or time: its own entities are refused, nothing outside of it is loaded,
//!   and every quantity has a limit.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use quick_xml::{
    NsReader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesRef, BytesStart, Event},
    name::ResolveResult,
};
use url::Url;

use crate::{
    filename::charset,
    http::blocked_ports::is_bad_port,
    model::{
        digest::{DigestAlgorithm, FileDigest},
        spec::PieceHashes,
    },
};

/// Maximum size of a document in bytes.
pub const LARGEST: usize = 32 << 20;
/// Maximum number of files in a document.
pub const MOST_FILES: usize = 10_000;
/// Maximum number of URLs kept per file.
pub const MOST_ADDRESSES: usize = 32;

/// Maximum length of the text of one element, in bytes.
const LONGEST_TEXT: usize = 64 << 10;
/// Maximum nesting depth of elements.
const DEEPEST: usize = 16;
/// Maximum number of URLs examined per file.
const MOST_LOOKED_AT: usize = 1000;
/// Priority of a URL without a stated priority (RFC 5854, section 4.2.16.2). 1 is the highest priority.
const LAST: u32 = 999_999;

const VERSION_4: &str = "urn:ietf:params:xml:ns:metalink";

/// Version of the Metalink format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    Four,
    Three,
}

/// Returns the Metalink version of a namespace.
///
/// Accepts the spellings of the standards and of older programs.
fn version_of(namespace: &str) -> Option<Version> {
    let place = namespace.trim().trim_end_matches('/').to_ascii_lowercase();
    let place = place.strip_prefix("https://").or_else(|| place.strip_prefix("http://")).unwrap_or(&place);
    let place = place.strip_prefix("www.").unwrap_or(place);
    match place {
        VERSION_4 => Some(Version::Four),
        _ if place == "metalinker.org" || place.starts_with("metalinker.org/") => Some(Version::Three),
        _ => None,
    }
}

/// Content of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metalink {
    /// Title of the content, if stated.
    pub title: Option<String>,
    /// Files in order. There is at least one.
    pub files: Vec<MetalinkFile>,
}

/// File described by a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetalinkFile {
    /// Safe file name without a folder.
    pub name: String,
    /// Size in bytes.
    pub size: Option<u64>,
    /// Digests of the whole file.
    pub digests: Vec<FileDigest>,
    /// Digests of the pieces.
    pub pieces: Option<PieceHashes>,
    /// URLs of the file, best first. There is at least one, and all are `http` or `https`.
    pub addresses: Vec<Url>,
}

/// Reason why a document cannot be used. The texts for the user are in the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAMetalink {
    /// The document exceeds a limit.
    TooLarge(MetalinkLimit),
    /// The document is not XML, or uses a forbidden feature of XML.
    Unreadable(MetalinkSyntaxFault),
    /// The document is XML, but not a Metalink.
    Foreign,
    /// The document describes no file.
    Empty,
    /// Ashore cannot download from any URL of the named file.
    NoAddress(String),
    /// The document contains an impossible statement about a file.
    Contradiction {
        /// Name of the file.
        name: String,
        /// Reason why the statement is impossible.
        what: MetalinkContradiction,
    },
}

/// Kind of limit that a document exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetalinkLimit {
    /// Maximum size of the document, [`LARGEST`].
    Bytes,
    /// Maximum nesting depth of elements.
    Elements,
    /// Maximum number of files, [`MOST_FILES`].
    Files,
    /// Maximum length of the text of one element.
    Text,
    /// Maximum length of one attribute.
    Attribute,
}

/// Reason why a document cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MetalinkSyntaxFault {
    /// Error text of the XML parser, without a full stop.
    Xml(String),
    /// The document defines entities, or uses entities other than the predefined ones.
    Entities,
    /// The text is not valid in the encoding that the document names.
    Encoding,
    /// The text is not UTF-8, and the document names no other supported encoding.
    NoEncoding,
    /// The document has no root element.
    Empty,
    /// The document ends inside of an element.
    End,
}

/// Impossible statement about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetalinkContradiction {
    /// The pieces have no length.
    PieceLength,
    /// The size is not a number.
    Size,
    /// A checksum has the wrong length for its algorithm.
    Checksum,
    /// Two checksums of the same algorithm differ.
    Checksums,
    /// The checksum of a piece has the wrong length for its algorithm.
    PieceChecksum,
    /// The lengths of the pieces do not add up to the size of the file.
    Pieces,
}

/// Parses a document.
///
/// Fails at the first error, with `TooLarge`, `Unreadable`, `Foreign`, `Contradiction`, `NoAddress` or `Empty`.
pub fn read(bytes: &[u8]) -> Result<Metalink, NotAMetalink> {
    if bytes.len() > LARGEST {
        return Err(NotAMetalink::TooLarge(MetalinkLimit::Bytes));
    }
    let text = text_of(bytes)?;
    let mut reader = NsReader::from_str(text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']));
    reader.config_mut().expand_empty_elements = true;
    let mut document = Document::default();
    loop {
        let (namespace, event) = reader.read_resolved_event().map_err(|error| unreadable(&error))?;
        match event {
            Event::Start(start) => {
                let namespace = match namespace {
                    ResolveResult::Bound(namespace) => Some(namespace.0),
                    _ => None,
                };
                document.open(namespace, &start)?;
            }
            Event::End(_) => document.close()?,
            Event::Text(text) => document.add(&text.xml10_content())?,
            Event::CData(text) => document.add(&text.into_inner())?,
            Event::GeneralRef(reference) => document.add(&resolve(&reference)?)?,
            // A document type is never loaded. Its element definitions are harmless, but its entities are refused.
            Event::DocType(kind) => {
                if kind.to_ascii_uppercase().contains("ENTITY") {
                    return Err(NotAMetalink::Unreadable(MetalinkSyntaxFault::Entities));
                }
            }
            Event::Eof => return document.finish(),
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

/// Decodes the text of a document.
///
/// A byte order mark or zero bytes indicate UTF-16. Otherwise the encoding is UTF-8 if the bytes are valid UTF-8, and
/// else the encoding in the XML declaration.
fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, NotAMetalink> {
    let is_wide = matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'<', 0, ..] | [0, b'<', ..]);
    if is_wide {
        return Ok(charset::plain_text(bytes));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(Cow::Borrowed(text));
    }
    let declared = declared(bytes).and_then(|name| Encoding::for_label(name.as_bytes())).filter(|encoding| *encoding != UTF_8);
    let encoding = declared.ok_or(NotAMetalink::Unreadable(MetalinkSyntaxFault::NoEncoding))?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    text.ok_or(NotAMetalink::Unreadable(MetalinkSyntaxFault::Encoding))
}

/// Returns the encoding in the XML declaration.
fn declared(bytes: &[u8]) -> Option<String> {
    let start = &bytes[..bytes.len().min(200)];
    let start: String = start.iter().map(|byte| char::from(*byte)).collect();
    let declaration = start.trim_start().strip_prefix("<?xml")?.split("?>").next()?;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value[1..].split(quote).next().map(str::to_owned)
}

fn unreadable(error: &impl ToString) -> NotAMetalink {
    NotAMetalink::Unreadable(MetalinkSyntaxFault::Xml(error.to_string().trim_end_matches('.').to_owned()))
}

/// Resolves a numeric character reference, or one of the five predefined XML entities.
///
/// Fails for any other entity.
fn resolve(reference: &BytesRef<'_>) -> Result<String, NotAMetalink> {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => Ok(character.to_string()),
        Ok(None) => {
            resolve_predefined_entity(reference).map(str::to_owned).ok_or(NotAMetalink::Unreadable(MetalinkSyntaxFault::Entities))
        }
        Err(error) => Err(unreadable(&error)),
    }
}

/// State of the parser.
#[derive(Default)]
struct Document {
    /// Namespace of the root and of all Metalink elements. Empty if the root has none.
    namespace: String,
    /// Version in the root element. `None` before the root was read.
    vocabulary: Option<Version>,
    /// Open elements, from the root inwards. Elements of other namespaces have an empty name.
    path: Vec<Element>,
    /// Text of the innermost element.
    text: String,
    title: Option<String>,
    version: Option<String>,
    files: Vec<MetalinkFile>,
    file: Draft,
}

#[derive(Default)]
struct Element {
    name: String,
    kind: Option<String>,
    priority: u32,
}

/// File that is being parsed.
#[derive(Default)]
struct Draft {
    name: String,
    title: Option<String>,
    version: Option<String>,
    size: Option<u64>,
    digests: Vec<FileDigest>,
    pieces: Option<PieceHashes>,
    addresses: Vec<(u32, Url)>,
    looked_at: usize,
}

impl Document {
    fn open(&mut self, namespace: Option<&str>, start: &BytesStart<'_>) -> Result<(), NotAMetalink> {
        self.text.clear();
        if self.path.len() == DEEPEST {
            return Err(NotAMetalink::TooLarge(MetalinkLimit::Elements));
        }
        if self.path.is_empty() {
            if start.local_name().as_ref() != "metalink" {
                return Err(NotAMetalink::Foreign);
            }
            let vocabulary = match namespace {
                Some(namespace) => version_of(namespace),
                // A document without a namespace has version 3 if its `version` attribute says so, else version 4. Both
                // versions can be parsed in the same way, because their grouping elements are optional.
                None => match attribute(start, "version")? {
                    Some(version) if version.trim().starts_with('3') => Some(Version::Three),
                    _ => Some(Version::Four),
                },
            };
            self.vocabulary = Some(vocabulary.ok_or(NotAMetalink::Foreign)?);
            namespace.unwrap_or_default().clone_into(&mut self.namespace);
        }
        let mut element = Element { priority: LAST, ..Element::default() };
        if namespace.unwrap_or_default() == self.namespace {
            element.name = start.local_name().as_ref().to_owned();
            element.kind = attribute(start, "type")?;
            element.priority = self.priority(start)?;
        }
        self.path.push(element);
        match self.place().as_slice() {
            ["file"] => {
                if self.files.len() == MOST_FILES {
                    return Err(NotAMetalink::TooLarge(MetalinkLimit::Files));
                }
                let name = attribute(start, "name")?.unwrap_or_default();
                self.file = Draft { name, ..Draft::default() };
            }
            ["file", "pieces"] => self.open_pieces(start)?,
            _ => {}
        }
        Ok(())
    }

    /// Returns the priority of an element. 1 is the highest priority.
    ///
    /// The older version states a preference instead of a priority. The highest preference is 100.
    fn priority(&self, start: &BytesStart<'_>) -> Result<u32, NotAMetalink> {
        let number = |name| Ok(attribute(start, name)?.and_then(|text| text.trim().parse::<u32>().ok()));
        let priority = match self.vocabulary {
            Some(Version::Three) => None,
            _ => number("priority")?,
        };
        Ok(match priority {
            Some(priority) => priority,
            None if self.vocabulary == Some(Version::Four) && !self.namespace.is_empty() => LAST,
            None => number("preference")?.map_or(LAST, |preference| 100u32.saturating_sub(preference) + 1),
        })
    }

    fn open_pieces(&mut self, start: &BytesStart<'_>) -> Result<(), NotAMetalink> {
        let length = attribute(start, "length")?.and_then(|text| text.trim().parse().ok()).filter(|length| *length > 0);
        let Some(length) = length else { return Err(self.file.contradiction(MetalinkContradiction::PieceLength)) };
        let algorithm = attribute(start, "type")?.and_then(|name| DigestAlgorithm::named(&name));
        // Of several sets of piece digests, keep the strongest.
        let is_better = |algorithm| self.file.pieces.as_ref().is_none_or(|known| algorithm < known.algorithm);
        if let Some(algorithm) = algorithm.filter(|algorithm| is_better(*algorithm)) {
            self.file.pieces = Some(PieceHashes { algorithm, length, digests: Vec::new() });
        }
        Ok(())
    }

    fn add(&mut self, text: &str) -> Result<(), NotAMetalink> {
        if self.text.len() + text.len() > LONGEST_TEXT {
            return Err(NotAMetalink::TooLarge(MetalinkLimit::Text));
        }
        self.text.push_str(text);
        Ok(())
    }

    fn close(&mut self) -> Result<(), NotAMetalink> {
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        let some = || Some(text.to_owned()).filter(|text| !text.is_empty());
        match self.place().as_slice() {
            ["identity"] => self.title = some(),
            ["version"] => self.version = some(),
            ["file", "identity"] => self.file.title = some(),
            ["file", "version"] => self.file.version = some(),
            ["file", "size"] => {
                let size = text.parse().map_err(|_| self.file.contradiction(MetalinkContradiction::Size))?;
                self.file.size = Some(size);
            }
            ["file", "hash"] => self.close_hash(text)?,
            ["file", "pieces", "hash"] => self.close_piece(text)?,
            ["file", "url"] => self.close_address(text),
            ["file"] => {
                let file = std::mem::take(&mut self.file);
                let titles = (file.title.clone(), file.version.clone());
                if self.files.is_empty() {
                    (self.title, self.version) = (titles.0.or(self.title.take()), titles.1.or(self.version.take()));
                } else if titles.0.is_some() && titles.0 != self.title {
                    // The titles of the files differ, so the document as a whole has no title.
                    (self.title, self.version) = (None, None);
                }
                self.files.push(file.finish()?);
            }
            _ => {}
        }
        self.path.pop();
        Ok(())
    }

    fn close_hash(&mut self, text: &str) -> Result<(), NotAMetalink> {
        let kind = self.path.last().and_then(|element| element.kind.as_deref());
        // Ignore unsupported algorithms.
        let Some(algorithm) = kind.and_then(DigestAlgorithm::named) else { return Ok(()) };
        let digest = FileDigest::from_hex(algorithm, text);
        let digest = digest.ok_or_else(|| self.file.contradiction(MetalinkContradiction::Checksum))?;
        if self.file.digests.iter().any(|known| known.algorithm == algorithm && *known != digest) {
            return Err(self.file.contradiction(MetalinkContradiction::Checksums));
        }
        if !self.file.digests.contains(&digest) {
            self.file.digests.push(digest);
        }
        Ok(())
    }

    fn close_piece(&mut self, text: &str) -> Result<(), NotAMetalink> {
        let kind = self.path.iter().rev().nth(1).and_then(|element| element.kind.as_deref());
        let algorithm = kind.and_then(DigestAlgorithm::named);
        let wrong = self.file.contradiction(MetalinkContradiction::PieceChecksum);
        match &mut self.file.pieces {
            Some(pieces) if Some(pieces.algorithm) == algorithm => {
                pieces.digests.push(FileDigest::from_hex(pieces.algorithm, text).ok_or(wrong)?.bytes);
            }
            _ => {}
        }
        Ok(())
    }

    fn close_address(&mut self, text: &str) {
        self.file.looked_at += 1;
        let element = self.path.last();
        // In the older version, some links lead to torrents and other content. These links have a type attribute.
        let kind = element.and_then(|element| element.kind.as_deref());
        let is_link = kind.is_none_or(|kind| matches!(kind, "http" | "https"));
        if self.file.looked_at <= MOST_LOOKED_AT
            && is_link
            && let Some(url) = address(text)
        {
            self.file.addresses.push((element.map_or(LAST, |element| element.priority), url));
        }
    }

    /// Returns the path of the current element, without the grouping elements of the older version.
    ///
    /// Empty for an element without a meaning.
    fn place(&self) -> Vec<&str> {
        let mut inside = self.path.iter().skip(1).map(|element| element.name.as_str());
        let is_group = |name: &&str| matches!(*name, "files" | "verification" | "resources");
        let names: Vec<_> = inside.clone().filter(|name| !is_group(name)).collect();
        let is_here = inside.next_back().is_some_and(|name| !is_group(&name));
        if is_here && !names.contains(&"") { names } else { Vec::new() }
    }

    fn finish(self) -> Result<Metalink, NotAMetalink> {
        if self.vocabulary.is_none() {
            return Err(NotAMetalink::Unreadable(MetalinkSyntaxFault::Empty));
        }
        if !self.path.is_empty() {
            return Err(NotAMetalink::Unreadable(MetalinkSyntaxFault::End));
        }
        if self.files.is_empty() {
            return Err(NotAMetalink::Empty);
        }
        let title = match (self.title, self.version) {
            (Some(title), Some(version)) => Some(format!("{title} {version}")),
            (title, _) => title,
        };
        let visible = |title: String| title.chars().filter(|letter| !letter.is_control()).take(200).collect::<String>();
        Ok(Metalink { title: title.map(visible).filter(|title| !title.is_empty()), files: self.files })
    }
}

impl Draft {
    fn contradiction(&self, what: MetalinkContradiction) -> NotAMetalink {
        NotAMetalink::Contradiction { name: self.shown(), what }
    }

    fn shown(&self) -> String {
        self.name.chars().filter(|letter| !letter.is_control()).take(120).collect()
    }

    fn finish(mut self) -> Result<MetalinkFile, NotAMetalink> {
        self.addresses.sort_by_key(|(priority, _)| *priority);
        let mut addresses: Vec<Url> = Vec::new();
        for (_, url) in &self.addresses {
            if addresses.len() < MOST_ADDRESSES && !addresses.contains(url) {
                addresses.push(url.clone());
            }
        }
        let Some(first) = addresses.first() else { return Err(NotAMetalink::NoAddress(self.shown())) };
        if let Some(pieces) = &self.pieces {
            let covered = pieces.length.saturating_mul(pieces.digests.len() as u64);
            let is_right = self.size.is_none_or(|size| covered >= size && covered - size < pieces.length);
            if pieces.digests.is_empty() || !is_right {
                return Err(self.contradiction(MetalinkContradiction::Pieces));
            }
        }
        // Do not create the folders that the document names (RFC 5854, section 4.1.2.1).
        let last = self.name.rsplit(['/', '\\']).next().filter(|name| !name.is_empty());
        let name = crate::filename::name::choose(last, None, first, None);
        self.digests.sort_by_key(|digest| digest.algorithm);
        Ok(MetalinkFile { name, size: self.size, digests: self.digests, pieces: self.pieces, addresses })
    }
}

/// Parses a URL. Returns `None` if Ashore cannot download from it.
fn address(text: &str) -> Option<Url> {
    let mut url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let has_credentials = !url.username().is_empty() || url.password().is_some();
    if url.host_str().is_none() || has_credentials || url.port().is_some_and(is_bad_port) {
        return None;
    }
    url.set_fragment(None);
    Some(url)
}

fn attribute(start: &BytesStart<'_>, name: &str) -> Result<Option<String>, NotAMetalink> {
    let found = start.try_get_attribute(name).map_err(|error| unreadable(&error))?;
    let Some(found) = found else { return Ok(None) };
    let value = found.normalized_value(XmlVersion::Implicit1_0).map_err(|error| unreadable(&error))?;
    if value.len() > LONGEST_TEXT {
        return Err(NotAMetalink::TooLarge(MetalinkLimit::Attribute));
    }
    Ok(Some(value.into_owned()))
}

#[cfg(test)]
#[path = "metalink_tests.rs"]
mod tests;
