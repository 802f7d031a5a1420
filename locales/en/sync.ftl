# Sync of the list between the machines of one person. A "machine" is a computer that takes part.
# $machine, $title and $name are names that people chose.

sync = Sync
    .about = One list on all your machines, encrypted, without an account.
    .open = Open
sync-is-off = Sync is off
sync-is-on = Sync is on

# Ways to begin: a heading, and three buttons with an explanation.
sync-begin = How do you want to begin?
sync-way-server = Run the server on this machine
    .about = Sets up a new list. The other machines reach this one in your network, so choose a machine that is often on.
    .submit = Start and set up
sync-way-link = Use a link
    .about = Joins the list of another machine, or sets up a new list on a server.
    .submit = Continue
sync-way-words = Recover with 24 words
    .about = For a list that no machine has any more. You need the address, the number and the words that you wrote down.
    .submit = Recover
sync-step = Step { $step } of { $count }
sync-go-back = Back
sync-name = Name of this machine
    .hint = For example, Laptop
    .about = Your other machines show this name.
sync-link = Link
    .joins = This link joins the list of another machine.
    .joins-list =
        { $past ->
            [one] Join the list of { $machine } ({ n-downloads }, { $past } past one)?
           *[other] Join the list of { $machine } ({ n-downloads }, { $past } past ones)?
        }
    .sets-up = This link sets up a new list on a server.
    .join = Join the list
    .set-up = Set up the list
sync-address = Address of the server
sync-number = Number
sync-working = Contacting the server…
sync-joined = This machine has joined the list. Its downloads appear on your other machines.

# The recovery words, with the address and the number.
sync-write-down = Sync is on. Write down these 24 words, the address and the number. Without them nothing can be recovered.
sync-write-down-new = { $machine } cannot read anything new. Write down the new words.
sync-words = Recovery words
    .count = { $count } of 24 words
    .show = Show the 24 words
    .explained = Anyone who has these words, the address and the number can read the list. Keep them in a safe place.
    .written = I have written them down

# State of sync.
sync-state = This machine
sync-last = Last sync
    .never = Not yet
sync-reading = Reading { $received } of { $total }
    .title = First sync
sync-clock =
    .ahead = This machine's clock is { $time } ahead. Sync uses the server's clock. Set the clock of this machine.
    .behind = This machine's clock is { $time } behind. Sync uses the server's clock. Set the clock of this machine.
sync-server = Server
sync-fingerprint = Fingerprint of the key
    .about = All machines of this list show the same fingerprint. Compare it if you doubt that a machine has joined the right list.
sync-now = Sync now
    .running = Syncing…
sync-done = Received: { $received }. Sent: { $sent }.
sync-done-nothing = Everything was up to date.
sync-restored = The server had lost a part of the list. This machine sent the missing part again.
sync-restoration =
    { $count ->
        [one] The server went back to its state of { $day }. { $count } entry that it had lost was restored from here.
       *[other] The server went back to its state of { $day }. { $count } entries that it had lost were restored from here.
    }
    .emptied =
        { $count ->
            [one] The server had lost the list. { $count } entry was restored from here.
           *[other] The server had lost the list. { $count } entries were restored from here.
        }
# A time of today, a weekday, or a date.
sync-since =
    .time = since { $when }
    .weekday = since { $when }
    .day = since { $when }
sync-silent = The sync server has not answered { $since }.
    .continues = { sync-silent } Everything here continues.
    .waiting =
        { sync-silent } { $count ->
            [one] Everything here continues; { $count } change is waiting.
           *[other] Everything here continues; { $count } changes are waiting.
        }
sync-space = The server is full ({ $used } of { $total }).
    .waiting =
        { $count ->
            [one] The server is full ({ $used } of { $total }); { $count } change is waiting.
           *[other] The server is full ({ $used } of { $total }); { $count } changes are waiting.
        }
sync-arrived = Another machine sent “{ $title }”.
sync-waiting =
    { $count ->
        [one] 1 change is waiting to be sent.
       *[other] { $count } changes are waiting to be sent.
    }
sync-shared = What is shared
sync-column =
    .what = Kind
    .here = Here
    .there = On the server
    .waiting = Waiting
    .held = Not read
sync-collection =
    .clients = Machines
    .downloads = Downloads
    .parts = Long lists of links
    .history = Past downloads
    .settings = Settings
    .sends = Downloads on their way
sync-held = A record is not read if it was changed on the server, comes from a newer { -ashore }, or has a value that this machine refuses. Such records stay on the server as they are.
sync-newer-machine = { $machine } has a newer { -ashore }. What it wrote in a newer format waits until this machine is updated; the rest continues.
clear-history = Clear old history…
clear-history-question = Forget past downloads on all machines?
    .about = Your machines will not remember that a link was downloaded before. Downloads and files are not removed.
    .choice = Past downloads to forget
    .month = Older than 30 days
    .year = Older than a year
    .all = All
    .submit = Forget
    .done = Past downloads are forgotten here. The other machines follow with their next sync.
sync-off = Turn sync off…
sync-off-question = Turn sync off on this machine?
    .body = The downloads and files of this machine stay. The downloads of the other machines disappear from this window.
    .submit = Turn off
    .server = The server on this machine keeps running for the others. Stop it in this view if no machine needs it.

# The server that runs on this machine.
own-server = This machine hosts the server
    .address = Address
    .runs = The server is running.
    .stopped = The server is not running.
    .asleep = While this machine sleeps or is off, the other machines keep their changes and send them later.
    .firewall = If another machine cannot reach the server, allow incoming TCP connections to port { $port } in the firewall of this machine.
    .start = Start
    .stop = Stop…
own-server-question = Stop the server?
    .body = Your machines cannot sync until the server runs again. Nothing is deleted.
    .submit = Stop

# The machines.
machines = Machines
    .own = this machine
    .seen = Last seen: { $when }
    .trust = Start its downloads without asking
    .trust-of = Start downloads from { $machine } without asking
    .add = Add a machine…
    .remove = Remove…
    .remove-of = Remove { $machine }
machines-unseen = Last seen: unknown
machines-rename = Rename this machine
    .open = Rename…
    .submit = Rename
machines-invite = Add a machine
    .about = On the other machine, open Sync, choose “{ sync-way-link }”, and enter this link.
    .link = Link
    .code = QR code of the link
    .copy = Copy link
    .until = The link works for one machine only, and is valid until { $time }.
    .late = The link is too old. Create a new one.
    .again = New link

# Two changes of the same value, of which only one can apply. The texts of buttons are short; `action-on` joins an action with the
# download that it changes.
conflicts = Conflicts
    .about = Two machines changed the same thing at the same time, and only one change can apply. The other one is kept for 30 days.
    .yours = Your change “{ $losing }” was overridden by “{ $winning }”.
    .theirs = “{ $losing }” of { $machine } was overridden by “{ $winning }”.
    .removed = { $machine } changed this download while another machine removed it. The removal applies.
    .removed-by = { $machine } changed this download while { $remover } removed it. The removal applies.
    .removed-yours = This machine changed this download while { $remover } removed it. The removal applies.
    .removed-here = { $machine } changed this download while this machine removed it. The removal applies.
    .kept = The shared list no longer had this download, but this machine still had it. The download stays in both places.
    .request = The links of { $machine } were overridden by other links.
    .take-value = Take “{ $value }”
    .keep-value = Keep “{ $value }”
    .take-links = Take the links of { $machine }
    .keep-links = Keep the other links
    .fetch = Fetch here
    .keep-removed = Leave it removed
    .remove = Remove it
    .keep-download = Keep it
    .action-on = { $action }: { $title }
conflict-field =
    .title = Name
    .requested = Pause or resume
    .home = Machine
    .request = Links
    .removed = Removal
    .choice = Setting
conflict-value =
    .run = resume
    .paused = pause
    .removed = remove
    .default = the default
    .on = on
    .off = off

# Downloads of the other machines. The short title is for the sidebar, with space for about 15 letters.
others = Other machines
    .short = Other machines
    .empty = The other machines have no downloads
    .empty-about = Downloads that you add there appear here. You can pause them there, or fetch them here.
    .running = { $machine } is fetching it
    .paused = Paused on { $machine }
    .queued = Queued on { $machine }
    .done = Finished on { $machine }
    .failed = Failed on { $machine }: { $why }
    .failed-plain = Failed on { $machine }
    .incomplete = This machine can show it but not fetch it, because it has too many links
others-requested =
    .run = Resume requested
    .paused = Pause requested
    .removed = Removal requested
others-action =
    .pause = Pause there
    .resume = Resume there
    .fetch = Fetch here too
    .move = Move here
    .remove = Remove there…
others-more = Show { $count } more
others-remove-question = Remove it from { $machine }?
    .body = When { $machine } syncs next, it removes the download from its list. Complete files stay there.
    .submit = Remove there
others-fetched = This machine fetches “{ $title }” too.
others-moved = This machine continues “{ $title }”. { $machine } pauses it.

# Sending a download to another machine.
send-to = Send to…
    .many = Send { n-downloads-object } to…
    .question = Send to another machine
    .about = The other machine fetches it itself. Nothing changes here. Sign-ins and cookies are not sent.
    .sent = Sent “{ $title }” to { $machine }.
    .sent-many = Sent { n-downloads-object } to { $machine }.
    .alone = The other machine downloads into its own folder. Sign-ins and cookies are not sent.
    .on = Download on
    .here = This machine
    .gone = { $machine } is no longer in the list. Choose another machine.
sends = Sent to other machines
    .missed = Missed on this machine
sends-state =
    .waiting = { $machine } has not fetched it yet
    .delivered = Delivered to { $machine }
    .refused = { $machine } did not accept it
    .expired = Not delivered, because { $machine } was off for 30 days.
    .missed = { $machine } sent this, but this machine was off for 30 days. You can send it again from { $machine }.
sent-by = { $machine } sent this
    .start = Start
    .always = Always start downloads that { $machine } sends
add-past = { $machine } downloaded this on { $day }.
    .title = { $machine } downloaded “{ $title }” on { $day }.
