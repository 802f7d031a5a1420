# The panel about one download.

details = Details
    .of = Details of { $title }
    .hint = Details of the selected download (I)
    .close = Close details
    .resize = Height of the details (Up, Down)
    .nothing = Select a download to see its details.
details-files = Files
details-activity = Activity
details-speed = Speed
details-about = About
details-connections =
    { $count ->
        [one] 1 connection
       *[other] { $count } connections
    }
details-file-before = Previous file
details-file-after = Next file
details-copy = Copy
details-copied = Copied
details-not-copied = This could not be copied. The desktop does not allow it at the moment.
details-copy-activity = Copy everything on this page
details-copy-head = Copy the head of the answer
details-attempts = Tries
details-no-attempts = Nothing has been tried yet.
details-answer = What the server said
details-answered = { $host } answered “{ $status }”.
details-redirects =
    { $count ->
        [one] It sent { -ashore } on to another address:
       *[other] It sent { -ashore } on { $count } times:
    }
details-raw = Head of the answer, as it came

# Facts about a try, with dots between them.
attempt-number = Try { $number }
attempt-since = for { $time }
attempt-took = took { $time }
attempt-brought = { $amount } came
attempt-status = the server answered { $status }
attempt-arrived = It arrived whole: { $amount }.
attempt-running = Under way: { $amount } so far.
attempt-connecting = Under way: connecting.
attempt-anew-changed = It began anew: the file on the server is another one now. { $amount } had come before.
attempt-anew-no-ranges = It began anew: the server does not go on in the middle of a file. { $amount } had come before.
attempt-anew-differs = It began anew: the server gives other bytes than the { $amount } that had come before.
attempt-anew-gone = It began anew: what had come, { $amount }, was moved or deleted.

speed-current = Now
speed-mean = On average
speed-highest = At most
speed-not-running = not running
speed-now = now
speed-ago = { $minutes } min ago
speed-soon = The first bytes have not come yet.
speed-none = Its speed is shown while it runs, and for some minutes after.
speed-sentence =
    { $minutes ->
        [one] Speed of the last minute: now { $current }, { $mean } on average, { $highest } at most.
       *[other] Speed of the last { $minutes } minutes: now { $current }, { $mean } on average, { $highest } at most.
    }
speed-sentence-not-running =
    { $minutes ->
        [one] Speed of the last minute: not running now, { $mean } on average, { $highest } at most.
       *[other] Speed of the last { $minutes } minutes: not running now, { $mean } on average, { $highest } at most.
    }

about-address = Address
about-came-from = Came from
about-page = Found on
about-mirrors = Mirrors
about-title = Title
about-files = Files
about-files-done = { files-of } are there
about-file = File name
about-folder = Folder
about-size = Size
# $bytes is written out.
about-bytes = { $amount } ({ $bytes } bytes)
about-checked = Checked
about-by-digest = Its checksum is right.
about-on-resume = Its length is right, and what was joined was compared.
about-not-verified = Not verified: its length is right, and there was no checksum to compare.
about-size-unknown = Nobody said how long it is, and there was no checksum to compare.
about-missing = Missing guarantees
about-missing-permissions = This disk keeps no permissions of single files: those of the whole disk apply.
about-missing-sync = This disk does not say when a file is safe from a power cut.
about-missing-folder-sync = This disk does not say when a file name is safe from a power cut.
about-missing-exclusive-name = This disk cannot keep another program from taking the file name at the same moment.
about-missing-at-once = This disk cannot rename a file, so it was copied to its name.
about-checksum = Checksum
about-expected = Expected
about-created = Added
about-asked-again = Asked for again
about-finished = Finished
about-ended = Ended
about-expires = Leaves the list
about-owner = Asked for by
about-owner-window = this window
about-owner-command-line = the command line
about-id = Id
about-copy-address = Copy address
about-copy-name = Copy name
about-copy-folder = Copy folder
about-copy-checksum = Copy checksum
about-copy-id = Copy id
