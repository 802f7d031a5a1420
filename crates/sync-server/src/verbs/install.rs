//! `ashore-sync-server install`: writes a systemd unit for the current user.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::{
    arguments::{CommonArguments, ServeArguments},
    print::TerminalOutput,
    problem::{ServerExit, ServerProblem},
};

/// Name of the unit.
const UNIT: &str = "ashore-sync-server.service";

/// Next steps, printed for the user.
const NEXT: &str = "\
Start it now and with every start of this machine:
    systemctl --user daemon-reload
    systemctl --user enable --now ashore-sync-server
    loginctl enable-linger";

/// Writes the unit; the user starts it.
pub fn install(common: &CommonArguments, serving: &ServeArguments, out: TerminalOutput) -> Result<ServerExit, ServerProblem> {
    let program = env::current_exe()
        .map_err(|error| ServerProblem::failed("not-started", format!("This program cannot be found: {error}.")))?;
    let folder = super::folder(common)?;
    let config =
        dirs::config_dir().ok_or_else(|| ServerProblem::Usage("There is no home folder to write the unit in.".to_owned()))?;
    let path = config.join("systemd/user").join(UNIT);
    let failed = |error| ServerProblem::failed("file", format!("{} cannot be written: {error}.", path.display()));
    fs::create_dir_all(config.join("systemd/user")).map_err(failed)?;
    // The address of a database can contain a password, and other users can read units. Therefore, write the address to
    // a separate file.
    if let Some(database) = &common.database {
        let environment = folder.join("environment");
        let text = format!("ASHORE_SYNC_SERVER_DATABASE={}\n", quoted(database));
        ashore_sync_server::http::tls::write(&environment, text.as_bytes(), 0o600)?;
        ashore_sync_server::http::tls::check_mode(&environment)?;
    }
    fs::write(&path, unit(&program, &folder, &options(serving))).map_err(failed)?;
    match out.json {
        true => out.object(&serde_json::json!({ "unit": path }))?,
        false => out.line(path.display())?,
    }
    match is_installed("systemctl") {
        true => out.print_line(NEXT),
        false => out.print_line(format_args!(
            "systemctl is not installed here, so nothing starts this unit. Start the server yourself:\n    {}",
            words(&common.data_dir, &options(serving)).join(" ")
        )),
    }
    Ok(ServerExit::Done)
}

fn is_installed(program: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

/// Returns the command, quoted for a shell, that starts the server without a unit.
fn words(data_dir: &Option<PathBuf>, options: &[String]) -> Vec<String> {
    let place = data_dir.iter().flat_map(|folder| ["--data-dir".to_owned(), folder.display().to_string()]);
    let program = "ashore-sync-server".to_owned();
    let words = [program].into_iter().chain(place).chain(["serve".to_owned()]).chain(options.iter().cloned());
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@%+,".contains(letter);
    let quoted = |word: String| match word.is_empty() || !word.chars().all(is_plain) {
        true => format!("'{}'", word.replace('\'', "'\\''")),
        false => word,
    };
    words.map(quoted).collect()
}

/// Returns the options that the unit passes to `serve`.
fn options(serving: &ServeArguments) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    let mut add = |name: &str, value: String| options.extend([name.to_owned(), value]);
    serving.listen.iter().for_each(|address| add("--listen", address.to_string()));
    serving.proxy.iter().for_each(|network| add("--proxy", network.to_string()));
    serving.public_url.iter().for_each(|url| add("--public-url", url.clone()));
    for (name, file) in [("--certificate", &serving.certificate), ("--key", &serving.key), ("--secret", &serving.secret)] {
        if let Some(file) = file {
            let whole = std::path::absolute(file).unwrap_or_else(|_| file.clone());
            add(name, whole.display().to_string());
        }
    }
    serving.metrics.iter().for_each(|address| add("--metrics", address.to_string()));
    match serving.quota {
        i64::MAX => add("--quota", "none".to_owned()),
        bytes => add("--quota", bytes.to_string()),
    }
    let flags = [("--plain", serving.plain), ("--allow-new-users", serving.allow_new_users)];
    options.extend(flags.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| (*name).to_owned()));
    options
}

/// Returns the text of the unit.
///
/// The unit gives the server access only to its own folder and to the network.
fn unit(program: &Path, folder: &Path, options: &[String]) -> String {
    let (program, place) = (quoted(&program.display().to_string()), quoted(&folder.display().to_string()));
    let options: Vec<String> = options.iter().map(|option| quoted(option)).collect();
    let environment = quoted(&folder.join("environment").display().to_string());
    let environment = environment.trim_matches('"');
    format!(
        "[Unit]\n\
         Description=Ashore sync server\n\
         After=network-online.target\n\
         \n\
         [Service]\n\
         Type=notify\n\
         ExecStart={program} --data-dir {place} serve {}\n\
         EnvironmentFile=-{environment}\n\
         Restart=on-failure\n\
         RestartSec=5\n\
         UMask=0077\n\
         NoNewPrivileges=yes\n\
         ProtectSystem=strict\n\
         ProtectHome=read-only\n\
         ReadWritePaths={place}\n\
         PrivateTmp=yes\n\
         ProtectKernelTunables=yes\n\
         ProtectControlGroups=yes\n\
         RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX\n\
         RestrictNamespaces=yes\n\
         RestrictRealtime=yes\n\
         LockPersonality=yes\n\
         MemoryDenyWriteExecute=yes\n\
         SystemCallFilter=@system-service\n\
         SystemCallErrorNumber=EPERM\n\
         \n\
         [Install]\n\
         WantedBy=default.target\n",
        options.join(" ")
    )
}

/// Quotes a word for systemd.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systemd_unit_is_hardened_and_quotes_user_input() {
        let unit = unit(
            Path::new("/usr/bin/ashore-sync-server"),
            Path::new("/home/a b/50%"),
            &["--listen".into(), "0.0.0.0:5350".into()],
        );
        assert!(unit.contains(
            "ExecStart=\"/usr/bin/ashore-sync-server\" --data-dir \"/home/a b/50%%\" serve \"--listen\" \"0.0.0.0:5350\"\n"
        ));
        for line in ["Type=notify", "NoNewPrivileges=yes", "ProtectSystem=strict", "ReadWritePaths=\"/home/a b/50%%\""] {
            assert!(unit.lines().any(|found| found == line), "{line}");
        }
    }

    #[test]
    fn printed_server_command_is_quoted_for_a_shell() {
        let command =
            words(&Some("/home/a b".into()), &["--listen".into(), "[::]:5350".into(), "--secret".into(), "it's".into()]);
        assert_eq!(command.join(" "), r"ashore-sync-server --data-dir '/home/a b' serve --listen '[::]:5350' --secret 'it'\''s'");
    }
}
