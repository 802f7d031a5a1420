//! Tests of the command line parser.

use clap::error::ErrorKind;

use crate::arguments::*;

fn parse(line: &str) -> Result<CliArguments, clap::Error> {
    CliArguments::from(line.split(' ').map(OsString::from))
}

fn wanted(line: &str) -> WantedDownload {
    match parse(line).unwrap().verb {
        CliVerb::Get(fetching) => fetching.wanted,
        CliVerb::Add(adding) => adding.wanted,
        other => panic!("{other:?}"),
    }
}

#[test]
fn argument_definition_passes_clap_checks() {
    CliArguments::command().debug_assert();
}

#[test]
fn id_that_begins_with_hyphen_is_not_parsed_as_option() {
    let sync = |line: &str| match parse(&format!("ashore {line}")).unwrap().verb {
        CliVerb::Sync(arguments) => arguments.verb.unwrap(),
        other => panic!("{other:?}"),
    };
    let SyncVerb::Ask(asked) = sync("sync ask -CHlUwPq13sbMmEp move-here --json") else { panic!("another verb") };
    assert_eq!((asked.id.as_str(), asked.change), ("-CHlUwPq13sbMmEp", AskedChange::MoveHere));
    let SyncVerb::Remove(removed) = sync("sync remove -x3K --json") else { panic!("another verb") };
    assert_eq!(removed.device, "-x3K");
    let SyncVerb::Trust(trusted) = sync("sync trust --not -x3K") else { panic!("another verb") };
    assert_eq!((trusted.device.as_str(), trusted.not), ("-x3K", true));
    let SyncVerb::Send(sent) = sync("sync send 1b9d -x3K") else { panic!("another verb") };
    assert_eq!((sent.id.as_str(), sent.device.as_str()), ("1b9d", "-x3K"));
    let CliVerb::Add(adding) = parse("ashore add URL --to -x3K").unwrap().verb else { panic!("another verb") };
    assert_eq!(adding.to.as_deref(), Some("-x3K"));
    assert_eq!(parse("ashore sync ask").unwrap_err().kind(), ErrorKind::MissingRequiredArgument);
}

#[test]
fn every_documented_command_is_parsed() {
    for line in [
        "get URL",
        "add URL",
        "serve",
        "healthy",
        "healthy --url http://127.0.0.1:6800",
        "list",
        "list word --active --limit 3",
        "show 1b9d",
        "pause",
        "pause 1b9d 2c3d",
        "resume",
        "cancel 1b9d",
        "abort 1b9d",
        "ls",
        "rm 1b9d --files",
        "watch",
        "open 1b9d",
        "open 1b9d --folder",
        "relink 1b9d URL",
        "relink 1b9d URL --file 3",
        "move-to 1b9d /d",
        "move-to 1b9d 2c3d /d",
        "retry 1b9d",
        "remove 1b9d --files",
        "first 1b9d",
        "events",
        "first 1b9d --now",
        "move 1b9d --before 2c3d",
        "move 1b9d 3d4e --last",
        "add URL --first",
        "add URL --again",
        "add URL --until 300",
        "get URL --parts",
        "get URL --now --at-once 1",
        "doctor",
        "doctor --repair",
        "statistics",
        "quota",
        "quota all 50G --category video",
        "quota me --files 3",
        "quota me none",
        "add URL --keep-for 7d --takes-files",
        "serve --proxy none",
        "serve --remote --root /d",
        "serve --listen 0.0.0.0:6800 --listen unix:/r --allow-host nas.local --public-url https://nas.example/a --base-path /a",
        "remote",
        "remote list",
        "remote link --scope read",
        "remote token",
        "remote token --renew",
        "remote token --name sonarr --scope metrics",
        "remote sign-out Phone Tablet",
        "get URL --ca-certificate a.pem --allow-insecure-redirects --total-timeout 60",
        "limit",
        "limit 2M",
        "limit 5MB",
        "limit 5 MiB --host a",
        "quota me 1.5 GB",
        "add URL --size 5MB --download-total 500k",
        "limit none",
        "limit 500K --host example.org",
        "limit 1.5M --id 1b9d",
        "sync-server",
        "sync-server --help",
        "sync-server serve --listen 127.0.0.1:0 --data-dir /e",
        "sign-in",
        "sign-in URL --user ann",
        "sign-in URL --token",
        "sign-out URL",
    ] {
        assert!(parse(&format!("ashore --data-dir /d {line}")).is_ok(), "{line}");
        assert!(parse(&format!("ashore {line} --json --data-dir /d -q -vv")).is_ok(), "{line}");
    }
}

#[test]
fn invalid_arguments_are_a_usage_error() {
    for line in [
        "ashore",
        "ashore fetch URL",
        "ashore get",
        "ashore add",
        "ashore cancel",
        "ashore relink 1b9d",
        "ashore move-to 1b9d",
        "ashore show",
        "ashore show a b",
        "ashore get -o name -i list",
        "ashore get --checksum sha-256=00 -i list",
        "ashore get URL -H nonsense",
        "ashore get URL -H :value",
        "ashore list --active --settled",
        "ashore get URL --paused=maybe",
        "ashore get --nope URL",
        "ashore get URL --size many",
        "ashore get URL --parallel 0",
        "ashore sign-in URL",
        "ashore get URL -e nowhere",
        "ashore add URL --proxy none",
        "ashore sign-in --token",
        "ashore sign-in URL --token --user a",
        "ashore get --metalink a.meta4 URL",
        "ashore get --metalink a --mirror URL",
        "ashore get -i l --mirror URL",
        "ashore move 1b9d",
        "ashore move 1b9d --last --before 2c3d",
        "ashore add URL --first --last",
        "ashore add URL --at-once 65",
        "ashore get URL --until 9 --parts",
        "ashore add --until 9 -i list",
        "ashore get URL --connections 65",
        "ashore add URL --parallel 2",
        "ashore limit fast",
        "ashore limit --host a",
        "ashore limit --id 1b9d",
        "ashore limit 1M --host a --id 1b9d",
        "ashore remote link --scope metrics",
        "ashore remote token --name a --renew",
        "ashore remote sign-out",
    ] {
        let error = parse(line).expect_err(line);
        assert_eq!(error.exit_code(), 2, "{line}");
    }
    assert_eq!(parse("ashore --help").unwrap_err().kind(), ErrorKind::DisplayHelp);
    assert_eq!(parse("ashore --version").unwrap_err().kind(), ErrorKind::DisplayVersion);
}

#[test]
fn double_dash_ends_options() {
    assert_eq!(wanted("ashore get -- -d --json").urls, ["-d", "--json"]);
}

#[test]
fn header_field_is_split_at_first_colon() {
    let wanted = wanted("ashore add URL -H Referer:https://example.org/ -H X-Empty:");
    let expected = [("Referer", "https://example.org/"), ("X-Empty", "")];
    assert_eq!(wanted.headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn get_command_accepts_parallel_option_and_connections_option() {
    match parse("ashore get URL --parallel 64 --connections 1").unwrap().verb {
        CliVerb::Get(fetching) => assert_eq!((fetching.parallel, fetching.connections), (Some(64), Some(1))),
        other => panic!("{other:?}"),
    }
}

#[test]
fn option_optional_applies_to_links_after_it_or_to_all_links_if_it_comes_last() {
    assert_eq!(wanted("ashore get A B").optional_from, None);
    assert_eq!(wanted("ashore get A B --optional C").optional_from, Some(2));
    assert_eq!(wanted("ashore get --optional A B").optional_from, Some(0));
    assert_eq!(wanted("ashore get A B --optional").optional_from, Some(0));
    assert_eq!(wanted("ashore get A B --optional -i list").optional_from, Some(2));
    assert_eq!(wanted("ashore get -i list A --optional").optional_from, Some(0));
}
