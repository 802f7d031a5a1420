# The list: its rows, what can be done with them, and what stands around them.

search = Search
search-hint = Search downloads (Ctrl+F)
search-clear = Clear search
filters = Show
filters-wide = Wide list of filters
filter-all = All
filter-running = Running
filter-waiting = Waiting
filter-done = Done
filter-failed = Failed
kinds = Kinds of files
kind-video = Video
kind-music = Audio
kind-picture = Pictures
kind-document = Documents
kind-archive = Archives
kind-program = Programs
kind-other = Other
sort-by = Sort by
sorted-by = Sort by: { $name }
sort-newest = Newest first
sort-name = Name
sort-size = Size
sort-progress = Progress
sort-left = Time left
in-turn = In the order in which they go on
chosen = { $count } selected
downloads = Downloads
reading = Reading the list
reading-file = Reading
read-again = Try again
list-failed = The list could not be read
more = More
close = Close
cancel = Cancel
choose = Choose…

totals-slow-hours = slow hours

# One line of plain words for a row. Those that begin small stand between dots.
row-sending = Sending { $part }
row-connecting = Connecting
row-stalled = stalled
row-failed-files = { $count } failed
# $why is a sentence without its full stop.
row-failed-files-because = { row-failed-files }: { $why }
row-paused-with-everything = Paused with everything else
row-paused-at-percent = Paused at { percent }
row-paused-at = Paused at { $amount }
row-not-started = not started yet
row-waits-because = Waiting: { $why }
row-tries = Trying again
row-tries-because = Trying again: { $why }
row-tries-in = Tries again in { $time }
row-tries-in-because = Tries again in { $time }: { $why }
# $moment is "14:02", or "3 Oct, 14:02".
row-done = Done { $moment }
row-verified = verified
row-size-unknown = size unknown
row-cancelled = Cancelled
row-cancelled-at = Cancelled { $moment }
row-files-kept = { files-of } kept
row-all-failed = All { n-files } failed: { $why }
row-some-failed = { files-of } failed: { $why }

retry-failed = Retry failed
try-now = Try now
remove = Remove
to-the-top = To the top
to-the-end = To the end
copy-link = Copy link
copy-links = Copy links
cancel-asking = Cancel download…
remove-from-list = Remove from list
remove-from-list-asking = Remove from list…
remove-with-files-asking = Remove with files…
rename = Rename in list
rename-field = Title in the list
files-show = Show files
files-hide = Hide files
drag = Drag to change the order (Alt+Up, Alt+Down)
progress-of = Progress of { $title }
action-on = { $action }: { $title }

many-pause = Pause { n-downloads-object }
many-resume = Resume { n-downloads-object }
many-top = Move { n-downloads-object } to the top
many-end = Move { n-downloads-object } to the end
many-retry = Retry { n-downloads-object }
many-copy = Copy links of { n-downloads }
many-cancel = Cancel { n-downloads-object }…
many-remove = Remove { n-downloads-object }
many-remove-asking = Remove { n-downloads-object }…
many-remove-files-asking = Remove { n-downloads-object } with files…

empty = Paste a link to begin
    .body = Copy the address of a file and press Ctrl+V anywhere in this window. Many links at once are fine: one on each line.
    .action = Add links
    .after = You can close the window while downloads run. { -ashore } goes on and tells you when they are there.
nothing-found = Nothing found
    .search = No download here contains “{ $text }”.
    .kind = Nothing of the kind “{ $kind }” is here.
    .all-kinds = Show all kinds
nothing-all = There is nothing in the list.
nothing-running = Nothing is running at the moment.
nothing-waiting = Nothing waits for its turn or for you.
nothing-done = Nothing has arrived yet.
nothing-failed = Nothing has failed.

remove-question =
    { $count ->
        [one] Remove from the list?
       *[other] Remove { n-downloads-object } from the list?
    }
    .keeps = The downloaded files stay where they are.
    .files = Also delete the downloaded files
    .deletes = The downloaded files go to the trash.
    .submit =
        { $count ->
            [one] Remove
           *[other] Remove { n-downloads-object }
        }
    .submit-files = Remove and delete files
# All that are to be removed.
remove-loses-all =
    { $count ->
        [one] It is not finished. What has arrived so far is discarded.
       *[other] They are not finished. What has arrived so far is discarded.
    }
# $count of those that are to be removed.
remove-loses-some =
    { $count ->
        [one] 1 of them is not finished. What has arrived so far is discarded.
       *[other] { $count } of them are not finished. What has arrived so far is discarded.
    }
cancel-question =
    { $count ->
        [one] Cancel this download?
       *[other] Cancel { n-downloads-object }?
    }
    .body =
        { $count ->
            [one] It stops and what has arrived of unfinished files is discarded. Finished files stay where they are.
           *[other] They stop and what has arrived of unfinished files is discarded. Finished files stay where they are.
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
notice-not-copied = The links could not be copied. The desktop does not allow it at the moment.
# $refused of $count downloads; $text is a sentence.
notice-not-for-all = This was not done for { $refused } of { n-downloads }: { $text }
# Links that somebody copied elsewhere; Add is the button beside it.
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
notice-undo-hint = Take it back (Ctrl+Z)
notice-back =
    { $count ->
        [one] “{ $title }” is back.
       *[other] { $count } downloads are back.
    }
notice-are-next =
    { $count ->
        [one] 1 download is next.
       *[other] { $count } downloads are next.
    }
notice-are-last =
    { $count ->
        [one] 1 download comes after everything else.
       *[other] { $count } downloads come after everything else.
    }
notice-is-next = “{ $title }” is next.
notice-is-last = “{ $title }” comes after everything else.
notice-is-number = “{ $title }” is number { $number } of { $count }.
notice-was-waiting = “{ $title }” was in the list already. It is next.
notice-was-running = “{ $title }” is under way already.

keys = Keys
keys-hint = Keys (F1)
keys-choosing = Choosing
keys-doing = With what is chosen
keys-queue = In the order of what waits
keys-anywhere = Anywhere
keys-go = Go through the list
keys-choose-more = Choose more, or click with Shift
keys-choose-everything = Choose everything
keys-choose-one = Back to one
keys-open = Open the file, or show the files of a set
keys-files = Show or hide the files of a set
keys-details = Details of the download
keys-pause = Pause or resume
keys-copy = Copy the links
keys-rename = Rename in the list
keys-remove = Remove from the list
keys-remove-files = Remove with files
keys-menu = Everything else
keys-move = One place up or down
keys-move-far = To the top or to the end
keys-paste = Add the links of the clipboard
keys-add = Add downloads
keys-search = Search
keys-undo = Take the last removal back
keys-settings = Open the settings, or go back to the list
keys-keys = This overview

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
limit-field = Kilobytes a second
    .hint = { limit.none }
    .wrong = Write a whole number, or nothing for no limit.
    .submit = Set limit
