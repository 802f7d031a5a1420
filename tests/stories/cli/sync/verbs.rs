//! Tests the subcommands of `ashore sync`: their output for users, and their use without a running engine.

use ashore_testkit::origin::{Body, Origin};
use serde_json::{Value, json};

use crate::cli::sync::household::{Household, Machine};

/// Sentence that is printed after a change that has to be sent to other machines.
const CHANGED: &str = "Done. The other machines get the change with the next sync.\n";

/// Returns the words of each line of `text`.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split_whitespace().collect()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_and_recovery_words_and_sync_status_are_printed_as_text() {
    let household = Household::new().await;
    let (laptop, sheet) = household.first("Laptop").await;
    let off = Machine::new().await;
    assert_eq!(off.text(&["sync"]).await, "Sync is off on this machine. Set up a list, or join one.\n");
    let desktop = household.next(&laptop, "Desktop").await;
    laptop.object(&["add", "https://files.test/a.pdf", "--paused"]).await;
    Machine::sync_until_idle(&[&laptop, &desktop]).await;

    let status = laptop.object(&["sync"]).await;
    assert_eq!((&status["is_on"], &status["name"]), (&json!(true), &json!("Laptop")));
    let (shown, address) = (laptop.text(&["sync"]).await, &household.server.address);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], format!("Sync is on. This machine is \"Laptop\", and the server is {address}."));
    let fingerprint = status["fingerprint"].as_str().unwrap();
    assert_eq!(lines[1], format!("Fingerprint of the key, the same on all your machines: {fingerprint}"));
    assert_eq!(desktop.object(&["sync"]).await["fingerprint"], fingerprint);
    let table = rows(&shown)[2..].to_vec();
    assert_eq!(table[0], ["COLLECTION", "HERE", "WAITING", "NOT", "READ"]);
    for row in [["clients", "2", "0", "0"], ["dl-items", "1", "0", "0"]] {
        assert!(table.contains(&row.to_vec()), "{shown}");
    }

    let devices = laptop.objects(&["sync", "devices"]).await;
    let shown = laptop.text(&["sync", "devices"]).await;
    let table = rows(&shown);
    assert_eq!((table.len(), table[0].clone()), (3, vec!["MACHINE", "ID", "LAST", "SEEN"]), "{shown}");
    for device in &devices {
        let [name, id] = ["name", "device"].map(|field| device[field].as_str().unwrap());
        let row = table.iter().find(|row| row[0] == name).unwrap();
        let is_day = row[2].len() == 10 && row[2].matches('-').count() == 2;
        assert!(row[1] == id && is_day, "{shown}");
        assert_eq!(row[3..].join(" "), if name == "Laptop" { "(this machine)" } else { "" });
    }

    let shown = laptop.text(&["sync", "words"]).await;
    let heading = "Write down these 24 words, the address and the number. Without them, the list cannot be recovered.\n";
    assert!(shown.starts_with(heading), "{shown}");
    for (at, word) in sheet["words"].as_array().unwrap().iter().enumerate() {
        assert!(shown.contains(&format!("{:>2}. {}", at + 1, word.as_str().unwrap())), "{shown}");
    }
    let place = format!("Address: {}\nNumber: {}\n", sheet["address"].as_str().unwrap(), sheet["uid"]);
    assert!(shown.ends_with(&place), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn setup_and_invite_commands_print_the_next_command() {
    let household = Household::new().await;
    let (laptop, desktop) = (Machine::new().await, Machine::new().await);
    let shown = laptop.text(&["sync", "setup", household.server.set_up_link().unwrap(), "--name", "Laptop"]).await;
    let next = "The list is set up. Run `ashore sync invite` for a link that the next machine joins with.\n";
    assert!(shown.starts_with("Write down these 24 words, the address and the number.") && shown.contains(next), "{shown}");
    let shown = laptop.text(&["sync", "invite"]).await;
    let heading = "Run this command on the other machine within ten minutes. The link works once.\nashore sync join '";
    let link = shown.strip_prefix(heading).and_then(|rest| rest.strip_suffix("'\n")).unwrap_or_else(|| panic!("{shown}"));
    let shown = desktop.text(&["sync", "join", link, "--name", "Desktop"]).await;
    assert_eq!(shown, "This machine has joined the list.\n");
    assert_eq!(desktop.text(&["sync", "leave"]).await, "Sync is off on this machine. Its downloads and files stay.\n");
    assert_eq!(desktop.text(&["sync"]).await, "Sync is off on this machine. Set up a list, or join one.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn new_machine_name_and_cleared_history_reach_all_machines() {
    let origin = Origin::start().await;
    origin.file("/a.pdf", Body::bytes("a"));
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    laptop.add(origin.url("/a.pdf").as_str()).await;
    laptop.has("a.pdf", "settled").await;
    Machine::sync_until_idle(&[&laptop, &desktop]).await;
    assert_eq!((laptop.past_downloads().await, desktop.past_downloads().await), (json!(1), json!(1)));

    assert_eq!(laptop.text(&["sync", "rename", "Study"]).await, CHANGED);
    assert_eq!(laptop.text(&["sync", "clear-history", "--keep", "1"]).await, CHANGED);
    Machine::sync_until_idle(&[&laptop, &desktop]).await;
    let devices = desktop.objects(&["sync", "devices"]).await;
    let mut names: Vec<&str> = devices.iter().map(|device| device["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Desktop", "Study"]);
    assert_eq!((laptop.past_downloads().await, desktop.past_downloads().await), (json!(1), json!(1)), "it is from today");
    assert_eq!(laptop.text(&["sync", "clear-history", "--keep", "0"]).await, CHANGED);
    Machine::sync_until_idle(&[&laptop, &desktop]).await;
    assert_eq!((laptop.past_downloads().await, desktop.past_downloads().await), (json!(0), json!(0)));
    assert_eq!(desktop.object(&["sync", "rename", "Attic"]).await, json!({ "done": true }));

    let error = laptop.refusal_in_words(&["sync", "rename", ""], "").await;
    assert_eq!(error["text"], "The name of a machine must have 1 to 64 characters. Choose another name.");
    let error = laptop.refusal_in_words(&["sync", "trust", "Phone"], "").await;
    let unknown = "This machine, download or conflict is not in the list, or no longer exists. Check the name or the id.";
    assert_eq!((&error["code"], &error["text"]), (&json!("sync-unknown"), &json!(unknown)));
}

#[tokio::test(flavor = "multi_thread")]
async fn argument_that_looks_like_option_is_accepted_only_if_it_names_list_entry() {
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let id = laptop.object(&["add", "https://files.test/a.pdf", "--paused"]).await["unique_id"].as_str().unwrap().to_owned();
    for option in ["--", "--jsno", "-x"] {
        for verb in [
            &["sync", "ask", "--", option, "pause"][..],
            &["sync", "remove", "--", option],
            &["sync", "trust", "--", option],
            &["sync", "send", "--", &id, option],
            &["add", "https://files.test/b.pdf", "--to", option],
        ] {
            let ran = laptop.person.run(verb).await;
            let sentence = format!("\"{option}\" is not an option, and no machine or download has this name or id.");
            let expected = (Some(2), format!("ashore: {sentence} Check the spelling.\n"));
            assert_eq!((ran.code, ran.stderr), expected, "{verb:?}");
        }
    }
    let with_json = laptop.person.run(["sync", "remove", "-x", "--json"]).await;
    assert_eq!((with_json.code, with_json.error_code()), (Some(2), "fault-id".to_owned()));
    assert_eq!(laptop.refusal(&["sync", "remove", "Phone"]).await, "sync-unknown");
    // Names may begin with a hyphen, as some older ids do.
    laptop.text(&["sync", "rename", "--", "-x"]).await;
    laptop.sync().await;
    assert_eq!(laptop.text(&["sync", "trust", "-x"]).await, "From now on, downloads from -x start without asking.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_conflicts_can_be_listed_and_resolved_while_engine_is_off() {
    let household = Household::new().await;
    let (mut laptop, _) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    assert_eq!(laptop.text(&["sync", "conflicts"]).await, "There are no conflicts.\n");
    // Stop the engine, so that no cycle runs between the changes.
    for machine in [&mut laptop, &mut desktop] {
        machine.stop().await;
    }
    for (machine, parallel, attempts) in [(&laptop, "3", "7"), (&desktop, "5", "9")] {
        machine.person.object(&["settings", "parallel", parallel, "--json"]).await;
        machine.person.object(&["settings", "attempts", attempts, "--json"]).await;
    }
    let sent = laptop.text(&["sync", "now"]).await;
    assert!(sent.starts_with("Received: ") && sent.contains("Sent: "), "{sent}");
    desktop.sync().await;
    assert_eq!(desktop.object(&["sync", "status"]).await["conflicts"], 2);
    let status = desktop.text(&["sync", "status"]).await;
    assert!(status.contains("2 changes were overridden by another machine. See `ashore sync conflicts`."), "{status}");

    let conflicts = desktop.objects(&["sync", "conflicts"]).await;
    let number = |title: &str| conflicts.iter().find(|one| one["title"] == title).unwrap()["number"].to_string();
    let (parallel, attempts) = (number("parallel"), number("attempts"));
    let shown = desktop.text(&["sync", "conflicts", &parallel]).await;
    assert_eq!(shown, format!("{parallel}  parallel: “3” of Laptop was overridden by “5”.\n"));
    assert_eq!(desktop.text(&["sync", "conflicts", &attempts, "--drop"]).await, "The winning change is kept.\n");
    assert_eq!(desktop.text(&["sync", "conflicts", &parallel, "--take"]).await, CHANGED);
    assert_eq!(desktop.text(&["sync", "conflicts"]).await, "There are no conflicts.\n");
    assert_eq!(desktop.refusal(&["sync", "conflicts", &parallel, "--take"]).await, "sync-unknown");
    for machine in [&desktop, &laptop] {
        machine.sync().await;
    }
    let chosen =
        async |machine: &Machine, name: &str| machine.person.object(&["settings", name, "--json"]).await["value"].clone();
    for machine in [&laptop, &desktop] {
        assert_eq!((chosen(machine, "parallel").await, chosen(machine, "attempts").await), (json!(3.0), json!(9.0)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn conflict_text_names_removing_machine_and_download_can_be_fetched_again() {
    let household = Household::new().await;
    let (mut laptop, _) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    let added = laptop.object(&["add", "https://files.test/a.pdf", "--paused"]).await;
    Machine::sync_until_idle(&[&laptop, &desktop]).await;
    let other = desktop.sees("a.pdf", "paused").await;
    // Stop the engine, so that no cycle runs between the changes.
    for machine in [&mut laptop, &mut desktop] {
        machine.stop().await;
    }
    desktop.object(&["sync", "ask", &other, "resume"]).await;
    laptop.object(&["remove", added["unique_id"].as_str().unwrap()]).await;
    for machine in [&laptop, &desktop] {
        machine.sync().await;
    }
    let number = desktop.object(&["sync", "conflicts"]).await["number"].to_string();
    let shown = desktop.text(&["sync", "conflicts"]).await;
    let sentence = "This machine changed this download while Laptop removed it. The removal applies.";
    assert_eq!(shown, format!("{number}  a.pdf: {sentence}\n"));
    assert_eq!(desktop.text(&["sync", "conflicts", &number, "--take"]).await, CHANGED);
    assert_eq!((desktop.titles().await, laptop.titles().await), (vec!["a.pdf".to_owned()], Vec::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_cycle_runs_while_engine_is_off() {
    let household = Household::new().await;
    let (mut laptop, _) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    for machine in [&mut laptop, &mut desktop] {
        machine.stop().await;
    }
    laptop.object(&["add", "https://files.test/a.pdf", "--paused"]).await;
    let waiting = async |machine: &Machine| -> u64 {
        let status = machine.object(&["sync", "status"]).await;
        status["collections"].as_array().unwrap().iter().map(|one| one["waiting"].as_u64().unwrap()).sum()
    };
    assert_ne!(waiting(&laptop).await, 0, "the change waits for a cycle");
    let text = laptop.text(&["sync", "now"]).await;
    assert!(text.starts_with("Received: "), "{text}");
    assert_eq!(waiting(&laptop).await, 0);
    let outcome = desktop.sync().await;
    assert!(outcome["received"].as_u64() > Some(0), "{outcome}");
    let others = desktop.objects(&["sync", "others"]).await;
    assert_eq!((others.len(), &others[0]["title"]), (1, &json!("a.pdf")));
    let status = desktop.object(&["sync", "status"]).await;
    assert_eq!((&status["is_on"], &status["fault"]), (&json!(true), &Value::Null));
    assert!(status["synced_ms"].as_i64() > Some(0), "{status}");
}
