# The desktop around the window: the icon in the panel, the notifications, the questions that it asks itself.

tray-open = Open { -ashore }
tray-quit = Quit
tray-clipboard = Add from clipboard
tray-shut = The list cannot be opened

note-show = Show
note-details = Details
note-sent = { $amount } sent
note-done = Done
note-files-left-out =
    { $count ->
        [one] 1 file left out
       *[other] { $count } files left out
    }
note-failed = The download failed.
# $why is a sentence.
note-files-failed =
    { $count ->
        [one] 1 file failed: { $why }
       *[other] { $count } files failed: { $why }
    }
note-many-finished =
    { $count ->
        [one] 1 download finished
       *[other] { $count } downloads finished
    }
note-many-failed =
    { $count ->
        [one] 1 download failed
       *[other] { $count } downloads failed
    }
# $count finished, $failed did not.
note-many-mixed =
    { $count ->
        [one] 1 download finished, { $failed } failed
       *[other] { $count } downloads finished, { $failed } failed
    }
note-and-more = and { $count } more
# The last of several has ended, and nothing waits.
note-all-done = All downloads are done
    .body = { $count } finished. None is waiting.
# $count finished, $failed did not.
note-all-ended = All downloads have ended
    .body = { $count } finished, { $failed } failed. The list shows the reasons.
note-in-tray = { -ashore } is running in the background
    .body = Downloads continue. Open or quit { -ashore } from its icon in the panel.
note-group = { -ashore } - { $owner }
note-group-command-line = { -ashore } - command line

ask-open = Open this file?
    .body = { $name } can run as a program on this computer. Open it only if you trust its source.
ask-folder = Choose a folder
ask-file = Choose a file
ask-save-list = Export the list
ask-list = Choose an exported list
