# What the program `ashore` prints beside its errors. Text between backquotes, options, settings and file names are commands
# to type, and stay as they are.
# $size comes as "8.1 MB"; $path, $server, $title, $id and such are shown unchanged. $why is a clause, or a sentence.

# State of a download or of one of its files, in one word.
cli-state =
    .pending = pending
    .running = running
    .waiting = waiting
    .paused = paused
    .done = done
    .aborted = aborted
    .failed = failed

# Heads of columns, as short as possible.
cli-column =
    .id = ID
    .state = STATE
    .progress = DONE
    .size = SIZE
    .title = TITLE
    .used = USED
    .most = OF
    .files = FILES
    .owner = WHOSE
    .added = ADDED
    .succeeded = DONE
    .failed = FAILED
    .retried = RETRIED

# Facts about a download or a file, with hyphens between them.
cli-queued = waiting for its turn
cli-everything-paused = everything is paused; `ashore resume` goes on
# $why is a sentence; $time is a time of day.
cli-next-try = { $why } Next try at { $time }
cli-redirected = sent on to { $url }
cli-under-way = under way
cli-milliseconds = { $count } ms
cli-unknown-time = an unknown time
cli-optional = optional
cli-no-file = no file came back
cli-checked =
    .digest = checksum right ({ $kind })
    .digest-of-unknown-kind = checksum right
    .on-resume = length right, compared where it was resumed
    .size-unknown = length unknown, no checksum to compare
    .unverified = length right, not verified: no checksum to compare
    .none = not checked

# `ashore list`, and the verbs that change downloads.
cli-list-empty = { nothing-all } Add something with `ashore add URL`.
cli-all-paused = Everything is paused.
cli-paused = Paused.
cli-all-resumed = Everything goes on.
cli-resumed = Resumed.
cli-aborted = Aborted. Files that were complete are kept.
cli-ended-already = This download has ended already; nothing was changed.
cli-folder-changed = Files that are not complete yet go to { $path }.
cli-nothing-to-retry = Nothing in this download has failed.
cli-retried =
    { $count ->
        [one] One file is tried again.
       *[other] { $count } files are tried again.
    }
cli-removed = Removed from the list.
cli-first = This download is next.
cli-moved = Moved.
cli-changed = Changed.
cli-nothing-runs = No program is running that would fetch it now: start the window, or `ashore serve`.

# `ashore show`: names of the fields, at the beginning of a line.
cli-field =
    .id = id
    .own-name = own name
    .owner = asked by
    .state = state
    .failure = because
    .folder = folder
    .created = created
    .settled = settled
    .expires = kept until

# `ashore add`. $links is "14 links", $downloads "2 downloads".
cli-added = { $links } are in the list, as { $downloads }.
cli-add-moved = This is in the list already. It is on top now; --again adds it once more.
    .some = Some of these links were in the list already. They are on top now; --again adds them once more.
cli-add-running = This is under way already. --again adds it once more.
    .some = Some of these links are under way already. --again adds them once more.
cli-add-netrc = The engine that fetches reads a netrc file. Name the file in the settings: netrc = "~/.netrc".
# $list is a file or stdin; $line is a number.
cli-add-stopped = What { $list } has before line { $line } is in the list: { $links }, as { $downloads }. The rest is not.
cli-add-continue = Go on there: { $command }

# `ashore get`.
cli-get-options-unused = Another { -ashore } fetches this, and its settings hold: --parallel and --connections have no effect.
cli-get-removed = This download was removed from the list.
cli-get-known = This is in the list already, and not done. Going on with it.
cli-get-others =
    { $count ->
        [one] One other download is not done yet. `ashore serve` goes on with what is in the list.
       *[other] { $count } other downloads are not done yet. `ashore serve` goes on with what is in the list.
    }
# $files is "3 files".
cli-get-summary = { $files }, { $size }, in { $path }
cli-get-stopped = Stopped; everything so far is kept ({ $size }).
    .next = Go on with `{ $get }`, or in the background with `{ $serve }`.
cli-get-left = The download goes on without you.
    .next = Look after it with `{ $get }`, stop it with `{ $pause }`.

# `ashore serve`.
cli-serve-ready = { -ashore } is ready and works on { $path }. Ctrl-C stops it; everything is kept.
    .short = { -ashore } is ready.
cli-serve-stopped = Stopped; everything is kept.
cli-serve-kept = { $id } stays in the list although its time has passed: { $why }
    .all = Downloads that have ended stay in the list for now: { $why }

# Sign-ins. The questions end with a colon.
cli-password-of = Password of { $user } at { $server }:
cli-token-for = Token for { $server }:
cli-signed-in =
    .system = Signed in at { $server }. The keychain keeps it; `ashore sign-out { $server }` forgets it.
    .file = Signed in at { $server }. No keychain works here, so it is kept in a file that only you can read; `ashore sign-out { $server }` forgets it.
    .memory = Signed in at { $server } for as long as this { -ashore } runs.
cli-sign-in-of-link = The name and password in the link are kept for { $server }, and not in the list; `ashore sign-out { $server }` forgets them.
cli-signed-out = Forgotten.
    .unknown = Nothing was kept for this server.
cli-no-sign-ins = Nothing is kept for any server. Sign in with `ashore sign-in URL --user NAME`.
cli-kept-in =
    .system = keychain
    .file = file
    .memory = memory
cli-cookies-unusable = None of the cookies in { $path } can be used. They may have expired.

# `ashore limit`. $speed is "2M".
cli-limit-set =
    .all = Everything together is held to { $speed } bytes a second.
    .host = Everything from { $host } is held to { $speed } bytes a second.
    .download = This download is held to { $speed } bytes a second.
cli-limit-removed =
    .all = Everything together has no limit of its own.
    .host = Everything from { $host } has no limit of its own.
    .download = This download has no limit of its own.
cli-no-limits = Nothing is limited. `ashore limit 2M` holds everything together to 2 MiB a second.
cli-limit-of =
    .all = everything
    .host = from { $host }

# `ashore quota`. $amount is "4.1 kB and 7 files"; $owner is the name of an owner, or "everybody".
cli-quota-set = There may be { $amount } of { $owner } in the list.
cli-quota-removed = There is no quota for { $owner }.
cli-no-quotas = Nothing is limited, and there is nothing. `ashore quota command-line 10G` sets a quota.
cli-everybody = everybody

# `ashore statistics`. The sources stand in the first column.
cli-statistics-empty = Nothing was ever added. Add something with `ashore add URL`.
cli-statistics =
    .all = in all
    .window = window
    .command-line = command line
    .feed = feeds
    .clipboard = clipboard
    .device = other devices
    .program = programs

# `ashore settings`.
cli-not-default = not the default

# `ashore export` and `ashore import`. $downloads is "2 downloads", $files "3 files".
cli-exported = Saved { $downloads } with { $files } in { $path }.
    .pipe = Saved { $downloads } with { $files }.
cli-imported = Took in { $downloads } with { $files }. What is not done is paused: `ashore resume` goes on with it.

# Owners, and the ends of their downloads.
cli-find-nothing = No unfinished download is called { $name }.
cli-match-nothing = No file of this download has this link.
cli-acknowledged = Acknowledged.
    .unknown = This end event is not owed; nothing was changed.
cli-cleared = Taken off the list: { $count } of { $owner }.
cli-reset = Aborted: { $count } of { $owner }.
cli-owner-removed = Removed, with everything that this owner asked for. Complete files stay.
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
cli-doctor-orphans = An orphan is a partial file that nothing in the list knows. It is kept until you remove it; `ashore adopt` goes on with it.
cli-doctor-repair = Some counters do not agree with the downloads they count. `ashore doctor --repair` recomputes them.
cli-doctor-contradiction = Some records contradict each other, and none can be proved right. Compare the files with their source, or remove the downloads and add them again.
cli-doctor-damage = The damage was found on { $moment }: { $why }.
cli-adopt-nothing = There is no partial file without a download that could be resumed.

# Gates: conditions that must be met before anything starts.
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

# Steps of the first start.
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
    .counters = { $name }: its counters are not those of its files
    .lanes = { $name }: its queue is not that of its files, so it may wait without a reason
    .usage = { $name }: the bytes and files that count for its quota are not those of its downloads
    .name = { $name }: whether its name is taken does not agree with its state
    .unsettled = { $name }: nothing is left to do, and it is not finished
    .digest = { $name }: a complete file has another checksum than its checksum file says
    .response = { $name }: a file is complete without a record of it, or the reverse
