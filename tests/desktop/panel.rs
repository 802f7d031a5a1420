//! Fake system tray: accepts the program's icon, reads its menu over D-Bus and clicks in the menu.

use std::collections::HashMap;

use ashore_testkit::waits::{DEADLINE, until, within};
use gtk::gdk_pixbuf::Pixbuf;
use tokio::{sync::watch, time::timeout};
use zbus::{
    Connection, Proxy,
    connection::Builder,
    interface,
    message::Header,
    object_server::SignalEmitter,
    zvariant::{OwnedObjectPath, OwnedValue, Value},
};

use crate::pictures::sources;

/// Bus name of a program with a tray item, and the path of the item.
type Item = (String, String);

struct Watcher {
    items: watch::Sender<Vec<Item>>,
    answers: watch::Sender<PanelAnswers>,
}

/// Answers to queries about whether the panel shows icons.
#[derive(Debug)]
struct PanelAnswers {
    given: u64,
    /// Number of answers that the panel gives before it stops answering.
    last: u64,
}

/// Line of the tray menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    id: i32,
    /// Label of this menu line.
    pub label: String,
    /// Whether the menu line can be clicked.
    pub enabled: bool,
    /// Whether the menu line is ticked.
    pub ticked: bool,
    /// Items of the submenu that this item opens.
    pub children: Vec<Line>,
}

type Node = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

/// Converts menu nodes to menu lines; omits separators.
fn lines(children: Vec<OwnedValue>) -> Vec<Line> {
    children
        .into_iter()
        .map(|child| Node::try_from(child).unwrap())
        .filter(|(_, properties, _)| properties.get("type").is_none_or(|kind| !is_text(kind, "separator")))
        .map(|(id, properties, children)| Line {
            id,
            // A single underscore marks the access key. Two underscores are a literal underscore.
            label: properties.get("label").and_then(|label| String::try_from(label.clone()).ok()).unwrap_or_default(),
            enabled: properties.get("enabled").is_none_or(|enabled| bool::try_from(enabled).unwrap_or(true)),
            ticked: properties.get("toggle-state").is_some_and(|state| i32::try_from(state).is_ok_and(|state| state == 1)),
            children: lines(children),
        })
        .collect()
}

/// Fake system tray, and the items that are registered in it.
pub struct Panel {
    bus: Connection,
    items: watch::Receiver<Vec<Item>>,
    answers: watch::Sender<PanelAnswers>,
}

impl Panel {
    /// Serves `org.kde.StatusNotifierWatcher` on the bus at `address`.
    pub async fn serve(address: &str) -> Self {
        let (items, seen) = watch::channel(Vec::new());
        let (answers, _) = watch::channel(PanelAnswers { given: 0, last: u64::MAX });
        let watcher = Watcher { items, answers: answers.clone() };
        let builder = Builder::address(address).unwrap().serve_at("/StatusNotifierWatcher", watcher).unwrap();
        let bus = builder.name("org.kde.StatusNotifierWatcher").unwrap().build().await.unwrap();
        Self { bus, items: seen, answers }
    }

    /// Releases the bus name, as if the tray had exited.
    pub async fn leave(&self) {
        self.bus.release_name("org.kde.StatusNotifierWatcher").await.unwrap();
    }

    /// Claims the bus name again.
    pub async fn come_back(&self) {
        self.bus.request_name("org.kde.StatusNotifierWatcher").await.unwrap();
    }

    /// Answers only the next query about whether the panel shows icons. Later queries wait for [`Panel::answer_again`].
    pub fn answer_once(&self) {
        self.answers.send_modify(|answers| answers.last = answers.given + 1);
    }

    /// Answers the waiting queries and all later ones.
    pub fn answer_again(&self) {
        self.answers.send_modify(|answers| answers.last = u64::MAX);
    }

    /// Waits for the icon of a running program. Returns the bus name and path of the icon.
    pub async fn item(&self) -> (String, String) {
        until("the icon is in the tray", async || {
            let items = self.items.borrow().clone();
            for (owner, path) in items.into_iter().rev() {
                let item = Proxy::new(&self.bus, owner.clone(), path.clone(), "org.kde.StatusNotifierItem").await.ok()?;
                if item.get_property::<OwnedObjectPath>("Menu").await.is_ok() {
                    return Some((owner, path));
                }
            }
            None
        })
        .await
    }

    /// Waits until the icon has this state: `idle`, `running` or `attention`.
    pub async fn looks(&self, state: &str) {
        let icon = sources().join(format!("icons/tray-{state}.png"));
        let icon = Pixbuf::from_file(&icon).unwrap();
        let mut wanted = icon.read_pixel_bytes().to_vec();
        // Trays expect colours in ARGB order, alpha first.
        wanted.chunks_exact_mut(4).for_each(|pixel| pixel.rotate_right(1));
        until(&format!("the icon is {state}"), async || {
            let (owner, path) = self.item().await;
            let item = Proxy::new(&self.bus, owner, path, "org.kde.StatusNotifierItem").await.ok()?;
            let sizes: Vec<(i32, i32, Vec<u8>)> = item.get_property("IconPixmap").await.ok()?;
            sizes.iter().all(|(_, _, pixels)| *pixels == wanted).then_some(())
        })
        .await;
    }

    /// Clicks the icon itself.
    pub async fn activate(&self) {
        let (owner, path) = self.item().await;
        let item = Proxy::new(&self.bus, owner, path, "org.kde.StatusNotifierItem").await.unwrap();
        item.call::<_, _, ()>("Activate", &(0i32, 0i32)).await.unwrap();
    }

    /// Returns the lines of the menu from top to bottom; omits separators.
    pub async fn menu(&self) -> Vec<Line> {
        let menu = self.menu_proxy().await;
        let asked = timeout(DEADLINE, menu.call("GetLayout", &(0i32, -1i32, Vec::<&str>::new()))).await.unwrap();
        let (_, (_, _, children)): (u32, Node) = asked.unwrap();
        lines(children)
    }

    /// Waits for a menu line whose label satisfies `wanted`.
    pub async fn line(&self, what: &str, wanted: impl Fn(&str) -> bool) -> Line {
        let mut last = Vec::new();
        let found = within(async || {
            last = self.menu().await;
            last.iter().find(|line| wanted(&line.label)).cloned()
        });
        match found.await {
            Some(line) => line,
            None => panic!("not within {DEADLINE:?}: the tray's menu says {what}; {last:?}"),
        }
    }

    /// Clicks the line with this label as soon as it exists.
    pub async fn click(&self, label: &str) {
        let line = self.line(label, |found| found == label).await;
        self.click_on(&line).await;
    }

    /// Clicks a line. If the menu has changed since, the tray refuses the id of the line. In that case, clicks the new
    /// line with the same label.
    pub async fn click_on(&self, line: &Line) {
        let mut id = line.id;
        loop {
            let menu = self.menu_proxy().await;
            let event = (id, "clicked", Value::from(0i32), 0u32);
            match timeout(DEADLINE, menu.call::<_, _, ()>("Event", &event)).await.unwrap() {
                Err(zbus::Error::MethodError(name, ..)) if name == "org.freedesktop.DBus.Error.InvalidArgs" => {
                    id = self.line(&line.label, |found| found == line.label).await.id;
                }
                // A program that quits may end before it has answered.
                _ => return,
            }
        }
    }

    async fn menu_proxy(&self) -> Proxy<'static> {
        let (owner, path) = self.item().await;
        let item = Proxy::new(&self.bus, owner.clone(), path, "org.kde.StatusNotifierItem").await.unwrap();
        let menu: OwnedObjectPath = item.get_property("Menu").await.unwrap();
        Proxy::new(&self.bus, owner, menu, "com.canonical.dbusmenu").await.unwrap()
    }
}

fn is_text(value: &OwnedValue, text: &str) -> bool {
    String::try_from(value.clone()).is_ok_and(|found| found == text)
}

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    async fn register_status_notifier_item(
        &mut self,
        service: String,
        #[zbus(header)] header: Header<'_>,
        #[zbus(signal_emitter)] emitter: SignalEmitter<'_>,
    ) {
        let sender = header.sender().unwrap().to_string();
        // Some programs register a path on their own connection, others register a bus name.
        let item = if service.starts_with('/') { (sender, service) } else { (service, "/StatusNotifierItem".to_owned()) };
        Self::status_notifier_item_registered(&emitter, &format!("{}{}", item.0, item.1)).await.unwrap();
        self.items.send_modify(|items| items.push(item));
    }

    fn register_status_notifier_host(&self, _service: String) {}

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        self.items.borrow().iter().map(|(owner, path)| format!("{owner}{path}")).collect()
    }

    #[zbus(property)]
    async fn is_status_notifier_host_registered(&self) -> bool {
        let mut changes = self.answers.subscribe();
        changes.wait_for(|answers| answers.given < answers.last).await.unwrap();
        self.answers.send_modify(|answers| answers.given += 1);
        true
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }

    #[zbus(signal)]
    async fn status_notifier_item_registered(emitter: &SignalEmitter<'_>, service: &str) -> zbus::Result<()>;
}
