//! Takes the pictures of the README from the running program.
//!
//! A real panel and a real notification daemon run on the same desktop. Not a test: `make screenshots` runs it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use ashore_engine::{NewRegistration, NewRequest, Registration, RegistrationState, RequestSource};
use ashore_rpc::MethodCall;
use ashore_testkit::{
    origin::{Body, Origin},
    running::RunningProgram,
    waits::until,
};
use tokio::time::sleep;

use crate::{
    page::WindowPage,
    scenes::{LIGHT, SCENES},
    stage::Stage,
};

const MB: u64 = 1_000_000;

/// Time that is long enough to paint a window. No event signals the end of painting.
const PAINTED: Duration = Duration::from_secs(3);

/// Sync scenes in the README, each with the file name of its picture.
const SYNC: [(&str, &str); 2] = [("Sync, three machines", "sync.png"), ("Other machines", "other-machines.png")];

const PANEL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="dark-mode" type="bool" value="true"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="32"/>
      <property name="icon-size" type="uint" value="22"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/>
        <value type="int" value="2"/>
        <value type="int" value="3"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="separator">
      <property name="expand" type="bool" value="true"/>
      <property name="style" type="uint" value="0"/>
    </property>
    <property name="plugin-2" type="string" value="systray">
      <property name="square-icons" type="bool" value="true"/>
    </property>
    <property name="plugin-3" type="string" value="clock">
      <property name="mode" type="uint" value="2"/>
      <property name="digital-layout" type="uint" value="3"/>
      <property name="digital-time-format" type="string" value="%H:%M"/>
    </property>
  </property>
</channel>
"#;

const DUNST: &str = r##"[global]
    width = 440
    height = 300
    origin = top-right
    offset = 20x52
    font = DejaVu Sans 10
    markup = full
    format = "<b>%s</b>\n%b"
    icon_position = left
    min_icon_size = 40
    max_icon_size = 40
    padding = 14
    horizontal_padding = 16
    text_icon_padding = 14
    corner_radius = 8
    frame_width = 0
    separator_height = 2
    separator_color = "#e4e7eb"
    progress_bar = true
    progress_bar_height = 6
    progress_bar_frame_width = 0
    progress_bar_min_width = 408
    progress_bar_max_width = 408
    idle_threshold = 0
    show_indicators = false
    sort = false
[urgency_low]
    background = "#ffffff"
    foreground = "#1f2933"
    highlight = "#0b6b94"
    timeout = 0
[urgency_normal]
    background = "#ffffff"
    foreground = "#1f2933"
    highlight = "#0b6b94"
    timeout = 0
"##;

/// Returns the source tree in which `cargo test` runs, which may differ from the tree in which this test was compiled.
pub fn sources() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the folder of the package");
    PathBuf::from(package).join("..")
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes the README's pictures: `make screenshots`"]
async fn readme_pictures_are_captured() {
    for (name, theme) in [("light", "Adwaita"), ("dark", "Adwaita:dark")] {
        let studio = Studio::new(theme).await;
        let origin = Origin::start().await;
        // Move the pointer away, because the row under the pointer is highlighted.
        let _ = studio.stage.command("xdotool").args(["mousemove", "2", "798"]).status();
        let _ashore = studio.ashore(theme).await;
        let running = studio.scene(&origin).await;
        studio.picture(&format!("window-{name}.png"), &["-window", &studio.window()]);
        if name == "light" {
            studio.take_notification(&running).await;
            studio.take_tray().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes the README's pictures: `make screenshots`"]
async fn readme_pictures_of_sync_are_captured() {
    let stage = Stage::new().await;
    let page = WindowPage::open_for_pictures(&stage).await;
    // The window must be shown once, because hidden windows are never painted.
    stage.windows_are(1).await;
    for (name, file) in SYNC {
        let scene = SCENES.iter().find(|scene| scene.name == name).expect("the scene exists");
        scene.set(&page, LIGHT).await;
        fs::write(sources().join("docs/screenshots").join(file), page.picture().await).unwrap();
    }
}

struct Studio {
    stage: Stage,
    _programs: Vec<RunningProgram>,
}

impl Studio {
    /// Creates a desktop with a real panel and a real notification daemon. The daemon is paused at first.
    async fn new(theme: &str) -> Self {
        let stage = Stage::new().await;
        stage.notifications.leave().await;
        stage.panel.leave().await;
        let home = stage.data().parent().unwrap().to_owned();
        let write = |path: &str, text: &str| {
            let path = home.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(".config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml", PANEL);
        write("dunstrc", DUNST);
        write("data/ashore.toml", "parallel-per-host = 16\nparallel = 16\n");
        write("data/window.json", r#"{"told_about_tray": true}"#);

        let started = |program: &str, arguments: &[&str]| {
            let mut command = stage.command(program);
            command.args(arguments).env("GTK_THEME", theme);
            stage.start(command)
        };
        // Ignore the exit status: `display` reports a failure even if it has painted the background.
        let _ = stage.command("display").args(["-size", "1280x800", "-window", "root", "gradient:#3f7cac-#1d4e73"]).status();
        let mut programs = vec![started(&settings_daemon().to_string_lossy(), &[])];
        sleep(PAINTED).await;
        programs.push(started("xfce4-panel", &["--disable-wm-check"]));
        programs.push(started("dunst", &["-conf", &home.join("dunstrc").to_string_lossy()]));
        until("the notification daemon answers", async || {
            stage.command("dunstctl").args(["set-paused", "true"]).stderr(Stdio::null()).status().ok()?.success().then_some(())
        })
        .await;
        sleep(PAINTED).await;
        Self { stage, _programs: programs }
    }

    /// Starts the program with its window open.
    async fn ashore(&self, theme: &str) -> RunningProgram {
        let mut command = self.stage.command(self.stage.program());
        command.env("GTK_THEME", theme);
        let running = self.stage.start(command);
        self.stage.windows_are(1).await;
        self.stage.client().await;
        running
    }

    /// Adds the downloads of a typical day: two running, one failed, one finished, and one paused.
    async fn scene(&self, origin: &Origin) -> Registration {
        let tick = Duration::from_millis(25);
        let serve = |path: &str, size: u64| origin.file(path, Body::seeded(size, size));
        serve("/thesis.pdf", 8_140_000);
        self.add(origin, "thesis.pdf", &["/thesis.pdf"], false).await;

        serve("/photos-1.zip", 22 * MB);
        origin.refuses("/photos-2.zip", 404);
        self.add(origin, "Photos of the harbour", &["/photos-1.zip", "/photos-2.zip"], false).await;

        serve("/tide-tables.tar.gz", 64 * MB);
        let paused = self.add(origin, "tide-tables.tar.gz", &["/tide-tables.tar.gz"], true).await;
        self.stage.registration(&paused, "it is paused", |now| now.state == RegistrationState::Paused).await;

        serve("/lecture-07.mp4", 620 * MB).trickle(90_000, tick);
        self.add(origin, "lecture-07.mp4", &["/lecture-07.mp4"], false).await;

        let files = ["/SHA512SUMS", "/debian-13-netinst.iso", "/debian-13-dvd-1.iso", "/debian-13-dvd-2.iso"];
        serve(files[0], 400_000);
        serve(files[1], 66 * MB);
        serve(files[2], 96 * MB).trickle(110_000, tick);
        serve(files[3], 118 * MB).trickle(110_000, tick);
        let set = self.add(origin, "Debian 13 installer set", &files, false).await;
        self.stage.registration(&set, "most of it is there", |now| now.downloaded > 200 * MB).await;
        sleep(PAINTED).await;
        set
    }

    async fn add(&self, origin: &Origin, title: &str, paths: &[&str], paused: bool) -> Registration {
        let requests = paths.iter().map(|path| NewRequest { url: origin.url(path).to_string(), ..NewRequest::default() });
        let new = NewRegistration {
            source: RequestSource::Window,
            owner: "window".to_owned(),
            title: Some(title.to_owned()),
            folder: Some(self.stage.downloads()),
            paused,
            requests: requests.collect(),
            ..NewRegistration::default()
        };
        self.stage.client().await.call(&MethodCall::Create(new)).await.unwrap()
    }

    async fn take_notification(&self, running: &Registration) {
        self.stage.close_window().await;
        for order in [&["close-all"][..], &["set-paused", "false"]] {
            assert!(self.stage.command("dunstctl").args(order).status().unwrap().success());
        }
        self.stage.registration(running, "it goes on", |now| now.downloaded > 210 * MB).await;
        sleep(PAINTED).await;
        self.picture("notification.png", &["-window", "root", "-crop", "500x220+780+32", "+repage"]);
        assert!(self.stage.command("dunstctl").arg("set-paused").arg("true").status().unwrap().success());
    }

    async fn take_tray(&self) {
        // Right-click the icon, which is to the left of the clock, to open its menu. Then move the pointer away, so
        // that no tooltip covers the menu.
        let pointer = ["mousemove", "1213", "16", "click", "3", "mousemove", "2", "798"];
        let _ = self.stage.command("xdotool").args(pointer).status();
        sleep(PAINTED).await;
        self.picture("tray.png", &["-window", "root", "-crop", "400x240+880+0", "+repage"]);
        self.stage.keys("Escape");
    }

    /// Returns the X11 id of the window.
    fn window(&self) -> String {
        let found = self.stage.command("xdotool").args(["search", "--onlyvisible", "--name", "^Ashore$"]).output().unwrap();
        String::from_utf8_lossy(&found.stdout).lines().next().expect("there is a window").to_owned()
    }

    fn picture(&self, name: &str, what: &[&str]) {
        let folder = sources().join("docs/screenshots");
        fs::create_dir_all(&folder).unwrap();
        let mut import: Command = self.stage.command("import");
        let path: PathBuf = folder.join(name);
        assert!(import.args(what).arg("-strip").arg(&path).status().unwrap().success(), "{} was not taken", path.display());
    }
}

/// Returns the path of the settings daemon that the panel needs. Distributions use different paths.
fn settings_daemon() -> PathBuf {
    let libraries = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib"];
    let found = libraries.iter().map(|folder| Path::new(folder).join("xfce4/xfconf/xfconfd")).find(|path| path.is_file());
    found.expect("xfce4-panel has brought its settings daemon")
}
