# The dialog that takes links.

add = Add
add-hint = Add downloads (Ctrl+N)
add-title = Add downloads
add-links = Links
    .hint = https://…  one on each line
add-folder = Folder
    .hint = Your download folder
add-name = Title
    .hint = Taken from the file
    .hint-set = Taken from the files
add-checksum = Checksum
    .hint = sha-256=… (optional)
add-checksum-trouble = A checksum looks like sha-256= followed by 64 digits and letters from a to f.
add-together = Add as
add-one-set = One set
add-one-each = One each
add-start = Start
add-now = Now
add-later = Later
add-submit =
    { $count ->
        [one] Add
       *[other] Add { $count } links
    }
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
