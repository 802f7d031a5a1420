# The extension of the browser: its popup, settings page, first page and menu entries.

extension-name = { -ashore }: download manager
extension-description = Hands downloads of the browser over to { -ashore }. The browser keeps each download until { -ashore } holds the file.

extension-menu =
    .link = Download link with { -ashore }
    .image = Download image with { -ashore }
    .media = Download media file with { -ashore }
    .selection = Download links of the selection with { -ashore }…
    .page = Download all links with { -ashore }…

# State of the connection, at the top of the popup.
extension-state =
    .running = Connected
    .idle = Connected. { -ashore } will start when you next download a file.
    .missing = { -ashore } was not found
    .missing-cure = Install { -ashore }, and connect this browser in its settings. Until then, all downloads stay with the browser.

extension-pair = Pair this browser
    .why = If this browser is from Flatpak or snap, enter the code that { -ashore } shows in its settings under “{ settings-browsers }”.
    .code = Code from { -ashore }
    .wrong = A code has eight letters and digits. Enter it again.
    .absent = { -ashore } does not answer. Switch on “{ setting-browser-channel }” in its settings, and make a new code.
    .closed = This browser is paired with { -ashore }, but { -ashore } does not answer. Start { -ashore }.

extension-site = Leave downloads of this site to the browser
extension-site-refused = { -ashore } could not take the last two downloads of { $site }. Downloads of this site stay with the browser until { $date }.
extension-site-again = Use { -ashore } again
extension-bypass = To leave a download to the browser, hold Alt while you click its link.
extension-bypass-access = The Alt key works after you allow access to all sites.

# Why the browser kept its latest download. $name is a file.
extension-kept = Left to the browser: { $name }
extension-why =
    .type = Pages, scripts and styles stay with the browser.
    .ending = Files with this ending stay with the browser.
    .small = The file is smaller than the limit in the settings.
    .method = The page sent a form, and forms are not repeated.
    .encoded = The server compresses this file, so its size cannot be compared.
    .danger = The browser warns about this file, so you decide there whether to keep it.
    .scheme = The page created this file itself.
    .extension = Another extension started this download.
    .menu-only = Downloads are handed over only from the menu.
    .bypass = You held the Alt key.
    .site = Downloads of this site are left to the browser.
    .site-refused = { -ashore } could not take the last two downloads of this site.
    .no-access = Without access to all sites, this file cannot be compared.
    .no-head = The browser did not report the response of the server, so this file cannot be compared.
    .too-many = More than 10 downloads of this site, or 30 in all, started within a minute without a click.
    .received = The browser had received the whole file before { -ashore } answered.
    .host = { -ashore } was not found. Install it, and connect this browser in its settings.
    .failed = The connection to { -ashore } ended without an answer.
    .silent = { -ashore } did not answer in time.
    .no-links = This page contains no links that can be read.
    .links-left-out = The page has too many links for one message, so the last ones were left out.
    .unknown = { -ashore } gave no reason. Update { -ashore } and this extension.

extension-all-links = Add all links…
extension-media = Media on this page
extension-media-stream = Playlist of a stream
extension-media-add = Add { $name }
extension-added = Added

extension-mode =
    .automatic-hint = { -ashore } takes over a file that you click, if the server sends { -ashore } the same file.
    .menu-hint = Right-click a link and choose { -ashore }. Everything else stays with the browser.
extension-least =
    .hint = In MiB. Smaller files stay with the browser, because it downloads them in an instant.
extension-sites =
    .remove = Use { -ashore } for { $site } again
    .add = Add a site, such as example.com
    .trouble = This is not the name of a site.
extension-access = Access to all sites
    .given = Allowed. { -ashore } receives files from sites where you are signed in.
    .missing = Not allowed. { -ashore } cannot receive files from sites where you are signed in.
    .allow = Allow access
    .revoke = Remove access
extension-connection = Connection
    .version = { -ashore } { $version }

extension-welcome = Downloads go to { -ashore } now
    .body = Click a link as always. The browser keeps its download until { -ashore } holds the same file, so no download is lost.
extension-welcome-access = Allow access to all sites?
    .why = { -ashore } then downloads with your cookies, so that sites where you are signed in send it the same file as the browser.
    .what = The extension reads the head of each response and the cookies of a download, and recognises clicks with the Alt key. It reads no pages, and sends data only to { -ashore } on this computer.
    .without = Without access, downloads are handed over only from the menu.
    .given = Access is allowed. Everything is ready.
    .refused = You can allow access later in the settings of this extension.
