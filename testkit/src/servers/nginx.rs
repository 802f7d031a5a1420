//! Real server: the installed nginx, with one folder of files or any other configuration.

use std::{
    fs,
    net::{Ipv4Addr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::{processes::tools::service, servers::free_ports, waits::blocking::pause};

/// Requested send buffer per connection in bytes; the kernel allocates twice this size.
pub const SEND_BUFFER: u64 = 256 << 10;

const PATIENCE: Duration = Duration::from_secs(20);
/// Pause between attempts to connect to nginx.
const LOOK: Duration = Duration::from_millis(10);

/// Running nginx, which ends when this value is dropped.
#[derive(Debug)]
pub struct Nginx {
    process: Child,
    folder: PathBuf,
}

/// An nginx server for the files of one folder.
#[derive(Debug)]
pub struct FileServer {
    nginx: Nginx,
    port: u16,
}

impl Nginx {
    /// Returns the path of the installed nginx; `None` if there is none.
    pub fn program() -> Option<PathBuf> {
        service("nginx")
    }

    /// Returns the version of the installed nginx.
    pub fn version() -> Result<String> {
        let output = Command::new(installed()?).arg("-v").output()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(text.trim().rsplit('/').next().unwrap_or_default().to_owned())
    }

    /// Starts nginx. `http` contains the directives for its servers; `folder` is for nginx's own files. The servers may
    /// not be listening yet when this function returns.
    pub fn start(folder: &Path, http: &str) -> Result<Self> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("nginx.conf"), configuration(folder, http))?;
        let errors = fs::File::create(folder.join("error.log"))?;
        let mut command = Command::new(installed()?);
        command.arg("-p").arg(folder).arg("-c").arg(folder.join("nginx.conf")).arg("-e").arg(folder.join("error.log"));
        let process = command.stdin(Stdio::null()).stderr(errors).spawn()?;
        Ok(Self { process, folder: folder.to_owned() })
    }

    /// Starts nginx on free ports and returns the ports. `http` is a function that receives the ports and returns the
    /// directives. Blocks until the first port is open.
    pub fn start_on_ports<const COUNT: usize>(
        folder: &Path,
        http: impl Fn([u16; COUNT]) -> String,
    ) -> Result<(Self, [u16; COUNT])> {
        // Retry with other ports, because another program may take a free port before nginx binds it.
        for _ in 0..5 {
            let ports = free_ports()?;
            let mut nginx = Self::start(folder, &http(ports))?;
            let deadline = Instant::now() + PATIENCE;
            while nginx.is_running()? {
                if ports.first().is_none_or(|port| TcpStream::connect((Ipv4Addr::LOCALHOST, *port)).is_ok()) {
                    return Ok((nginx, ports));
                }
                ensure!(Instant::now() < deadline, "nginx does not listen");
                pause(LOOK);
            }
        }
        bail!("nginx does not start: {}", fs::read_to_string(folder.join("error.log")).unwrap_or_default());
    }

    /// Returns whether nginx is still running.
    pub fn is_running(&mut self) -> Result<bool> {
        Ok(self.process.try_wait()?.is_none())
    }

    /// Returns the process id of the main process; the worker processes are its children.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    fn signal(&self, signal: Signal) {
        let _ = kill_process(Pid::from_child(&self.process), signal);
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            // Do not use SIGKILL, because nginx's worker process would survive.
            self.signal(Signal::TERM);
            let _ = self.process.wait();
        }
    }
}

impl FileServer {
    /// Serves the folder [`files`](Self::files) inside `folder`. `rate` limits each connection, in bytes per second;
    /// `None` means no limit.
    pub async fn start(folder: &Path, rate: Option<u64>) -> Result<Self> {
        fs::create_dir_all(folder.join("files"))?;
        let (place, rate) = (folder.to_owned(), rate.unwrap_or(0));
        let started = tokio::task::spawn_blocking(move || {
            let log = place.join("access.log");
            Nginx::start_on_ports(&place, |[port]| {
                format!(
                    "log_format short '$uri $status $body_bytes_sent $http_range';
                     access_log {} short; limit_rate {rate};
                     server {{ listen 127.0.0.1:{port} sndbuf={SEND_BUFFER}; root {}/files; }}",
                    log.display(),
                    place.display()
                )
            })
        });
        let (nginx, [port]) = started.await??;
        Ok(Self { nginx, port })
    }

    /// Folder that contains the served files.
    pub fn files(&self) -> PathBuf {
        self.nginx.folder.join("files")
    }

    /// Returns the URL of a served file.
    pub fn url(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}/{name}", self.port)
    }

    /// Stops nginx and returns its access log, which nginx writes before it ends. Each line has the path, status, body
    /// bytes and requested range of one request.
    pub fn stop(mut self) -> Result<String> {
        self.nginx.signal(Signal::QUIT);
        self.nginx.process.wait()?;
        Ok(fs::read_to_string(self.nginx.folder.join("access.log"))?)
    }
}

fn installed() -> Result<PathBuf> {
    Nginx::program().context("nginx is not installed. Install it: sudo apt-get install nginx-light")
}

fn configuration(folder: &Path, http: &str) -> String {
    let folder = folder.display();
    // If nginx is started by root, the default user of its worker cannot read this folder.
    let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    format!(
        "daemon off; {user} worker_processes 1; pid {folder}/pid;
         events {{ worker_connections 2048; }}
         http {{
           default_type application/octet-stream; sendfile on;
           client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
           uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
           {http}
         }}\n"
    )
}
