//! The program `ashore-browser`: reads and answers the messages of the browser.
//!
//! The host ends when the browser closes its input. It writes only frames to stdout, and one line to stderr after a
//! fault. `extension_port` answers the messages.

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use ashore_messages::message;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::mpsc,
};

use crate::{
    caller,
    extension_ids::ids,
    extension_port::ExtensionPort,
    framing::{self, FrameBuffer, FrameFault},
    hand_off::EngineAccess,
    wake::AppStarter,
};

/// Size of the read buffer in bytes.
const PIECE: usize = 64 << 10;
/// Exit code for a caller or an input that is not valid.
const BAD_INPUT: u8 = 2;

/// Runs the host for the browser that started this process.
pub fn run() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if arguments == ["--version"] {
        // Ignore the error: without a reader of stdout, the version cannot be reported.
        let _ = writeln!(io::stdout(), "ashore-browser {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    if caller::family(&arguments, ids()).is_none() {
        complain("only the browser extension of Ashore starts this program");
        return ExitCode::from(BAD_INPUT);
    }
    ashore_messages::set_language("auto");
    let access = match access() {
        Ok(access) => access,
        Err(why) => {
            complain(&why.to_string());
            return ExitCode::FAILURE;
        }
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(why) => {
            complain(&why.to_string());
            return ExitCode::FAILURE;
        }
    };
    let served = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout(), access));
    // Do not wait: a thread may still be blocked on the input.
    runtime.shutdown_background();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            complain(&fault.to_string());
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn access() -> io::Result<EngineAccess> {
    let named = env::var_os("ASHORE_DATA_DIR").filter(|name| !name.is_empty()).map(PathBuf::from);
    let data_dir = named.or_else(ashore_rpc::data_dir).ok_or_else(|| io::Error::other(message!("data-dir.home")))?;
    Ok(EngineAccess { data_dir, starter: AppStarter::beside_this_program()? })
}

fn complain(why: &str) {
    // Ignore the error: without stderr, the fault cannot be reported.
    let _ = writeln!(io::stderr(), "ashore-browser: {}", why.replace('\n', " "));
}

/// Answers all messages of `input` on `output` until the input ends. Fails at the first invalid frame.
///
/// Before this function returns, it answers the pending `ask` messages, but no longer registers downloads for them.
async fn serve(
    mut input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Send + Unpin + 'static,
    access: EngineAccess,
) -> Result<(), FrameFault> {
    let (answers, texts) = mpsc::channel(1);
    let writing = tokio::spawn(write(output, texts));
    let mut port = ExtensionPort::new(access, answers);
    let ended = read(&mut input, &mut port).await;
    port.close().await;
    // Ignore the error: a writer that panicked has nothing left to write.
    let _ = writing.await;
    ended
}

/// Passes each message of `input` to `port`, until the input ends.
async fn read(input: &mut (impl AsyncRead + Unpin), port: &mut ExtensionPort) -> Result<(), FrameFault> {
    let mut frames = FrameBuffer::default();
    let mut piece = vec![0; PIECE];
    loop {
        // Treat a read error as the end of the input.
        let count = input.read(&mut piece).await.unwrap_or_default();
        if count == 0 {
            return frames.end();
        }
        frames.push(&piece[..count]);
        while let Some(text) = frames.next()? {
            port.take(&text)?;
        }
    }
}

/// Writes each text as a frame, until the port is closed or the browser stops reading.
async fn write(mut output: impl AsyncWrite + Unpin, mut texts: mpsc::Receiver<Vec<u8>>) {
    while let Some(text) = texts.recv().await {
        let Ok(frame) = framing::framed(&text) else { continue };
        if output.write_all(&frame).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}
