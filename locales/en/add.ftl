# The dialog that takes links.

add = Add
add-hint = Add downloads (Ctrl+N)
add-title = Add downloads
add-links = Links
    .hint = https://…  one per line
add-folder = Folder
    .hint = Your download folder
add-name = File name
    .hint = From the server
add-set-title = Title
    .hint = From the file names
add-checksum = Checksum
    .hint = sha-256=… (optional)
add-checksum-trouble = Write a checksum as sha-256= followed by 64 hexadecimal digits (0 to 9, a to f).
add-together = Add as
add-one-set = One set
add-one-each = Separate downloads
add-start = Start
add-now = Now
# Place before all waiting downloads.
add-next = Next in queue
add-later = Later (paused)
add-submit =
    { $count ->
        [one] Add
       *[other] Add { $count } links
    }
add-progress = { $added } of { $count } added
add-understood =
    { $count ->
        [one] 1 link found
       *[other] { $count } links found
    }
add-misunderstood =
    { $count ->
        [one] 1 line cannot be used
       *[other] { $count } lines cannot be used
    }
add-none-understood =
    { $count ->
        [one] This line is not a link
       *[other] None of these lines is a link
    }
add-line-number = Line { $number }
add-link-count =
    { $count ->
        [one] 1 link
       *[other] { $count } links
    }
add-from-to = { $first } to { $last }
add-signs-in = includes sign-in
add-and-more = and { $count } more
# $added links were added, and $count links stay in the field; $text is a sentence.
add-partly = { add-partly-added } { add-partly-left } { $text }
add-partly-added =
    { $added ->
        [one] 1 link was added.
       *[other] { $added } links were added.
    }
add-partly-left =
    { $count ->
        [one] The remaining link was not added:
       *[other] The remaining { $count } links were not added:
    }

# Response of the server to a single link.
add-asking = Asking the server…
add-wants-sign-in = The server requires a sign-in. Enter your user name and password below, or use a link that includes an access token.
add-unsized = The server does not state the size
# Facts beside the size: whether the download can continue after an interruption.
add-resumes = can be resumed
add-begins-anew = cannot be resumed

# Links that are already in the list.
add-answer-gone = The server’s answer has expired. { -ashore } asks the server again when you add the link.
add-is-there = This link is already in the list
add-is-there-otherwise = A similar link, probably to the same file, is already in the list
add-are-all-there = All of these links are already in the list
add-are-there =
    { $count ->
        [one] 1 of these links is already in the list
       *[other] { $count } of these links are already in the list
    }
add-are-unfinished =
    { $count ->
        [one] 1 of them is unfinished and can be resumed with this link
       *[other] { $count } of them are unfinished and can be resumed with these links
    }
add-repeat = Links that are already in the list
# Button that continues the download in the list.
add-go-on = Resume existing download
add-go-on-many = Resume unfinished downloads
add-skip = Skip
add-again = Download again
add-taken = { $name } already exists in the folder and is kept. The new file gets a number after its name.

# Settings that apply to every link.
add-along = Sign-in, cookies and headers
add-user = User name
add-password = Password
add-keep = Save sign-in and cookies in the keychain
add-cookies = Cookies
    .hint = name=value; other=value, or the lines of a cookies.txt
add-headers = Headers
    .hint = Name: value
add-headers-trouble = Line { $line } of the headers is not a header. Write headers as Name: value.

add-list-too-large = This file is too large for this window. Add a long list of links with: ashore add -i FILE.

# Another link, or another folder, for an unfinished download: buttons, and a menu entry that opens a question.
new-link = Replace link
new-folder = Change folder
relink = Replace link…
relink-question = Replace the link and continue?
    .body = { -ashore } compares the partial file with the file of the new link. If they differ, the download starts over.
    .link = New link to the same file
    .submit = Use this link
    .open = Open the page in the browser
    .open-about = Open the page of the link, and click the file there. This download then continues if the extension has access to all sites and hands downloads over automatically.

# Actions for one download that waits for a gate, for space on the disk, or for a sign-in.
action-anyway = Download anyway
action-free-space = Free up space
action-sign-in = Sign in
sign-in-question = Sign in and try again?
    .body = { $host } requires a sign-in. Your user name and password are sent only to this server.
    .submit = Sign in
