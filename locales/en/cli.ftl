# Texts that the program `ashore` prints, except its errors. Text between backquotes, options, settings and file names are
# commands to type, and stay as they are.
# $size is a text such as "8.1 MB"; $path, $server, $title, $id and similar values are inserted unchanged. $why is a clause or
# a sentence.

# State of a download or of one of its files, in one word.
cli-state =
    .pending = pending
    .running = running
    .waiting = waiting
    .paused = paused
    .done = done
    .aborted = cancelled
    .failed = failed

# Column headings, as short as possible.
cli-column =
    .id = ID
    .state = STATE
    .progress = DONE
    .size = SIZE
    .title = TITLE
    .used = USED
    .most = OF
    .files = FILES
    .owner = OWNER
    .added = ADDED
    .succeeded = DONE
    .failed = FAILED
    .retried = RETRIED
    .speed = SPEED
    .left = LEFT

# Facts about a download or a file, with hyphens between them.
cli-queued = waiting in the queue
cli-everything-paused = everything is paused; `ashore resume` resumes it
# $why is a sentence; $time is a time of day.
cli-next-try = { $why } Next try at { $time }
cli-redirected = redirected to { $url }
cli-under-way = in progress
cli-milliseconds = { $count } ms
cli-unknown-time = an unknown time
cli-optional = optional
cli-no-file = no file came back
cli-checked =
    .digest = checksum correct ({ $kind })
    .digest-of-unknown-kind = checksum correct
    .on-resume = length correct, and the bytes matched wherever the download was resumed
    .size-unknown = length unknown, no checksum to compare
    .unverified = length correct, not verified: no checksum to compare
    .none = not checked

# `ashore list`, and the commands that change downloads.
cli-list-empty = { nothing-all } Add a download with `ashore add URL`.
cli-all-paused = Everything is paused.
cli-paused = Paused.
cli-all-resumed = All downloads continue.
cli-resumed = Resumed.
cli-cancelled = Cancelled. Files that were complete are kept.
cli-relinked = Link replaced. The download keeps the bytes that it has, and resumes with the new link.
cli-ended-already = This download has ended already; nothing was changed.
cli-folder-changed = The files are now in { $path }.
cli-nothing-to-retry = Nothing in this download has failed.
cli-retried =
    { $count ->
        [one] One file will be downloaded again.
       *[other] { $count } files will be downloaded again.
    }
cli-removed = Removed from the list.
cli-first = This download is first in the queue.
cli-moved = Moved.
cli-changed = Changed.
cli-nothing-runs = Downloads do not run now, because neither the window nor `ashore serve` is running. Start one of the two.
cli-still-paused = Everything is paused, so no download runs. `ashore resume` without an ID resumes everything.

# `ashore watch`: the last lines.
cli-watch-more = and { $count } more
cli-watch-end = Press Ctrl-C to stop watching. Downloads continue.

# `ashore show`: names of the fields, at the beginning of a line.
cli-field =
    .id = id
    .own-name = own name
    .owner = owner
    .state = state
    .failure = reason
    .folder = folder
    .page = page
    .created = created
    .settled = settled
    .expires = kept until

# `ashore add`. $links is "14 links", $downloads "2 downloads".
cli-added = { $links } are in the list, as { $downloads }.
cli-add-moved = This download is already in the list, and is now first in the queue. Use --again to add it a second time.
    .some = Some of these links were already in the list, and are now first in the queue. Use --again to add them a second time.
cli-add-running = This download is already in progress. Use --again to add it a second time.
    .some = Some of these downloads are already in progress. Use --again to add them a second time.
cli-add-netrc = This command does not read the netrc file; the running { -ashore } does. Name the file in the settings: netrc = "~/.netrc".
# $list is a file or stdin; $line is a number.
cli-add-stopped = The lines of { $list } before line { $line } were added: { $links }, as { $downloads }. The other lines were not.
cli-add-continue = Continue from that line with: { $command }

# `ashore get`.
cli-get-options-unused = Another { -ashore } downloads this file with its own settings, so --parallel and --connections have no effect.
cli-get-removed = This download was removed from the list.
cli-get-known = This unfinished download is already in the list. Resuming it.
cli-get-others =
    { $count ->
        [one] One other download is unfinished. `ashore serve` continues the downloads in the list.
       *[other] { $count } other downloads are unfinished. `ashore serve` continues the downloads in the list.
    }
# $files is "3 files".
cli-get-summary = { $files }, { $size }, in { $path }
cli-get-stopped = Stopped. The { $size } downloaded so far are kept.
    .next = To continue, run `{ $get }`, or `{ $serve }` in the background.
cli-get-left = The download continues in the background.
    .next = To follow its progress, run `{ $get }`. To pause it, run `{ $pause }`.

# `ashore serve`.
cli-serve-ready = { -ashore } is ready. Its list is in { $path }. Press Ctrl-C to stop; all downloads are kept.
    .short = { -ashore } is ready.
cli-serve-remote = Other devices can open { $url }
cli-serve-plain = The traffic with other devices is not encrypted (no TLS), so everyone on the network can read it. Use a proxy with TLS and --public-url.
cli-serve-stopped = Stopped. All downloads are kept.
cli-healthy = { -ashore } is running and ready.
    .not = { -ashore } is not ready at { $place } ({ $why }). Start { -ashore }, or look at its log.
cli-serve-kept = { $id } stays in the list although its retention time is over: { $why }
    .all = Ended downloads stay in the list for now: { $why }

# Sign-ins. The questions end with a colon.
cli-password-of = Password of { $user } at { $server }:
cli-token-for = Token for { $server }:
cli-signed-in =
    .system = Signed in at { $server }. The sign-in is stored in the keychain; `ashore sign-out { $server }` removes it.
    .file = Signed in at { $server }. No keychain is available, so the sign-in is stored in a file that only you can read; `ashore sign-out { $server }` removes it.
    .memory = Signed in at { $server } for as long as this { -ashore } runs.
cli-sign-in-of-link = The name and password in the link are stored as the sign-in for { $server }, not in the list; `ashore sign-out { $server }` removes them.
cli-signed-out = Sign-in removed.
    .unknown = No sign-in was stored for this server.
cli-no-sign-ins = No sign-ins are stored. Sign in with `ashore sign-in URL --user NAME`.
cli-kept-in =
    .system = keychain
    .file = file
    .memory = memory
cli-cookies-unusable = None of the cookies in { $path } can be used. They may have expired.

# `ashore limit`. $speed is "2.1 MB/s".
cli-limit-set =
    .all = All downloads together are limited to { $speed }.
    .host = Downloads from { $host } are limited to { $speed }.
    .download = This download is limited to { $speed }.
cli-limit-removed =
    .all = All downloads together have no speed limit.
    .host = { $host } has no speed limit of its own.
    .download = This download has no speed limit of its own.
cli-no-limits = No speed limit is set. `ashore limit 2M` limits all downloads together to 2 MiB a second.
cli-limit-of =
    .all = all downloads
    .host = from { $host }

# `ashore quota`. $amount is "4.1 kB and 7 files"; $owner is the name of an owner, or "everybody".
cli-quota-set = The list can hold at most { $amount } of { $owner }.
cli-quota-removed = There is no quota for { $owner }.
cli-no-quotas = No quota is set, and the list is empty. `ashore quota command-line 10G` sets a quota.
cli-everybody = everybody

# `ashore statistics`. The sources stand in the first column.
cli-statistics-empty = No download has been added yet. Add one with `ashore add URL`.
cli-statistics =
    .all = in all
    .window = window
    .command-line = command line
    .feed = feeds
    .clipboard = clipboard
    .device = other devices
    .browser = browsers
    .program = programs

# `ashore settings`.
cli-not-default = not the default

# `ashore export` and `ashore import`. $downloads is "2 downloads", $files "3 files".
cli-exported = Exported { $downloads } with { $files } to { $path }.
    .pipe = Exported { $downloads } with { $files }.
cli-imported = Imported { $downloads } with { $files }. Unfinished downloads are paused: `ashore resume` continues them.
cli-import-skipped = Entries that cannot be imported, such as torrents and FTP links: { $count }.

# Owners, and the ends of their downloads.
cli-find-nothing = No unfinished download has the name { $name }.
cli-match-nothing = No file of this download has this link.
cli-acknowledged = Acknowledged.
    .unknown = No such end event is pending; nothing was changed.
cli-cleared = Downloads of { $owner } that were removed from the list: { $count }.
cli-reset = Downloads of { $owner } that were cancelled: { $count }.
cli-owner-removed = The owner and all its downloads were removed. Complete files are kept.
cli-queue-stats = total { $total }, successes { $successes }, failures { $failures }

# `ashore doctor`: names of the lines, at their beginning.
cli-doctor =
    .list = list
    .holder = held by
    .copy = copy
    .file = file
    .step = step
    .gate = gate
    .setting = setting
    .folder = folder
    .partial = partial
    .orphan = orphan
    .repaired = repaired
    .counter = counter
cli-doctor-list = { $path } (version { $version }): { $state }
cli-doctor-sound = ok
cli-doctor-nobody = nobody
cli-doctor-partial = { $path } ({ $size }, of { $id })
cli-doctor-orphan = { $path } ({ $size }, from { $url })
cli-doctor-orphans = An orphan is a partial file that belongs to no download in the list. It is kept until you remove it; `ashore adopt` resumes it.
cli-doctor-repair = Some counters differ from the downloads they count. `ashore doctor --repair` recomputes them.
cli-doctor-contradiction = Some records contradict each other, and { -ashore } cannot tell which one is correct. Compare the files with their source, or remove the downloads and add them again.
cli-doctor-damage = The damage was found on { $moment }: { $why }.
    .undated = The damage: { $why }.
cli-adopt-nothing = No resumable partial file was found outside the list.

# Gates: conditions that must be met before a download starts.
cli-gate =
    .bootstrap = bootstrap
    .paused = paused
    .asleep = asleep
    .hours = hours
    .offline = offline
    .captive-portal = captive-portal
    .metered = metered
    .battery = battery
    .in-use = in-use
    .disk = disk
    .folder = folder
    .quota = quota
cli-gate-state =
    .open = open
    .closed = closed
    .unknown = unknown

# Steps of the setup at the first start.
cli-step =
    .data-folder = data-folder
    .ledger = ledger
    .defaults = defaults
    .download-folder = download-folder
    .keychain = keychain
    .notifications = notifications
cli-step-state =
    .done = done
    .not-available = not available here ({ $why })
    .failed = failed, and is retried ({ $why })
    .due = due at the next start

# Contradictions in the list, after the name of a download.
cli-miscount =
    .counters = { $name }: its counters differ from its files
    .lanes = { $name }: its queue entries do not match its files, so it may wait without a reason
    .usage = { $name }: the recorded use of its quota does not match its downloads
    .name = { $name }: it has ended but its name is still taken, or it is active but its name is free
    .unsettled = { $name }: the download is still active, although each of its files is complete or has failed
    .digest = { $name }: the checksum of a complete file does not match its checksum file
    .response = { $name }: a complete file is not recorded, or a recorded file is not complete

# Sync of the list between machines.
cli-sync-on = Sync is on. This machine is "{ $name }", and the server is { $address }.
cli-sync-key = Fingerprint of the key, the same on all your machines: { $fingerprint }
cli-sync-conflicts = { $count ->
    [one] { $count } change was overridden by another machine. See `ashore sync conflicts`.
   *[other] { $count } changes were overridden by another machine. See `ashore sync conflicts`.
}
cli-sync-column =
    .collection = COLLECTION
    .records = HERE
    .waiting = WAITING
    .held = NOT READ
    .machine = MACHINE
    .seen = LAST SEEN
cli-sync-words = Write down these 24 words, the address and the number. Without them, the list cannot be recovered.
cli-sync-place = Address: { $address }
cli-sync-user = Number: { $uid }
cli-sync-set-up = The list is set up. Run `ashore sync invite` for a link that the next machine joins with.
cli-sync-joined = This machine has joined the list.
cli-sync-invite = Run this command on the other machine within ten minutes. The link works once.
cli-sync-done = Received: { $received }. Sent: { $sent }.
cli-sync-restored = The server had lost a part of the list. This machine sent the missing part again.
cli-sync-arrived = Another machine sent: { $title }
cli-sync-left = Sync is off on this machine. Its downloads and files stay.
cli-sync-removed = { $machine } cannot read anything that is written from now on. These are the new words of the list.
cli-sync-own = this machine
cli-sync-no-conflicts = There are no conflicts.
cli-sync-conflict = { $number }  { $title }: { $sentence }
cli-sync-resolved = Done. The other machines get the change with the next sync.
cli-sync-dropped = The winning change is kept.
cli-sync-trust =
    .starts = From now on, downloads from { $machine } start without asking.
    .waits = From now on, downloads from { $machine } wait until you start them.
cli-sync-no-others = The other machines have no downloads.
cli-sync-sent = Sent to { $machine }.
cli-sync-secret = Words or link (not shown):
cli-sync-no-sends = This machine has not sent any downloads.
cli-sync-send =
    .waiting = { $title }: { $machine } has not fetched it yet.
    .delivered = { $title }: delivered to { $machine }.
    .refused = { $title }: { $machine } did not accept it.
    .expired = { $title }: not delivered, because { $machine } was off for 30 days.
    .missed = { $title }: { $machine } sent it, but this machine was off for 30 days. You can send it again from { $machine }.

# Browsers in `ashore browsers`.
cli-browser =
    .connected = connected ({ $program })
    .not-connected = not connected
    .none = not installed
    .foreign = another program wrote { $path }
cli-browsers-connected = { $browser } is connected. Install the extension in the browser as well.
cli-browsers-unchanged = { $browser } was already connected.
cli-browsers-disconnected = { $browser } is disconnected.
cli-browsers-nothing = { $browser } has no connection that could be removed.
cli-browsers-of-package = { $browser } is still connected, because a package of the system installed { $path }. To disconnect the browser, remove the extension from it.
cli-browsers-none = { browsers-empty }
cli-browsers-well = { $browser }: the connection works, and { -ashore } is running.
cli-browsers-well-idle = { $browser }: the connection works. { -ashore } starts when the browser needs it.
cli-browsers-paired = paired
cli-browsers-code = Enter this code in the popup of the extension within five minutes: { $code }
cli-browsers-unpaired = { $browser } is not paired any more.
cli-remote-link = Open this link on the other device within five minutes: { $url }
cli-remote-local = Only this machine can open the link. To open it on other devices, start `ashore serve` with --listen.
cli-remote-none = No device or program is signed in.
cli-remote-device = device
cli-remote-program = program
cli-remote-signed-out = { $name } is signed out.
cli-remote-renewed = All devices are signed out.

# After a message about arguments that are not valid.
cli-explains = `{ $command }` explains the arguments.
