# The desktop program outside its window: the icon in the panel, the notifications, and the questions of its own dialogs.

tray-open = Open { -ashore }
tray-quit = Quit
tray-clipboard = Add from clipboard
tray-shut = The list cannot be opened

note-show = Show
note-details = Details
note-sent = { $amount } sent
note-done = Download complete
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
note-many-running =
    { $count ->
        [one] 1 download running
       *[other] { $count } downloads running
    }
note-and-more = and { $count } more
# The last of several downloads has ended, and no download waits.
note-all-done = All downloads complete
    .body = { $count } finished. None is queued.
# $count downloads finished, $failed failed.
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
ask-save-list = { list-save }
ask-list = Choose an exported list

# Questions before sync gives data or access to other machines.
ask-server = Run the sync server on this machine?
    .body = This machine then stores the encrypted list, and your other machines can reach it over the network. The recovery words are shown next.
    .yes = Run it here
ask-set-up = Create a list?
    .body = { -ashore } creates an encrypted list on { $server }, and shows the 24 recovery words.
    .yes = Create
ask-join = Join the list?
    .body = This machine sends its list of downloads, encrypted, to { $server }. All machines of that list can read it. Join only a list of your own.
    .yes = Join
ask-words = Show the recovery words?
    .body = Anyone who knows the 24 words, the address and the number can read the list. Make sure that you are alone.
    .yes = Show
ask-invite = Add a machine?
    .body = { -ashore } shows a link. The machine that opens it first can read the list. The link is valid for ten minutes.
    .yes = Show the link
ask-devices = Let other devices connect?
    .body = Devices in your network can then open this list after they have signed in. Data is not encrypted on its way, so do this only in a network that you trust.
    .yes = Let them connect
ask-device-link = Sign another device in?
    .body = { -ashore } shows a link. The device that opens it first can do everything with your downloads. The link is valid for five minutes.
ask-remove-machine = Remove a machine?
    .body = { $machine } cannot read anything that is written from now on. Its own downloads continue. The list gets new recovery words, which are shown next.
    .yes = Remove
ask-trust = Start downloads without asking?
    .body = From then on, downloads that { $machine } sends to this machine start at once.
    .yes = Start them
