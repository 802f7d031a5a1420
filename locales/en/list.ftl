# The list: its rows, their actions, and the texts around the list.

search = Search
search-hint = Search downloads (Ctrl+F)
search-clear = Clear search
filters = Show
filters-wide = Show sidebar
filter-all = All
filter-running = Running
filter-waiting = Queued
filter-paused = Paused
filter-done = Done
filter-failed = Failed
filter-cancelled = Cancelled
kinds = File types
kind-video = Video
kind-music = Audio
kind-picture = Pictures
kind-document = Documents
kind-archive = Archives
kind-program = Programs
kind-other = Other
sort-by = Sort by
sorted-by = Sort by: { $name }
    .reversed = Sort by: { $name }, reversed
sort-newest = Newest first
sort-name = Name
sort-size = Size
sort-progress = Progress
sort-speed = { details-speed }
sort-left = Time left
sort-reverse = Reverse order
column-added = { about-created }
# Short name of the column for the time left.
column-left = { sort-left }
columns = Columns
in-turn = Queue order
dense = Compact rows
chosen = { $count } selected
downloads = Downloads
reading = Loading…
reading-file = { reading }
read-again = Try again
list-failed = The list could not be read
more = More
close = Close
cancel = Cancel
choose = Choose…

totals-slow-hours = slow hours

# State of a download, in one line of its row. Texts that begin with a small letter stand between dots.
row-sending = Sending { $part }
row-connecting = Connecting
row-stalled = no data
row-failed-files = { $count } failed
# $why is a sentence without its full stop.
row-failed-files-because = { row-failed-files }: { $why }
row-paused-with-everything = Paused (all paused)
row-paused-at-percent = Paused at { percent }
row-paused-at = Paused at { $amount }
row-not-started = not started yet
row-waits-because = Queued: { $why }
row-waits-slots = Queued: { n-files } at a time
row-waits-server = Queued: { $count } at a time from { $host }
row-tries = Retrying
row-tries-because = Retrying: { $why }
row-tries-in = Retrying in { $time }
row-tries-in-because = Retrying in { $time }: { $why }
# $moment is "14:02", or "3 Oct, 14:02".
row-done = Done { $moment }
row-verified = verified
row-size-unknown = size unknown
row-cancelled = Cancelled
row-awaits-link = Click the file in the browser. The click continues this download.
row-awaits-link-other = You clicked another file in the browser ({ $name }). It is now a separate download.
row-sign-in-again = The server refuses this download. Sign in again in the browser, and click the link there.
row-cancelled-at = Cancelled { $moment }
row-files-kept = { files-of } kept
row-kept = { $amount } kept
row-all-failed = All { n-files } failed: { $why }
row-some-failed = { files-of } failed: { $why }

retry-failed = Retry failed
try-now = Try now
start-now = Start now
remove = Remove
to-the-top = Move to top
to-the-end = Move to bottom
copy-link = Copy link
copy-links = Copy links
copy-command = Copy as cURL
cancel-asking = Cancel download…
remove-from-list = Remove from list
remove-from-list-asking = Remove from list…
remove-with-files-asking = Delete files…
rename = Rename in list…
rename-field = Name in the list
files-show = Show files
files-hide = Hide files
drag = Drag to change the order (Alt+Up, Alt+Down)
progress-of = Progress of { $title }
action-on = { $action }: { $title }

many-pause = Pause { n-downloads-object }
many-resume = Resume { n-downloads-object }
many-start = Start { n-downloads-object } now
many-top = Move { n-downloads-object } to top
many-end = Move { n-downloads-object } to bottom
many-retry = Retry { n-downloads-object }
many-copy = Copy links of { n-downloads }
many-cancel = Cancel { n-downloads-object }…
many-remove = Remove { n-downloads-object }
many-remove-asking = Remove { n-downloads-object }…
many-remove-files-asking = Delete files of { n-downloads-object }…

empty = Paste a link to begin
    .body = Copy the address of a file and press Ctrl+V anywhere in this window. You can paste several links at once, one per line.
    .action = Add links
    .after = You can close this window. Downloads continue in the background.
    .drop = You can also drop links, or files that contain links, into this window.
    .browsers = Connect your browser in the settings, and { -ashore } receives its downloads.
# Shown over the window while something is dragged over it.
drop-here = Drop links here, or files that contain links
nothing-found = Nothing found
    .search = No download here contains “{ $text }”.
    .kind = There are no downloads of the type “{ $kind }” here.
    .all-kinds = Show all file types
nothing-all = The list is empty.
nothing-running = No running downloads.
nothing-waiting = The queue is empty.
nothing-paused = No downloads are paused.
nothing-done = No finished downloads.
nothing-failed = No failed downloads.
nothing-cancelled = No downloads have been cancelled.

remove-question =
    { $count ->
        [one] Remove from the list?
       *[other] Remove { n-downloads-object } from the list?
    }
    .keeps = The downloaded files stay where they are.
    .files = Also move the files to the trash
    .deletes =
        { $count ->
            [one] The download is also removed from the list.
           *[other] The downloads are also removed from the list.
        }
    .submit =
        { $count ->
            [one] Remove
           *[other] Remove { n-downloads-object }
        }
    .title-files = Move the files to the trash?
    .submit-files = Remove, and move files to trash
# Shown if all downloads to be removed are unfinished.
remove-loses-all =
    { $count ->
        [one] Partial data of this download will be deleted.
       *[other] Partial data of these downloads will be deleted.
    }
# Shown if only $count of the downloads to be removed are unfinished.
remove-loses-some =
    { $count ->
        [one] 1 of them is not finished. Its partial data will be deleted.
       *[other] { $count } of them are not finished. Their partial data will be deleted.
    }
cancel-question =
    { $count ->
        [one] Cancel this download?
       *[other] Cancel { n-downloads-object }?
    }
    .body =
        { $count ->
            [one] Its partial files will be deleted. Finished files stay.
           *[other] Their partial files will be deleted. Finished files stay.
        }
    .submit =
        { $count ->
            [one] Cancel download
           *[other] Cancel { n-downloads-object }
        }
    .keep = Keep downloading

notices = Messages
notice-dismiss = Dismiss
notice-copied =
    { $count ->
        [one] Link copied.
       *[other] { $count } links copied.
    }
# $headers are names of headers.
notice-command-copied = Copied as cURL.
    .without = Copied as cURL, without these headers, because they may be secret: { $headers }
notice-again-without = “{ $title }” is downloaded again, without these headers, because they may be secret: { $headers }
notice-not-copied = The links could not be copied. The desktop does not allow copying at the moment.
# The action failed for $refused of $count downloads; $text is a sentence.
notice-not-for-all = The action failed for { $refused } of { n-downloads }: { $text }
# Links that were copied in another program; the button "Add" is beside this text.
notice-offered =
    { $count ->
        [one] You copied a link. Add it?
       *[other] You copied { $count } links. Add them?
    }
notice-removed =
    { $count ->
        [one] Removed from the list: { $title }
       *[other] { $count } downloads were removed from the list.
    }
notice-files-go = The files go to the trash in a few seconds.
notice-undo = Undo
notice-undo-hint = Undo (Ctrl+Z)
notice-back =
    { $count ->
        [one] Restored “{ $title }”
       *[other] Restored { $count } downloads
    }
notice-are-next =
    { $count ->
        [one] 1 download is next in the queue.
       *[other] { $count } downloads are next in the queue.
    }
notice-are-last =
    { $count ->
        [one] 1 download moved to bottom
       *[other] { $count } downloads moved to bottom
    }
notice-is-next = “{ $title }” is next in the queue.
notice-is-last = “{ $title }” moved to bottom
notice-is-number = “{ $title }” is number { $number } of { $count } in the queue.
notice-was-waiting = “{ $title }” was already in the list. It is now next in the queue.
notice-was-running = “{ $title }” is already running.

keys = Keyboard shortcuts
keys-hint = Keyboard shortcuts (F1)
keys-choosing = Selecting
keys-doing = Selected downloads
keys-queue = Queue order
keys-anywhere = Anywhere
keys-go = Move through the list
keys-choose-more = Select more (also by clicking with Shift)
keys-choose-everything = Select all
keys-choose-one = Select one only
keys-open = Open the file, or show the files of a group
keys-files = Show or hide the files of a group
keys-details = Show the details of the download
keys-pause = Pause or resume
keys-copy = Copy the links
keys-rename = Rename in the list
keys-remove = Remove from the list
keys-remove-files = Delete files
keys-menu = Open the menu with all actions
keys-move = Move one place up or down
keys-move-far = Move to top or bottom
keys-paste = Add the links from the clipboard
keys-add = { empty.action }
keys-search = Search
keys-undo = Undo the last removal
keys-settings = Open the settings, or go back to the list
keys-keys = Show this overview
keys-close = Close the window; downloads continue
keys-quit = Quit { -ashore }

# Labels of keys.
key-ctrl = Ctrl
key-alt = Alt
key-shift = Shift
key-space = Space
key-up = Up
key-down = Down
key-left = Left
key-right = Right
key-page-up = Page Up
key-page-down = Page Down
key-home = Home
key-end = End
key-enter = Enter
key-escape = Esc
key-delete = Del
key-menu = Menu

afterwards-is = { afterwards }: { $then }
limit-is = Speed limit: { $limit }
limit-other = Other…
limit-asking = { limit }…
limit-field = Limit
    .hint = { limit.none }
    .wrong = Enter a number, or leave the field empty.
    .submit = Set limit

# Unit of the speed limit: kB/s or MB/s.
limit-unit = Unit
