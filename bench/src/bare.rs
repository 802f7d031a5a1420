//! Minimum cost of a download: a loop that reads a socket and writes a file.

use std::{
    fs::File,
    io::{Read, Write},
    net::TcpStream,
    os::unix::fs::FileExt,
    path::Path,
};

use anyhow::{Context, Result, ensure};
use url::Url;

const PIECE: usize = 256 << 10;

/// Fetches `size` bytes of `url` into `path`.
///
/// Each connection has its own thread and fetches an equal part of the file.
pub fn fetch(url: &Url, path: &Path, size: u64, connections: u64) -> Result<()> {
    let file = File::create(path)?;
    let share = size.div_ceil(connections);
    std::thread::scope(|scope| {
        let file = &file;
        let workers: Vec<_> = (0..connections)
            .map(|number| (number * share, size.min((number + 1) * share)))
            .map(|(from, to)| scope.spawn(move || stream_into(url, file, from, to)))
            .collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| anyhow::anyhow!("a connection of the bare loop failed"))?)
    })
}

fn stream_into(url: &Url, file: &File, from: u64, to: u64) -> Result<()> {
    let host = url.host_str().context("the address has no host")?;
    let mut stream = TcpStream::connect((host, url.port_or_known_default().context("the address has no port")?))?;
    let last = to - 1;
    write!(stream, "GET {} HTTP/1.1\r\nHost: {host}\r\nRange: bytes={from}-{last}\r\n\r\n", url.path())?;
    let mut piece = vec![0; PIECE];
    let mut held = 0;
    let head = loop {
        held += match stream.read(&mut piece[held..])? {
            0 => anyhow::bail!("the server did not answer"),
            length => length,
        };
        if let Some(at) = piece[..held].windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
    };
    ensure!(piece.starts_with(b"HTTP/1.1 206"), "the response has another range than requested");
    file.write_all_at(&piece[head..held], from)?;
    let mut at = from + (held - head) as u64;
    while at < to {
        let most = piece.len().min(usize::try_from(to - at)?);
        let length = stream.read(&mut piece[..most])?;
        ensure!(length > 0, "the response ended too early");
        file.write_all_at(&piece[..length], at)?;
        at += length as u64;
    }
    Ok(())
}
