# The panel that shows one download.

details = Details
    .of = Details of { $title }
    .hint = Details of the selected download (I)
    .close = Close details
    .resize = Change the height of the details (Up, Down)
details-files = Files
details-activity = Activity
details-speed = Speed
details-about = About
# A connection of a running download, with its speed.
details-connection = Connection { $number }
    .left = { $size } left
    .starting = starting
details-connections =
    { $count ->
        [one] 1 connection
       *[other] { $count } connections
    }
details-file-before = Previous file
details-file-after = Next file
details-copy = Copy
details-copied = Copied
details-not-copied = Copying failed. The desktop does not allow copying at the moment.
details-copy-activity = Copy everything on this page
details-copy-head = Copy the response headers
details-attempts = Attempts
details-no-attempts = No attempts yet.
details-answer = Server response
details-answered = { $host } answered “{ $status }”.
details-redirects =
    { $count ->
        [one] Redirected once:
       *[other] Redirected { $count } times:
    }
details-raw = Response headers

# Facts about an attempt, with dots between them.
attempt-number = Attempt { $number }
attempt-since = running for { $time }
attempt-took = took { $time }
attempt-brought = { $amount } received
attempt-status = the server answered { $status }
attempt-arrived = Completed, { $amount }.
attempt-running = In progress, { $amount }.
attempt-connecting = Connecting.
attempt-anew-changed = Restarted: the file on the server has changed. { $amount } discarded.
attempt-anew-no-ranges = Restarted: the server does not support resuming. { $amount } discarded.
attempt-anew-differs = Restarted: the server now sends different data. { $amount } discarded.
attempt-anew-gone = Restarted: the partial file was moved or deleted. { $amount } lost.

speed-current = Now
speed-mean = Average
speed-highest = Peak
speed-not-running = not running
speed-now = now
speed-ago = { $minutes } min ago
speed-soon = No data received yet.
speed-none = The speed is shown while the download runs and for a few minutes afterwards.
speed-sentence =
    { $minutes ->
        [one] Speed in the last minute: { $current } now, { $mean } on average, { $highest } at the peak.
       *[other] Speed in the last { $minutes } minutes: { $current } now, { $mean } on average, { $highest } at the peak.
    }
speed-sentence-not-running =
    { $minutes ->
        [one] Speed in the last minute: not running now, { $mean } on average, { $highest } at the peak.
       *[other] Speed in the last { $minutes } minutes: not running now, { $mean } on average, { $highest } at the peak.
    }

about-address = Address
about-came-from = Final address
about-page = Linked from
about-mirrors = Mirrors
about-title = Name
about-files = Files
about-files-done = { files-of } complete
about-file = File name
about-folder = Folder
about-size = Size
# $bytes has all digits.
about-bytes = { $amount } ({ $bytes } bytes)
about-checked = Checked
about-by-digest = Checksum matches
about-on-resume = Size matches; resumed data checked
about-not-verified = Size matches; no checksum available
about-size-unknown = Size unknown; no checksum available
about-missing = Missing guarantees
about-missing-permissions = This disk does not store permissions for single files. The permissions of the whole disk apply.
about-missing-sync = This disk does not confirm that a file has been saved, so a power cut can damage the file.
about-missing-folder-sync = This disk does not confirm that a file name has been saved, so a power cut can remove the file.
about-missing-exclusive-name = This disk cannot reserve a file name, so another program could take the name at the same moment.
about-missing-at-once = This disk cannot rename files, so the file was copied to its final name.
about-checksum = Checksum
about-expected = Expected
about-created = Added
about-asked-again = Added again
about-finished = Finished
about-ended = Ended
about-expires = Will leave the list
about-owner = Added by
about-owner-window = this window
about-owner-command-line = the command line
about-id = Id
about-copy-address = Copy address
about-copy-name = Copy name
about-copy-folder = Copy folder
about-copy-checksum = Copy checksum
about-copy-id = Copy id
