# The dialog that takes links.

add = Add
add-hint = Add links (Ctrl+N)
add-title = { empty.action }
add-links = Links
    .hint = Paste links, one per line
add-folder = Folder
    .hint = Your download folder
add-name = File name
    .hint = Automatic
add-set-title = Name
    .hint = Automatic
add-checksum = Checksum
    .hint = sha-256=… (optional)
add-checksum-trouble = Write a checksum as sha-256= followed by 64 hexadecimal digits (0 to 9, a to f).
add-together = Group
add-one-set = One group
add-one-each = Separately
add-start = Start
add-now = Now
# Place before all waiting downloads.
add-next = Next in queue
add-later = Add paused
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
        [one] 1 line skipped
       *[other] { $count } lines skipped
    }
add-none-understood =
    { $count ->
        [one] No link found
       *[other] No links found
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
add-wants-sign-in = Sign-in required. Enter your user name and password.
add-unsized = Unknown size
# Facts beside the size: whether the download can continue after an interruption.
add-resumes = Resume supported
add-begins-anew = Resume not supported

# Links that are already in the list.
add-answer-gone = The server’s reply has expired. { -ashore } will ask again.
add-is-there = Already in your list
add-is-there-otherwise = Looks like a download you already have
add-are-all-there = All of these links are already in your list
add-are-there =
    { $count ->
        [one] 1 of these links is already in your list
       *[other] { $count } of these links are already in your list
    }
add-are-unfinished =
    { $count ->
        [one] 1 can resume with this link
       *[other] { $count } can resume with these links
    }
add-repeat = Duplicates
# Button that continues the download in the list.
add-go-on = Resume existing
add-go-on-many = Resume unfinished
add-skip = Skip
add-again = Download again
add-taken = “{ $name }” exists. The new file will be numbered.

# Settings that apply to every link.
add-along = Sign-in, cookies and headers
add-user = User name
add-password = Password
add-keep = Save to keychain
add-cookies = Cookies
    .hint = name=value; other=value, or the lines of a cookies.txt
add-headers = Headers
    .hint = Name: value
add-headers-trouble = Header line { $line } is not valid. Use Name: value.

add-list-too-large = This file is too large. Use ashore add -i FILE.

# Another link, or another folder, for an unfinished download: buttons, and a menu entry that opens a question.
new-link = Replace link
new-folder = Change folder…
relink = Replace link…
relink-question = Replace the link and continue?
    .body = Your partial file is kept if the new link leads to the same file. Otherwise, the download starts over.
    .link = New link to the same file
    .submit = Use this link
    .open = Open the page in the browser
    .open-about = Open the page of the link, and click the file there. If the extension has access to all sites and hands downloads over automatically, this download then continues.

# Actions for one download that waits for a gate, for space on the disk, or for a sign-in.
action-anyway = Download anyway
action-free-space = Open folder
action-sign-in = Sign in
sign-in-question = Sign in and try again?
    .body = Your user name and password are only sent to { $host }.
    .submit = Sign in
