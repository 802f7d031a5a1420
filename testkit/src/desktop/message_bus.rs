//! Private message bus without any service.

use std::{fs, path::Path, process::Command};

use anyhow::Result;

use crate::processes::running::RunningProgram;

const CONFIGURATION: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=@FOLDER@</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
</busconfig>
"#;

/// Starts a bus with its socket and configuration in `folder`. Returns the process and address of the bus.
pub fn start(folder: &Path) -> Result<(RunningProgram, String)> {
    let configuration = folder.join("bus.conf");
    fs::write(&configuration, CONFIGURATION.replace("@FOLDER@", &folder.to_string_lossy()))?;
    let mut daemon = Command::new("dbus-daemon");
    daemon.arg("--config-file").arg(&configuration).args(["--nofork", "--nopidfile", "--print-address=1"]);
    RunningProgram::start_and_hear(daemon)
}
