# The settings: the name of each, its explanation (.about), the text in its empty field (.hint), and its choices.

settings = Settings
settings-open = Settings (Ctrl+,)
settings-back = Back to the list
settings-search = Search settings
settings-nothing = No setting matches “{ $text }”.
settings-file = The settings are stored in this file. You can also edit the file by hand:
settings-reset = { $name }: reset to the default
settings-percent = %
# Unit of a setting, beside its number.
settings-unit = { $name }: unit
    .kib = KiB
    .mib = MiB
    .gib = GiB
    .never = never
# Names of units after the number $count, which is not part of the text.
settings-unit-seconds =
    { $count ->
        [one] second
       *[other] seconds
    }
settings-unit-minutes =
    { $count ->
        [one] minute
       *[other] minutes
    }
settings-unit-hours =
    { $count ->
        [one] hour
       *[other] hours
    }
settings-unit-days =
    { $count ->
        [one] day
       *[other] days
    }
settings-unit-weeks =
    { $count ->
        [one] week
       *[other] weeks
    }
settings-number-wrong = Enter a number with at most two decimals.
settings-outside = Enter a value from { $least } to { $most }.
settings-paint = Paint with
settings-pace-full = Full speed
settings-pace-slow = Slow
settings-pace-off = Off
settings-rounded = The settings file contains times that are not on the hour or half hour. If you change the schedule here, they are rounded to half hours.
# $text is a sentence.
settings-not-followed = Problem in the settings file: { $text }
settings-not-followed-more =
    { $count ->
        [one] Problem in the settings file: { $text } The page Settings lists one more problem.
       *[other] Problem in the settings file: { $text } The page Settings lists { $count } more problems.
    }
settings-cell = { $day }, { $from } to { $until }: { $pace }
settings-grid-help = Arrow keys move. Space paints. Shift with arrow keys paints several cells.

settings-general = General
settings-folders = Folders
settings-network = Network
settings-browsers = Browsers
settings-schedule = Schedule
settings-notifications = Notifications
settings-power = Power
settings-space = Space
settings-advanced = Advanced

setting-language = Language
    .about = Language of the window, the tray and the notifications.
    .auto = System default
setting-parallel = Simultaneous downloads
    .about = Number of files that are downloaded at the same time.
setting-parallel-per-host = Downloads per server
    .about = With 1, the files of one server are downloaded one after the other.
setting-order = Queue order
    .about = Order in which queued downloads start. The window, the command line and other programs always take turns.
    .first-come = Oldest first
    .newest-first = Newest first
setting-forget-finished-after = Remove finished downloads after
    .about = After this time, finished downloads leave the list. Their files are kept. With “{ settings-unit.never }”, they stay in the list until you remove them.
setting-close-to-tray = Keep running when closed
    .about = If this is off, closing the window quits { -ashore }. Running downloads continue at the next start.
setting-start-at-login = Start at login
    .about = { -ashore } starts hidden in the tray, so that downloads continue as soon as you log in.
setting-offer-copied-links = Suggest copied links
    .about = When the window comes to the front, { -ashore } reads the clipboard and suggests each link once. The clipboard is read at no other time and is sent nowhere.
setting-folder = Download folder
    .about = Files are saved here unless you choose another folder for them.
    .hint = The desktop’s download folder
setting-folder-video = Videos
    .about = Name of a folder in the download folder, or full path of another folder. The folder is created when needed.
setting-folder-audio = Music and speech
    .about = Name of a folder in the download folder, or full path of another folder. The folder is created when needed.
setting-folder-pictures = Pictures
    .about = Name of a folder in the download folder, or full path of another folder. The folder is created when needed.
setting-folder-documents = Documents
    .about = Name of a folder in the download folder, or full path of another folder. The folder is created when needed.
setting-folder-archives = Archives
    .about = Name of a folder in the download folder, or full path of another folder. The folder is created when needed.
setting-folder-programs = Programs and disk images
    .about = Name of a folder in the download folder, or full path of another folder. The folder is created when needed.
setting-folder-kind-hint = The download folder itself
setting-connections = Connections per file
    .about = Maximum number of connections. { -ashore } uses more than one only where that makes the download faster.
setting-offline = When offline
    .about = Choose “Continue” if your servers are in the local network, or if the desktop does not recognise your network.
    .wait = Wait
    .go = Continue
setting-metered = On metered networks
    .about = Traffic on a metered network costs money, for example on a phone’s network.
    .wait = Wait for another network
    .go = Continue
setting-proxy = Proxy
    .about = Proxy for all connections, such as http://host:3128 or socks5h://host:1080. With “none”, no proxy is used.
    .hint = From the desktop’s environment
setting-no-proxy = Bypass proxy for
    .about = Servers and networks that are reached directly, separated by commas.
    .hint = From the desktop’s environment
setting-proxy-loopback = Proxy for this computer
    .about = Use the proxy for servers on this computer as well.
setting-local-for-programs = Allow programs to use the local network
    .about = Programs, feeds and other devices can then make { -ashore } download from this computer and from local networks, such as routers and home servers. Links that you add yourself are always allowed.
setting-cookies = Cookies
    .about = Send cookies back to the servers that set them, until { -ashore } quits.
setting-browser-hand-over = Hand downloads over
    .about = If you click a file in the browser, its extension hands the download over, provided that { -ashore } receives the same file. The menu entries of the extension work with either choice.
    .automatic = Automatically
    .menu = Only from the menu
setting-browser-least-size = Smallest file
    .about = Smaller files stay with the browser.
setting-browser-sites = Sites left to the browser
    .about = Separated by spaces, such as example.org. A site includes its subdomains.
    .none = No sites
setting-browser-endings = File name endings left to the browser
    .about = Separated by spaces, for example: html js css
setting-browser-bypass-key = Bypass key
    .about = A click with Alt leaves the download to the browser.
setting-browser-starts-ashore = Let a browser start { -ashore }
    .about = If this is off, all downloads stay with the browser while { -ashore } is closed.
setting-browser-channel = Let paired browsers connect
    .about = Browsers from Flatpak and snap cannot start { -ashore }. They connect through a port that only this computer can reach.
setting-hours = Hours
    .about = Choose a speed, and paint the hours for it. Hours that you do not paint use full speed.
setting-slow-speed = Speed in slow hours
    .about = Limit for all downloads together.
setting-notifications = { settings-notifications }
    .about = A download that runs for more than 10 seconds has a notification. Three or more such downloads share one.
    .calm = Progress after 10 seconds, and result
    .all = Progress of each download, and result
    .ended = Result only
    .none = None
setting-quiet-while-focused = Mute while window is active
    .about = No notifications are shown while this window has the focus, because it shows the same information.
setting-quiet-hours = Quiet hours
    .about = Daily time without notifications, such as 22:00-07:00. Downloads that end during this time are reported afterwards.
    .hint = None
setting-all-done = Notify when all downloads are complete
    .about = Shows one notification when the last of several downloads has ended and none is queued.
setting-battery-below = On battery, stop below
    .about = Downloads stop while the battery charge is lower than this. With 0, downloads never stop because of the battery.
setting-in-use = While this computer is in use
    .about = Wait until this computer has not been used for a while, or continue during use.
    .wait = Wait
    .go = Continue
setting-keep-awake = Prevent sleep while downloading
    .about = While downloads run, this computer does not go to sleep automatically. Its screen may go dark.
setting-free-space-floor = Minimum free space
    .about = No download starts in a folder with less free space than this.
setting-attempts = Attempts
    .about = Number of times that { -ashore } tries to download a file before it gives up.
setting-retry-after-seconds = Wait before the second attempt
    .about = The wait doubles with each further attempt, up to six hours.
setting-stall-seconds = Stall timeout
    .about = A connection that sends no data for this long is closed and tried again.
setting-connect-timeout-seconds = Connection timeout
    .about = How long to wait for a server to accept a connection.
setting-total-timeout-seconds = Total timeout
    .about = Time limit for one attempt. The partial file is kept when the time is over. With 0, there is no limit.
setting-checkpoint-seconds = Save progress every
    .about = A power cut loses at most the data received in this time.
setting-http2 = HTTP/2
    .about = Many small files from one server share a connection if the server supports HTTP/2.
setting-insecure-redirects = Redirects to insecure links
    .about = Follow redirects from https to http. Others on the network can then read and change the data.
setting-ca-certificate = Additional certificates
    .about = PEM file with certificate authorities to trust in addition to those of the system.
    .hint = None
setting-user-agent = User agent
    .about = Name that { -ashore } sends to servers.
    .hint = { -ashore } and its version
setting-referrer = Referrer
    .about = Address of a web page. { -ashore } sends it to servers as the page on which a link was found. A link with its own referrer uses that one instead.
    .hint = None
setting-netrc = Netrc file
    .about = Passwords in this file are sent to servers that require one.
    .hint = None
setting-keychain = Passwords and tokens
    .about = Place where passwords and tokens are stored. If it is a file, only you can read it.
    .auto = In the system’s keychain, or else in a file
    .system = In the system’s keychain only
    .file = In a file
    .none = Only until { -ashore } quits

settings-lacking-notifications = This desktop shows no notifications at the moment. The list shows the same information.
settings-lacking-tray = This desktop has no tray at the moment. Closing the window minimises it instead.

appearance = Appearance
appearance-theme = Theme
    .about = Colours of this page. The choice applies to this device.
    .light = Light
    .dark = Dark
appearance-density = Row height
    .about = Compact rows show more downloads, with one line of text each.
    .comfortable = Comfortable
    .compact = Compact

list = Your list
list-save = Export list
    .about = Saves the links, names, folders and results of all downloads in one file. The file contains no passwords, cookies or tokens, and none of the downloaded files.
    .choose = Export to a file…
list-take-in = Import list
    .about = Adds the downloads of a list that { -ashore } exported, here or on another computer. Unfinished downloads are added as paused. Downloads that are already in the list do not change.
    .choose = Choose a file…
list-saved = The list was exported to { $path }. Downloads in the file: { $count }.
list-saved-without-headers = Files whose headers were left out because they may be secret: { $count }.
list-taken-in = The list was imported. New downloads: { $count }. Unfinished ones are paused.
list-taken-in-nothing = The file contains no new downloads.
list-taken-in-known = Downloads that were already in the list: { $count }.
list-taken-in-elsewhere = Downloads that now use the default folder because their own folder cannot be used here: { $count }.
list-taken-in-without-headers = Files to download without their headers: { $count }. The headers were not exported because they may be secret. If a server requires the headers, sign in.

# The browsers, and their connection with { -ashore }.
browsers-connected = Connected
    .package = Connected by the { -ashore } package
    .none = Not connected
browsers-empty = No browser was found. Start a browser once, and try again.
browsers-extension = A connected browser hands its downloads over as soon as its extension is installed.
browsers-connect = Connect
    .label = Connect { $browser }
browsers-disconnect = Disconnect
    .label = Disconnect { $browser }
browsers-check = Check again
browsers-pair = Pair a browser
browsers-paired = Paired
    .remove = Remove { $browser }
    .added = { $browser } is paired.
browsers-code = Enter this code in the popup of the extension:
    .rest = Valid for { $time }

# Words that find a setting in the search although its own texts do not contain them.
synonyms-parallel = simultaneous, parallel, concurrent
synonyms-connections = threads, segments, parts, split
synonyms-startup = startup, autostart, boot, launch
synonyms-clipboard = clipboard, copy, paste, monitor
synonyms-category = category, categories, file types
synonyms-tray = minimize, minimise, background, hide
synonyms-metered = mobile, cellular, hotspot, roaming
synonyms-quiet = do not disturb, silent, mute
synonyms-speed = bandwidth, limit, throttle, rate
synonyms-backup = backup, restore, transfer, export, import
synonyms-remote = phone, mobile, tablet, remote, QR code, browser, web, aria2
synonyms-appearance = dark mode, night, colour, color, density, rows, font
synonyms-folder = location, directory, path, destination, save to
synonyms-cleanup = history, clear, delete, expire
synonyms-notify = alerts, pop-ups, popups, messages
synonyms-sleep = standby, suspend, hibernate, screensaver
synonyms-space = disk, storage, reserve
synonyms-retries = retry, retries, repeat, reconnect
synonyms-schedule = scheduler, timetable, planner, timer
synonyms-certificate = SSL, TLS, HTTPS, authority
synonyms-browser = extension, add-on, integration, Chrome, Firefox, Edge
synonyms-proxy = SOCKS, VPN, tunnel
synonyms-password = credentials, login, account, secrets
