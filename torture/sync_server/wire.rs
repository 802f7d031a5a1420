//! The least of a client: one connection, one request after the other. It fails where the server is gone.

use std::io::{self, ErrorKind};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
};

/// Status without its database. The fate of a write is unknown then, as it is without an answer.
const UNAVAILABLE: u16 = 503;

/// A connection of a device.
pub struct Wire {
    stream: BufReader<TcpStream>,
    token: String,
    root: String,
}

/// A whole response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// X-Last-Modified, in milliseconds; 0 where it is missing.
    pub modified: i64,
    pub body: String,
}

impl Wire {
    /// Connects with a token `uid.device.secret`.
    pub async fn connect(address: &str, token: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let root = format!("/1.5/{}", token.split('.').next().unwrap_or_default());
        Ok(Self { stream: BufReader::new(stream), token: token.to_owned(), root })
    }

    /// Sends a request below the root of the user. `unless` is the value of X-If-Unmodified-Since, in milliseconds.
    pub async fn ask(&mut self, method: &str, path: &str, unless: Option<i64>, body: &str) -> io::Result<Answer> {
        self.send(method, &format!("{}{path}", self.root), unless, body).await
    }

    /// Sends a request to any path.
    pub async fn send(&mut self, method: &str, path: &str, unless: Option<i64>, body: &str) -> io::Result<Answer> {
        let condition = unless.map(|time| format!("X-If-Unmodified-Since: {}.{:03}\r\n", time / 1000, time % 1000)).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n{condition}\r\n{body}",
            self.token,
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        let status = self.line().await?;
        let status = status.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(|| broken(&status))?;
        let (mut length, mut modified, mut is_chunked) = (0, 0, false);
        loop {
            let line = self.line().await?;
            let Some((name, value)) = line.split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "transfer-encoding" => is_chunked = value.eq_ignore_ascii_case("chunked"),
                "content-length" => length = value.parse().map_err(|_| broken(&line))?,
                "x-last-modified" => modified = milliseconds(value).ok_or_else(|| broken(&line))?,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        match is_chunked {
            true => self.read_chunks(&mut body).await?,
            false => drop(self.stream.read_exact(&mut body).await?),
        }
        if status == UNAVAILABLE {
            return Err(io::Error::other("the database is away"));
        }
        Ok(Answer { status, modified, body: String::from_utf8(body).map_err(|_| broken("a body"))? })
    }

    /// Reads a body in chunks (RFC 9112, section 7.1), as the server sends long listings.
    async fn read_chunks(&mut self, body: &mut Vec<u8>) -> io::Result<()> {
        loop {
            let line = self.line().await?;
            let size = line.split(';').next().and_then(|size| usize::from_str_radix(size, 16).ok()).ok_or_else(|| broken(&line))?;
            let from = body.len();
            body.resize(from + size, 0);
            self.stream.read_exact(&mut body[from..]).await?;
            // Nothing stands between the bytes of a chunk and the end of its line; the last chunk has none, and no trailer follows.
            self.line().await?;
            if size == 0 {
                return Ok(());
            }
        }
    }

    async fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }
}

/// A time with two decimals.
pub fn milliseconds(text: &str) -> Option<i64> {
    let (seconds, decimals) = text.split_once('.')?;
    (decimals.len() == 2).then(|| format!("{seconds}{decimals}0").parse().ok()).flatten()
}

fn broken(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what.to_owned())
}
