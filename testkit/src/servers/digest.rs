//! Gatekeeper that requires Digest authentication (RFC 7616).
//!
//! Its checks do not use the client's implementation. A gatekeeper is placed in front of an origin, or belongs to a
//! proxy. With `qop`, a repeated answer is refused, because an eavesdropper may have recorded it.
//!
//! ```ignore
//! let gate = Gate::before(&origin, Gatekeeper::new("ann", "canary").algorithm("SHA-256")).await;
//! // ... fetch gate.url("/a.bin") ...
//! assert_eq!(gate.seen().len(), 2);   // the challenge and the answer
//! ```

use std::{
    collections::{HashMap, HashSet},
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use md5::Md5;
use sha2::{Digest as _, Sha256};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::TcpStream,
};
use url::Url;

use crate::servers::{listening::Listening, origin::Origin};

/// The permitted user, and the challenge that this user must answer.
#[derive(Debug)]
pub struct Gatekeeper {
    user: String,
    password: String,
    algorithm: Option<&'static str>,
    qop: Option<&'static str>,
    /// Number of answers after which a nonce becomes stale.
    uses: usize,
    others: &'static str,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    nonces: usize,
    used: HashSet<String>,
    counts: HashMap<String, usize>,
}

impl Gatekeeper {
    /// Creates a gatekeeper that accepts this user. The challenge contains MD5 and `qop=auth`. Nonces may be reused
    /// without limit.
    pub fn new(user: &str, password: &str) -> Self {
        let (user, password) = (user.to_owned(), password.to_owned());
        Self { user, password, algorithm: None, qop: Some("auth"), uses: usize::MAX, others: "", state: Mutex::default() }
    }

    /// Sets the algorithm in the challenge.
    pub fn algorithm(self, algorithm: &'static str) -> Self {
        Self { algorithm: Some(algorithm), ..self }
    }

    /// Sets the quality of protection in the challenge. `None` omits it, as was usual before RFC 2617.
    pub fn qop(self, qop: Option<&'static str>) -> Self {
        Self { qop, ..self }
    }

    /// Makes a nonce stale after this number of answers.
    pub fn uses(self, uses: usize) -> Self {
        Self { uses, ..self }
    }

    /// Adds further challenges to the first one. The text starts with a comma.
    pub fn others(self, others: &'static str) -> Self {
        Self { others, ..self }
    }

    /// Checks a request. Returns the challenge if the request is refused; `None` if it is allowed. `field` is the name
    /// of the authorization field in lower case.
    pub fn refuses(&self, head: &str, field: &str) -> Option<String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = field_of(head, field);
        let verdict = answer.as_deref().map_or(DigestVerdict::Refused, |answer| self.judge(&mut state, head, answer));
        if verdict == DigestVerdict::Allowed {
            return None;
        }
        state.nonces += 1;
        let mut challenge = format!("Digest realm=\"the, gate\", nonce=\"nonce-{}\", opaque=\"o\\\"p\"", state.nonces);
        if let Some(algorithm) = self.algorithm {
            challenge += &format!(", algorithm={algorithm}");
        }
        if let Some(qop) = self.qop {
            challenge += &format!(", qop=\"{qop}\"");
        }
        if verdict == DigestVerdict::Stale {
            challenge += ", stale=true";
        }
        Some(challenge + self.others)
    }

    fn judge(&self, state: &mut State, head: &str, answer: &str) -> DigestVerdict {
        let said = parameters(answer);
        let get = |name: &str| said.get(name).map_or("", String::as_str);
        let (nonce, count, cnonce) = (get("nonce"), get("nc"), get("cnonce"));
        let mut words = head.split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        // A proxy request has an absolute URL, but the Digest answer contains only the path.
        let path = target.strip_prefix("http://").map_or(target, |rest| rest.find('/').map_or("/", |at| &rest[at..]));
        let mut key = self.hash(&format!("{}:the, gate:{}", self.user, self.password));
        if self.algorithm.is_some_and(|algorithm| algorithm.ends_with("-sess")) {
            key = self.hash(&format!("{key}:{nonce}:{cnonce}"));
        }
        let request = self.hash(&format!("{method}:{}", get("uri")));
        let expected = match self.qop {
            Some(_) => self.hash(&format!("{key}:{nonce}:{count}:{cnonce}:auth:{request}")),
            None => self.hash(&format!("{key}:{nonce}:{request}")),
        };
        let is_right = answer.starts_with("Digest ")
            && get("username") == self.user
            && get("opaque") == "o\"p"
            && get("uri") == path
            && get("response") == expected;
        if !is_right {
            return DigestVerdict::Refused;
        }
        let uses = state.counts.entry(nonce.to_owned()).or_default();
        *uses += 1;
        if *uses > self.uses {
            return DigestVerdict::Stale;
        }
        let is_new = self.qop.is_none() || state.used.insert(format!("{nonce} {count}"));
        if is_new { DigestVerdict::Allowed } else { DigestVerdict::Refused }
    }

    fn hash(&self, text: &str) -> String {
        match self.algorithm {
            Some(algorithm) if algorithm.starts_with("SHA-256") => hex::encode(Sha256::digest(text)),
            _ => hex::encode(Md5::digest(text)),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DigestVerdict {
    Allowed,
    Stale,
    Refused,
}

/// Server that passes only authenticated requests to its origin. Dropping the server stops it.
#[derive(Debug)]
pub struct Gate {
    listening: Listening,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Gate {
    /// Starts a gate in front of `origin`.
    pub async fn before(origin: &Origin, keeper: Gatekeeper) -> Self {
        let (keeper, behind, seen) = (Arc::new(keeper), origin.address(), Arc::<Mutex<Vec<String>>>::default());
        let all = seen.clone();
        let listening = Listening::start(move |stream| pass(stream, behind, keeper.clone(), all.clone())).await;
        Self { listening, seen }
    }

    /// Returns the URL of `path`, which starts with a slash.
    pub fn url(&self, path: &str) -> Url {
        self.listening.url(path)
    }

    /// Returns the `Authorization` field of each request, or an empty text if the field is missing.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn pass(
    mut stream: TcpStream,
    behind: SocketAddr,
    keeper: Arc<Gatekeeper>,
    seen: Arc<Mutex<Vec<String>>>,
) -> io::Result<()> {
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await?);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let answer = field_of(&head, "authorization").unwrap_or_default();
        seen.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
        let Some(challenge) = keeper.refuses(&head, "authorization") else {
            let mut server = TcpStream::connect(behind).await?;
            // Close the connection: the gate does not check later requests on it.
            let head = head.replacen("\r\n", "\r\nConnection: close\r\n", 1);
            server.write_all(head.as_bytes()).await?;
            return copy_bidirectional(&mut stream, &mut server).await.map(drop);
        };
        let refusal = format!("HTTP/1.1 401 Who Are You\r\nWWW-Authenticate: {challenge}\r\nContent-Length: 0\r\n\r\n");
        stream.write_all(refusal.as_bytes()).await?;
    }
}

fn field_of(head: &str, field: &str) -> Option<String> {
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(name, _)| name.eq_ignore_ascii_case(field)).map(|(_, value)| value.trim().to_owned())
}

/// Parses `name=value` and `name="value"` pairs separated by commas.
fn parameters(answer: &str) -> HashMap<String, String> {
    let mut rest = answer.split_once(' ').map_or("", |(_, rest)| rest);
    let mut found = HashMap::new();
    while let Some((name, after)) = rest.split_once('=') {
        let mut value = String::new();
        let mut letters = after.char_indices();
        let is_quoted = after.starts_with('"');
        if is_quoted {
            letters.next();
        }
        let mut end = after.len();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' if is_quoted => value.extend(letters.next().map(|(_, letter)| letter)),
                '"' if is_quoted => {
                    end = at + 1;
                    break;
                }
                ',' if !is_quoted => {
                    end = at;
                    break;
                }
                other => value.push(other),
            }
        }
        found.insert(name.trim().to_owned(), value);
        rest = after[end..].trim_start_matches([',', ' ']);
    }
    found
}
