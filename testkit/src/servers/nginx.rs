//! Real server: the installed nginx with the files of one folder.

use std::{
    env, fs,
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

/// Requested send buffer per connection in bytes; the kernel allocates twice as much.
pub const SEND_BUFFER: u64 = 256 << 10;

const PATIENCE: Duration = Duration::from_secs(20);

/// Running nginx; ends when dropped.
#[derive(Debug)]
pub struct Nginx {
    process: Child,
    address: SocketAddr,
    folder: PathBuf,
}

impl Nginx {
    /// Returns the path of the installed program.
    pub fn program() -> Option<PathBuf> {
        let path = env::var_os("PATH").unwrap_or_default();
        let places = env::split_paths(&path).chain([PathBuf::from("/usr/sbin"), PathBuf::from("/usr/local/sbin")]);
        places.map(|place| place.join("nginx")).find(|path| path.is_file())
    }

    /// Serves the folder [`files`](Self::files) and keeps its own files in `folder` too. `rate` limits each connection,
    /// in bytes per second; `None` for no limit.
    pub async fn start(folder: &Path, rate: Option<u64>) -> Result<Self> {
        let program = Self::program().context("nginx is not installed. Install it: sudo apt-get install nginx-light")?;
        fs::create_dir_all(folder.join("files"))?;
        // The free port may be taken before nginx binds it; then try another one.
        for _ in 0..5 {
            let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
            fs::write(folder.join("nginx.conf"), configuration(folder, address, rate))?;
            let errors = fs::File::create(folder.join("error.log"))?;
            let mut command = Command::new(&program);
            command.arg("-p").arg(folder).arg("-c").arg(folder.join("nginx.conf")).arg("-e").arg(folder.join("error.log"));
            let mut process = command.stdin(Stdio::null()).stderr(errors).spawn()?;
            let deadline = Instant::now() + PATIENCE;
            while process.try_wait()?.is_none() {
                if TcpStream::connect(address).is_ok() {
                    return Ok(Self { process, address, folder: folder.to_owned() });
                }
                ensure!(Instant::now() < deadline, "nginx does not listen");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        bail!("nginx does not start: {}", fs::read_to_string(folder.join("error.log")).unwrap_or_default());
    }

    /// Folder of the served files.
    pub fn files(&self) -> PathBuf {
        self.folder.join("files")
    }

    /// Returns the URL of a served file.
    pub fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// Stops nginx after it has written its log, and returns the access log. Each line has path, status, body bytes and
    /// requested range of a request.
    pub fn stop(mut self) -> Result<String> {
        self.signal(Signal::QUIT);
        self.process.wait()?;
        Ok(fs::read_to_string(self.folder.join("access.log"))?)
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = Pid::from_raw(self.process.id().cast_signed()) {
            let _ = kill_process(pid, signal);
        }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            // Do not use SIGKILL, because the worker of nginx would survive.
            self.signal(Signal::TERM);
            let _ = self.process.wait();
        }
    }
}

fn configuration(folder: &Path, address: SocketAddr, rate: Option<u64>) -> String {
    let folder = folder.display();
    // Started by root, nginx would run its worker as a user who cannot read this folder.
    let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    let rate = rate.unwrap_or(0);
    format!(
        "daemon off; {user} worker_processes 1; pid {folder}/pid;
         events {{ worker_connections 256; }}
         http {{
           log_format short '$uri $status $body_bytes_sent $http_range';
           access_log {folder}/access.log short;
           client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
           uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
           default_type application/octet-stream; sendfile on; limit_rate {rate};
           server {{ listen {address} sndbuf={SEND_BUFFER}; root {folder}/files; }}
         }}\n"
    )
}
