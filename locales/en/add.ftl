# The dialog that takes links.

add = Add
add-hint = Add downloads (Ctrl+N)
add-title = Add downloads
add-links = Links
    .hint = https://…  one on each line
add-folder = Folder
    .hint = Your download folder
add-name = File name
    .hint = Taken from the server
add-set-title = Title
    .hint = Taken from the files
add-checksum = Checksum
    .hint = sha-256=… (optional)
add-checksum-trouble = A checksum looks like sha-256= followed by 64 digits and letters from a to f.
add-together = Add as
add-one-set = One set
add-one-each = One each
add-start = Start
add-now = Now
# On top of what waits.
add-next = Next
add-later = Later
add-submit =
    { $count ->
        [one] Add
       *[other] Add { $count } links
    }
add-progress = { $added } of { $count } added
add-understood =
    { $count ->
        [one] 1 link understood
       *[other] { $count } links understood
    }
add-misunderstood =
    { $count ->
        [one] 1 line is not
       *[other] { $count } lines are not
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
add-signs-in = signs in
add-and-more = and { $count } more
# $added were added, $count are left in the field; $text is a sentence.
add-partly = { add-partly-added } { add-partly-left } { $text }
add-partly-added =
    { $added ->
        [one] 1 link was added.
       *[other] { $added } links were added.
    }
add-partly-left =
    { $count ->
        [one] The one left here was not:
       *[other] The { $count } left here were not:
    }

# Response of the server to a single link.
add-asking = Asking the server…
add-wants-sign-in = The server asks for a sign-in. Fill it in below, or use a link that carries its own permission.
add-unsized = The server does not say how large it is
# Facts beside the size: whether an interruption costs what has come.
add-resumes = can go on after an interruption
add-begins-anew = begins anew after an interruption

# Links that are in the list already.
add-answer-gone = The server’s answer has waited too long and was let go. It is asked again when you add it.
add-is-there = This link is in the list already
add-is-there-otherwise = A link to the same place is in the list already
add-are-all-there = All of these links are in the list already
add-are-there =
    { $count ->
        [one] 1 of these links is in the list already
       *[other] { $count } of these links are in the list already
    }
add-are-unfinished =
    { $count ->
        [one] 1 of them is unfinished, and can go on with this link and keep what has come
       *[other] { $count } of them are unfinished, and can go on with these links and keep what has come
    }
add-repeat = What to do with them
# A button: go on with the download that is in the list.
add-go-on = Go on with that one
add-go-on-many = Go on with the unfinished
add-skip = Leave out
add-again = Download again
add-taken = The folder has something called { $name } already. It stays, and this file gets a number behind its name.

# Settings that apply to every link.
add-along = Sign-in, cookies and headers
add-user = User name
add-password = Password
add-keep = Keep sign-in and cookies in the keychain
add-cookies = Cookies
    .hint = name=value; other=value, or the lines of a cookies.txt
add-headers = Headers
    .hint = Name: value
add-headers-trouble = Line { $line } of the headers is none. A header looks like Name: value.

add-list-too-large = This file is too large to be a list of links. A long list can be added with: ashore add -i FILE.

# Another link, or another folder, for an unfinished download: buttons, and an entry of a menu that asks.
new-link = New link
new-folder = Another folder
relink = New link…
relink-question = Go on with another link?
    .body = What has come so far is kept, and compared with the file behind the new link before anything is added to it.
    .link = New link to the same file
    .submit = Use this link

# Steps that people take for one download: behind a closed gate, on a full disk, at a server that asks who they are.
action-anyway = Download anyway
action-free-space = Free space
action-sign-in = Sign in
sign-in-question = Sign in and try again?
    .body = { $host } asks who you are. What you give goes to this server alone.
    .submit = Sign in
