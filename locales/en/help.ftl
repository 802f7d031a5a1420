# Help of the command line. Only `ashore --help` and its relatives read this file.
#
# - `help-COMMAND` is the line about a command in the list of commands, and `.long` is the beginning of its long help. `.after`
#   stands at the end: commands and exit codes stay as they are, and two spaces or more separate them from the explanation.
# - The other attributes belong to arguments. Arguments with the same text in several commands are in `help-arguments`.
# - A word in capital letters in a text is the name of a value, as `help-value-names` has it.

help-headings =
    .usage = Usage:
    .commands = Commands
    .arguments = Arguments
    .options = Options
    .run = For this run
    .everywhere = Everywhere
help-notes =
    .default = [default: { $value }]
    .env = [env: { $name }]
    .values = [possible values: { $values }]
    .value-list = Possible values:
    .aliases = [also: { $names }]
help-value-names =
    .address = ADDRESS
    .algorithm = ALGORITHM
    .change = CHANGE
    .command = COMMAND
    .days = DAYS
    .dir = DIR
    .file = FILE
    .host = HOST
    .kind = KIND
    .link = LINK
    .machine = MACHINE
    .method = METHOD
    .name = NAME
    .number = NUMBER
    .options = OPTIONS
    .owner = OWNER
    .password = PASSWORD
    .path = PATH
    .search = SEARCH
    .seconds = SECONDS
    .size = SIZE
    .source = SOURCE
    .speed = SPEED
    .text = TEXT
    .time = TIME
    .title = TITLE
    .user = USER
    .value = VALUE

help-arguments =
    .names = Names from `ashore browsers`, such as firefox; without a name, all browsers that you have
    .data_dir = Folder of the list [default: ashore in the XDG data folder, ~/.local/share/ashore]
    .owner = Act for this owner, such as a program or a feed: other owners' downloads are neither shown nor changed
    .json = Print JSON on stdout, one object per line
    .quiet = Print only errors
    .verbose = Log to stderr; repeat for more. RUST_LOG takes precedence
    .urls = Links (http or https). `get` also accepts the id of one download in the list. A file that ends in .meta4 or .metalink is read as with --metalink. Brackets expand to several links: page-[001:120].jpg, [a:f], {"{"}one,two{"}"}
    .input = Read links from a file, or from stdin with "-", one per line. Links can be within other text. Mirrors of a link can follow it after a tab. Options of a link, such as "  out=NAME", can be in the lines below it, as in a list for aria2. Empty lines and lines that begin with # or ; are skipped. A line that is not a link is reported and left out. Links in the file come after links on the command line. For more than 100,000 links, or 10 MiB of them, `add` creates several downloads, and prints the id of each as soon as it is in the list; `get` always creates one
    .dir = Folder to save the files in; the folder must exist [default: the current folder]
    .output = File name, for a single link; a folder in front of it is relative to --dir [default: the name that the server gives]
    .title = Title in the list and in notifications [default: derived from the links]
    .description = Text that describes the download, shown with its title
    .icon = Image file shown beside the title; if several sizes are given, the best fitting one is used
    .download_total = Maximum total size of all files in bytes; the download fails if it is exceeded
    .source = Origin of the download: command-line, feed, clipboard, device or program. Only downloads that you start yourself may access your local network
    .deliver = Keep the end event until a client of the owner acknowledges it, even if no client has connected yet
    .id = unique_id of the download, at least its first 4 characters, or the name that `--id` gave it
    .headers = Header field to send with every request; can be given several times. Header fields are stored in the list, except Authorization and Cookie, which are stored for their server as by `ashore sign-in`. With @FILE, the fields are read from FILE, one per line, so that the list of processes does not show them
    .optional = If links after this option fail, the download still succeeds; if no link follows the option, this applies to all links
    .method = GET, HEAD, POST, PUT, PATCH or DELETE; --upload-file is not possible with GET and HEAD [default: GET, or PUT with --upload-file]
    .upload_file = File to send as the body of every request
    .user = Sign in to the server of the links as this user. If you enter only the user name, Ashore asks for the password. The password is stored in the system's keychain, so that the download can continue after a restart: see `ashore sign-in`. If neither this option nor --user-file is given and all links lead to one server, the environment variable ASHORE_USER is used
    .user_file = Like --user, but read from the first line of a file, or of stdin with "-"; the list of processes does not show it
    .netrc = Send the passwords in ~/.netrc to servers that ask for them, as long as this engine runs
    .netrc_file = Like --netrc, but with another file
    .cookies = Send the cookies of a cookies.txt file (the format of curl and browser add-ons) to the servers that the cookies belong to. Ashore stores a copy that only you can read
    .user_agent = User agent to send instead of Ashore's own
    .referrer = Page that the links were found on. Servers of the page's own site get the full address, other servers only the name of the site
    .checksums = Expected digest of the file, for example sha-256=HEX; sha-512, sha-1 and md5 are possible too. Requires a single link, and can be given once for each algorithm
    .mirrors = Another address of the same file, for a single link; can be given several times, the best first
    .size = Size of the file in bytes, for a single link; a file of another size is refused
    .metalink = Read a Metalink file, or stdin with "-", and fetch its files as one download. The mirrors and checksums in the Metalink are used
    .curl = Read a command for cURL, Wget or PowerShell that was copied from a browser, and fetch its link with its headers, file name and sign-in. A command with an option that Ashore does not support is refused, and the option is named. With "-", the command is read from stdin
    .literal = Do not expand brackets in links
    .skip_existing = Skip a file that is already in the folder, if the list has it with the same link and it is unchanged. Otherwise, its size must match the server's file, and it must not be older
    .paused = Wait for `ashore resume` instead of starting
    .ignore_when_paused = Add nothing if all downloads are paused
    .first = Place the download before all waiting ones [default: according to the setting "order"]
    .last = Place the download after all waiting ones
    .now = Start immediately: if no slot is free, the last running download is interrupted, and keeps every byte
    .until = The single link starts a numbered series: the last number in the link counts up to N, and each page is fetched after the previous page is complete
    .parts = The single link leads to a list of links, one per line, as in a playlist: those links are fetched as well
    .at_once = Maximum number of links of that list to fetch at the same time, 1 to 64; 1 fetches the links one after the other, in order
    .keep_for = How long the download stays in the list after you were notified of its end: 90s, 30m, 12h, 7d, 4w [default: the setting "forget-finished-after"]
    .takes_files = Move the files to the trash when the download is removed from the list automatically; files that you changed are kept
    .proxy = Proxy for all transfers, such as http://host:3128 or socks5h://host:1080; "none" for no proxy. With @FILE, the proxy is read from the first line of FILE, so that the list of processes does not show it [default: the settings, or http_proxy, https_proxy, all_proxy and no_proxy]
    .ca_certificate = Trust the certificates in this PEM file, in addition to the system's
    .allow_insecure_redirects = Follow redirects from HTTPS to HTTP; the transfer can then be read and changed on the way
    .connect_timeout = Seconds to wait for a server to accept a connection [default: 15, or the setting]
    .total_timeout = Maximum duration of one attempt at a file, in seconds; received bytes are kept [default: no limit]
    .ids = unique_ids of the downloads, or at least their first 4 characters
    .files = Also move the downloaded files to the trash, except files that were replaced or changed after the download
    .url = Server, or any link to it
    .name = Name of this machine [default: its host name]
    .link = Link, as the server or another machine printed it; without it, the link is read from stdin
    .device = Name or id of the machine
    .help = Print help
    .help-short = Print help (see more with '--help')
    .help-long = Print help (see a summary with '-h')
    .version = Print version

help = Download manager
    .long =
        { help }.

        Ashore fetches files over HTTP and HTTPS, keeps every byte through crashes and power cuts, and continues where it stopped.
    .after =
        Examples:
          ashore get https://example.org/debian.iso     download into this folder, and wait
          ashore get -d ~/Music -i links.txt            download many files as one download
          ashore get --checksum sha-256=9f86... URL     refuse any other content
          ashore serve &                                fetch in the background
          id=$(ashore add URL)                          add a link, and do not wait
          ashore show $id                               show the state of the download
          ashore sign-in https://example.org --user me  store a password for this server
          ashore list --json | jq -r .title             print the titles with jq

        Only one program at a time works on the list: the window, `ashore serve` or
        `ashore get`. While one of them runs, every other `ashore` command talks to
        it; otherwise the command opens the list itself for a moment. So two programs
        never download the same file twice.

        Exit codes:
          0    all done
          1    a part failed (failures of optional files do not count)
          2    the arguments are not valid
          3    no engine: the list cannot be opened, or the engine does not answer
          4    refused: a link, folder or id that Ashore does not accept
          130  interrupted; everything is kept

        Results go to stdout, messages for people to stderr. With --json, a command that
        fails also prints {"{"}"error": {"{"}"code": ..., "text": ...{"}"}{"}"} to stdout.
        Colours are left out if NO_COLOR is set.
help-get = Download, and wait until the download is complete
    .long =
        { help-get }

        If no Ashore is running, `get` itself downloads, and other programs can follow the download. Otherwise `get` hands the links over to the running Ashore and follows the download. Ctrl-C keeps every byte; `ashore get ID`, or the same command again, continues.

        At the end, stdout has a line for each file, and stderr a sentence for each file that failed. With --json, stdout has every event of this download as it happens, and as its last line the object that `ashore show ID --json` prints.
    .id = Your own name for the download, which every other command accepts instead of the id. Two active downloads cannot have the same name
    .connections = Maximum number of connections per file, 1 to 64 [default: 8, or the setting]
    .parallel = Maximum number of files at the same time, 1 to 64, in total and per server [default: 4 and 2, or the settings]
    .after =
        Examples:
          ashore get URL -o debian.iso             save as debian.iso or debian (1).iso
          ashore get URL1 URL2 --optional URL3     the third file may fail
          ashore get -i - {"<"} links.txt              read one link per line
          ashore get debian.meta4                  fetch the files of a Metalink
          ashore get URL --mirror URL2             fetch one file from two servers
          ashore get URL URL.sha256                check the file with its checksum file
          ashore get -i links.txt --parallel 16    fetch sixteen files at once
          ashore get --upload-file a.pdf URL       send a file, and save the answer
          ashore get 1b9d6bcd                      continue a download of the list
help-add = Add links to the list without waiting for the downloads
    .long =
        { help-add }

        Prints only the unique_id; with --json, the registration. The links are fetched by the window, by `ashore serve`, or by the next engine that runs.
    .id = { help-get.id }
    .again = Add the download even if an identical unfinished download is in the list. Without this option, the existing download moves to the top instead
    .to = Send the download to this machine of the shared list instead of adding it here; see `ashore sync devices`
help-serve = Run the engine without a window, until Ctrl-C or SIGTERM
    .long =
        { help-serve }

        Prints one line when the engine is ready. With --json: {"{"}"ready": true, "data_dir": ..., "socket": ...{"}"}.
    .remote = Serve the page to other devices. Without --listen, only this machine can reach it, on port 6800
    .listen = Address to serve the page on, such as 0.0.0.0:6800, or unix: and the path of a socket; repeat for more
    .allow_host = Another name that browsers may use for this machine, such as nas.local; repeat for more
    .allow_origin = Origin of another page or of an extension that may send requests; repeat for more
    .trusted_proxy = Address or network of a proxy whose X-Forwarded-For states the address of a client; repeat for more
    .public_url = Address to use in links if the page is behind a proxy; with https://, sign-ins are accepted only from pages loaded with TLS
    .base_path = Path of the page, if it is not the path of --public-url
    .root = Folder that other devices may choose, besides the download folders of the settings; repeat for more
    .aria2 = Set of downloads that are open to programs made for aria2. A program needs a token of `ashore remote token --name`
    .aria2-off = No downloads: the interface is closed
    .aria2-own = Downloads that these programs have added
    .aria2-all = All downloads; those of others can be read, paused and continued, but not removed
    .aria2_may_stop = Let programs made for aria2 stop Ashore with the call `shutdown`
help-list = Show the list, newest first
    .search = Show only downloads whose title, links or file names contain this text
    .active = Show only downloads that have not ended yet: running, waiting or paused
    .settled = Show only downloads that have ended
    .failed = Show only downloads with a file that failed permanently; `ashore retry` retries the file
    .limit = Show at most N downloads
help-watch = Show the active downloads with their speeds, until Ctrl-C. With --json, print a registration with its speed at each change
help-show = Show all details of a download
    .id = unique_id of the download, or at least its first 4 characters
    .attempts = Below each file, list every attempt to download it: start, duration, bytes received, and the reason why the attempt ended. With --json, each record has these attempts as `tries`
help-open = Open a downloaded file with its default program, or the folder of a download with several files
    .folder = Open the folder instead of the file
help-pause = Pause downloads and keep every byte
    .ids = unique_ids of the downloads, or at least their first 4 characters [default: everything]
help-resume = Continue paused downloads
    .ids = { help-pause.ids }
help-cancel = Cancel downloads for good, and keep the files that are complete
help-retry = Retry failed files, and start scheduled retries immediately
    .dir = Folder for the files that are not complete yet, if the download's own folder can no longer be used
help-remove = Remove downloads from the list; active ones are cancelled first
help-first = Move downloads to the top of the queue
help-move = Move downloads to another place in the queue
    .before = Move directly before this download
    .last = Move behind all other downloads
help-move-to = Move the files of downloads to another folder; running downloads continue there
    .dir = Folder for the files that are not complete yet
help-relink = Replace the link of a file that is not complete, and keep the bytes that it has
    .url = New link to the same file
    .file = Number of the file, as `ashore show` lists it; needed only if several files are not complete
help-change = Change how a download is shown: its title, description and icon
    .title = New title
    .description = New description
    .icon = New image file, shown beside the title; if several sizes are given, the best fitting one is used
help-match = Find which file of a download has a given link
    .long =
        { help-match }

        Prints the file's number, its state and the link; with --json, the record. Prints nothing if no file of the download has the link.
    .url = Link to look for
    .all = Print every matching file instead of only the first
    .ignore_search = Ignore the question mark and everything after it when comparing links
    .ignore_method = Match requests of every method
    .method = Method of the request [default: GET]
help-ids = List the names that `--id` gave to your active downloads, or with --owner the names of another owner's active downloads
help-find = Print the id of the active download that `--id` named NAME
    .name = Name that `--id` gave to the download
help-owed = List ended downloads whose end is not acknowledged yet
    .long =
        { help-owed }

        With --owner, lists the downloads of that owner; otherwise the downloads whose end you have not been notified of. Prints unique_id, number of the end event, and title; with --json, the registration.
help-acknowledge = Acknowledge the end event of an owner's download, so that it is not delivered again
    .event_number = Number of the end event, its `event_number` [default: the latest]
help-clear = Remove all downloads that were added from the command line. With --owner, remove all downloads of that owner
    .long =
        { help-clear }

        Active downloads are cancelled first. Complete files are kept, unless --files is given.
help-reset = Cancel all active downloads that were added from the command line. With --owner, cancel all active downloads of that owner
    .long =
        { help-reset }

        The downloads stay in the list, and complete files are kept.
help-queue-stats = Count all files that were ever requested, and how many succeeded or failed; with --owner, only those of one owner
help-remove-owner = Remove an owner and all its downloads
    .long =
        { help-remove-owner }

        Its downloads are stopped, and no end event is sent. Complete files are kept.
    .name = Name of the owner
help-limit = Limit the speed of transfers
    .long =
        { help-limit }

        A limit takes effect immediately, also for running transfers, and stays until it is removed. If several limits apply to a transfer, the lowest one counts; downloads that share a limit get equal parts of it. Without a speed, the current limits are shown.
    .speed = Bytes per second, from 1K to 10G (K, M and G are powers of 1,024; kB, MB and GB are powers of 1,000); "none" or 0 removes the limit
    .host = Limit traffic with this server: downloads from it or through it, and uploads to it. Give its name as in a link. Subdomains are separate servers
    .id = Limit the files of the download with this unique_id; its first 4 characters are enough
    .after =
        Examples:
          ashore limit 2M                          2 MiB per second in total
          ashore limit 500K --host example.org     all traffic with this server
          ashore limit 1M --id 1b9d6bcd            all files of one download
          ashore limit none                        no limit on the total speed
          ashore limit                             show the current limits
help-sign-in = Store a password or token for a server, and send it with every request to that server
    .long =
        { help-sign-in }

        The password or token is asked for, or read from the first line of stdin. It is stored in the system's keychain or, if no keychain works, in a file that only you can read. A password is used only for the scheme, host and port of the URL, and is never sent anywhere else. Without a URL, shows the servers with a stored sign-in, and where each sign-in is stored.
    .user = User name to sign in with
    .token = Sign in with a bearer token, as many services issue them
help-sign-out = Delete the stored password or token of a server
help-quota = Limit how much of the list an owner, or a kind of file, may use
    .long =
        { help-quota }

        Every download in the list counts, complete or not; removing a download frees its share. If a quota has no space for a download, the download waits, keeps every byte, and continues by itself when there is space. Without an amount, the usage and the limits are shown.
    .quota_owner = Owner: "window", "command-line", or the name of a program; "all" for all owners together
    .size = Maximum number of bytes (K, M and G are powers of 1,024; kB, MB and GB are powers of 1,000); "none" removes the quota, including the quota for files
    .files = Maximum number of files
    .category = Count only files of this kind: video, music, picture, document, archive, program or other
    .after =
        Examples:
          ashore quota                             show usage and limits
          ashore quota my-program 10G              10 GiB for all files of a program
          ashore quota my-program --files 1000     at most 1,000 files of the program
          ashore quota all 50G --category video    videos of all owners together
          ashore quota my-program none             remove the quota of the program
help-statistics = Show how many downloads were ever added, how many of them completed or failed, and their bytes
    .long =
        { help-statistics }

        Files and their sizes are counted by source, in total, and by the day they were added. A file that is neither complete nor failed is still in the list, was cancelled, or was removed. Removing a download changes none of the numbers.
    .days = Number of days to list separately
help-settings = Show the settings, or change one
    .long =
        { help-settings }

        A change takes effect immediately, and is stored in `ashore.toml` in the data folder, which can also be edited by hand.
    .name = Name of the setting; without a name, all settings are shown
    .value = New value, as in the settings file but without quotes; a setting with hours takes any number of lines
    .default = Reset the setting to its default
    .after =
        Examples:
          ashore settings                          show all settings and their values
          ashore settings hours                    show the setting and its purpose
          ashore settings parallel 8               fetch eight files at once from now on
          ashore settings hours 'mon-fri 08:00-18:00 slow' 'sat 00:00-24:00 off'
          ashore settings parallel --default       reset the setting to its default
help-events = Print every event of the running engine, one JSON object per line
help-doctor = Check the list, its backups and the partial files
    .long =
        { help-doctor }

        If the list is damaged when it is opened, it is moved aside and its newest backup is restored; `doctor` reports the result. Counters that do not match the downloads they count are reported, and recomputed with --repair. Nothing else is changed. The exit code is 1 if the list is damaged or inconsistent.
    .repair = Recompute counters that do not match the downloads they count
help-adopt = Create downloads for partial files that belong to no download, and continue them
    .long =
        { help-adopt }

        `ashore doctor` lists such files. Prints the unique_id of each new download; with --json, the registration. Without arguments, all partial files that can be continued are adopted.
    .partials = Paths of partial files, or the eight digits in their names
help-export = Export the list to a file, without secrets
    .long =
        { help-export }

        The file has links, names, folders, checksums, the result of each file and how it was checked, limits and quotas: one JSON object per line, as docs/export.md describes. Passwords, cookies, tokens and the downloaded files themselves are not included.
    .file = File to write; "-" for stdout
    .force = Replace an existing file
    .to = Name of the program that gets the file instead of Ashore; aria2 gets a session file with the downloads that are not complete
help-import = Import an exported list
    .long =
        { help-import }

        Unfinished downloads are imported paused: nothing starts by itself. Downloads that are already in the list are not changed. A file that is incomplete, or has a line that is not valid, is refused, and nothing of it is imported.
    .file = File that `ashore export` wrote; "-" for stdin
    .from = Name of the program that wrote the file instead of Ashore; its downloads are imported paused, and keep their GIDs
    .unchecked = Import the file even if it was changed after the export
help-sync = Share one list of downloads among your machines, encrypted; without a command, show the state of sync
    .long =
        { help-sync }

        A sync server stores the list (see `ashore sync-server --help`); it learns only sizes and times. Every download is fetched by one machine, and the other machines can see and control it. Files are never transferred.
    .after =
        Examples:
          ashore-sync-server invite                prints a set-up link, on the server
          ashore sync setup LINK                   creates the list, and prints its 24 words
          ashore sync invite                       prints a link for the next machine
          ashore sync join LINK                    on that machine
          ashore sync others                       downloads of the other machines
          ashore sync ask 6b3f pause               pauses one of them there
          ashore add URL --to Laptop               downloads a link on another machine
help-sync-status = Show whether sync is on, what waits, and why the latest sync failed
help-sync-now = Sync now
help-sync-setup = Create a list on a server, and print its 24 recovery words
help-sync-join = Join the list of another machine
help-sync-recover = Join a list with its recovery words, for example after all machines were lost
    .long =
        { help-sync-recover }

        The words are read from the terminal, or from stdin, so that no list of processes shows them.
    .address = Server address that was printed with the recovery words: HOST:PORT#FINGERPRINT
    .uid = Number that was printed with the recovery words
help-sync-invite = Print a link that lets one machine join within ten minutes
help-sync-devices = Show the machines that share the list
help-sync-remove = Remove a machine from the list, and print the new recovery words
    .long =
        { help-sync-remove }

        The machine cannot read anything that is written from then on. It keeps what it has already read.
help-sync-trust = Let a machine start downloads here without asking
    .not = Ask again before downloads from that machine start here
help-sync-words = Print the recovery words of the list
help-sync-conflicts = List the conflicts between changes of two machines, or resolve one
    .number = Number of the conflict to resolve
    .take = Use the other value instead of the current one
    .drop = Keep the current value
help-sync-others = List the downloads of the other machines
help-sync-ask = Ask another machine to change its download, or take the download over
    .id = Id of the download, as `ashore sync others` prints it, or its first characters
    .change = The change
    .change-pause = Pause it there
    .change-resume = Continue it there
    .change-remove = Remove it from the list there; its files stay
    .change-move-here = Fetch it on this machine instead
    .change-fetch-here = Fetch it on this machine as well
help-sync-send = Send a download of this machine to another machine
    .id = { help-show.id }
help-sync-sends = List the downloads that this machine sent and whether they were delivered, and the downloads sent to it that did not arrive
help-sync-rename = Change the name that other machines show for this machine
    .name = New name
help-sync-clear-history = Forget past downloads, on all machines and on the server, for example to free space there
    .keep = Keep past downloads of the last DAYS days; 0 forgets all
help-sync-leave = Turn sync off on this machine; downloads and files stay
help-browsers = Connect browsers, so that their extension hands downloads over to Ashore; without a command, list the browsers
    .after =
        Examples:
          ashore browsers                          the browsers, and which are connected
          ashore browsers connect                  connects all of them
          ashore browsers connect firefox          connects Firefox
          ashore browsers disconnect firefox       removes the connection of Firefox
          ashore browsers doctor                   tests every connection
          ashore browsers pair                     shows a code that pairs a browser
help-browsers-list = List the browsers, and whether each of them is connected
help-browsers-connect = Let the extension of a browser hand downloads over to Ashore
    .long =
        { help-browsers-connect }

        Writes a small file into the browser's folder. A file that another program wrote there is never changed. The extension itself is installed in the browser.
help-browsers-disconnect = Remove the file that `connect` wrote
help-browsers-doctor = Test the connection of each connected browser as the browser would use it
    .long =
        { help-browsers-doctor }

        The exit code is 1 if a connection does not work.
help-browsers-pair = Show a code that pairs a browser from Flatpak or snap
    .long =
        { help-browsers-pair }

        Such a browser cannot start a program. Switch on the setting browser-channel first. The code is entered in the popup of the extension, and is valid once, for five minutes.
help-browsers-unpair = Remove paired browsers
    .names = Names of paired browsers from `ashore browsers`
help-remote = Sign other devices and programs in and out; without a command, list them
    .after =
        Examples:
          ashore remote                                   the devices and programs that are signed in
          ashore remote link                              a link and a QR code for one device
          ashore remote token                             the token to sign in with
          ashore remote token --name sonarr --scope add   a token for a program
          ashore remote sign-out Phone                    signs a device out
help-remote-link = Print a link that signs one device in
    .long =
        { help-remote-link }

        The link works once, within five minutes. In a terminal, the link is also shown as a QR code. `ashore serve --remote` must run.
    .scope = Permission of the device: everything, add and read, or only read
help-remote-token = Print the token with which a device signs in
    .long =
        { help-remote-token }

        With --name, issues a token for a program, and prints it only once.
    .name = Name of a program that gets a token of its own
    .scope = Permission of the program: everything, add and read, only read, or only metrics
    .renew = Replace the token, and sign all devices out
help-remote-list = List the devices and programs that are signed in
help-remote-sign-out = Sign devices or programs out
    .names = Names from `ashore remote list`
help-healthy = Check that Ashore is running and ready
    .long =
        { help-healthy }

        Meant for containers and scripts. The exit code is 0 if Ashore is ready, and 1 if not.
    .url = Check the server for other devices at this address, such as http://127.0.0.1:6800, instead of the socket
help-sync-server = Run the sync server, a separate program; see `ashore sync-server --help`
    .arguments = Command and options of the sync server
help-help = Print this message or the help of the given command(s)
    .subcommand = Print help for the command(s)
