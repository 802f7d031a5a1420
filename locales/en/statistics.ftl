# Statistics of all downloads.

statistics = Statistics
    .back = Back to the list
    .reading = { reading }
statistics-in-all = Total
    .about = Downloads that were removed from the list are counted as well.

# Three large figures, and the text below each of them.
statistics-received = received
statistics-sent = { $amount } sent
statistics-arrived =
    { $count ->
        [one] file downloaded
       *[other] files downloaded
    }
statistics-added = of { $count } added
statistics-succeeded = succeeded
statistics-nothing-ended = No download has ended yet
statistics-none-failed = None failed
statistics-failed = { $count } failed
statistics-none = –

statistics-days = The last { $count } days
    .about = Each download is counted on the day on which it was added.
    .choose = Data received on each of the last { $count } days
statistics-day = Day
statistics-today = Today
statistics-whole = All of these days
statistics-nothing = No downloads added
statistics-nothing-came = The downloads that were added on these days have received no data.
# Shown for the day under the pointer; $what is a list of facts.
statistics-said = { $day }: { $what }
statistics-column-received = Received
statistics-column-files = Files downloaded
statistics-column-failed = Failed

statistics-from = Added from
    .window = This window
    .command-line = The command line
    .feed = Feeds
    .clipboard = The clipboard
    .device = Other devices
    .browser = Browsers
    .program = Programs
statistics-empty = No statistics yet
    .body = After you add a download, this page shows how much data was received for the downloads of each day. It also shows where downloads were added, such as in this window or in a browser.
