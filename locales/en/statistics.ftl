# Statistics of all downloads.

statistics = Statistics
    .back = Back to the list
    .reading = Reading
statistics-in-all = In all
    .about = Downloads that have left the list are counted as well.

# Three large figures, with what is below each of them.
statistics-received = received
statistics-sent = { $amount } sent
statistics-arrived =
    { $count ->
        [one] file arrived
       *[other] files arrived
    }
statistics-added = of { $count } added
statistics-succeeded = succeeded
statistics-nothing-ended = Nothing has ended yet
statistics-none-failed = None failed
statistics-failed = { $count } failed
statistics-none = –

statistics-days = The last { $count } days
    .about = A download counts for the day that it was added on.
    .choose = What came, on each of the last { $count } days
statistics-day = Day
statistics-today = Today
statistics-whole = All of these days
statistics-nothing = Nothing was added
statistics-nothing-came = Of what was added in these days, nothing has arrived.
# Said for the day that is pointed at; $what is a list of facts.
statistics-said = { $day }: { $what }
statistics-column-received = Received
statistics-column-files = Files that arrived
statistics-column-failed = Failed

statistics-from = Where it was asked for
    .window = This window
    .command-line = The command line
    .feed = Feeds
    .clipboard = The clipboard
    .device = Other devices
    .program = Programs
statistics-empty = Nothing to count yet
    .body = Once something has been added, this shows what came, day by day, and where it was asked for.
