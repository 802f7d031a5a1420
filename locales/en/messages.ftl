# Messages of Ashore as data: `message-CODE` for each code, with its variants as attributes. `message!` in the sources names them,
# and gives the values of their gaps.

# Transfers.
message-dns = The server's name could not be found. Check the connection and the spelling of the link.
message-name-server = The network's name server did not answer, so the server's address is not known. Check the connection, or try again later.
message-connect = The server could not be reached. Check the connection, or try again later.
message-connect-timeout = The server did not accept the connection in time. Check the connection, or try again later.
message-proxy = The proxy could not be reached, or refused to connect to the server. Check the proxy in the settings or in the environment.
message-proxy-sign-in = The proxy requires a user name and a password. Add them to its address: http://user:password@host:port.
message-tls-handshake = The secure connection was interrupted during the TLS handshake. Try again later.
    .not-tls = The server does not support TLS on this port, so the connection cannot be encrypted. If you trust the network, use the link with http://.
    .old-tls = The server supports only old versions of TLS, which are not safe. { -ashore } requires TLS 1.2 or 1.3. Look for another server, or ask the owner of this server to update it.
    .refused = The server refused the TLS handshake. It may be too old to have a cipher in common with { -ashore }, or it may require a client certificate. Ask the owner of the server.
    .client-certificate = The server requires a client certificate, and { -ashore } cannot provide one. Download the file with a browser that has your certificate.
message-certificate = The server could not prove its identity, because its certificate is not valid. Check the link. Do not trust files from this server.
message-certificate-expired = The server's certificate has expired, so the server cannot prove its identity. Check the date of this computer. If the date is right, do not trust files from this server.
    .not-yet = The server's certificate is not valid yet, so the server cannot prove its identity. Check the clock of this computer. If the clock is right, do not trust files from this server.
message-certificate-untrusted = The server's certificate is self-signed, or its issuer is not known to this computer. If the server is your own, add its certificate in the settings. Otherwise, do not trust files from this server.
message-certificate-name = The server sent the certificate of another server. Check the spelling of the link. Do not trust files from this server.
message-timeout = The server stopped answering. Try again later.
message-total-timeout = The download took longer than the settings allow. The partial file is kept. Retry to resume the download, or allow more time.
message-reset = The connection was cut. Try again later.
message-truncated = The server ended the file too early. Try again later.
message-protocol = The server's answer is not valid. Try again later, or use another link.
    .not-http = The server does not answer in HTTP. Check the address and the port of the link.
    .head = The response headers of the server are damaged and cannot be read. Use another link, or tell the owner of the server.
    .large-head = The response headers of the server are too large. Use another link, or tell the owner of the server.
    .chunks = The server's answer is damaged, because its chunks are not valid. Try again later, or use another link.
    .part = The server sent a part of the file that was not requested. Use another link.
    .needs-tls = The server requires an encrypted connection (TLS) on this port. Use the link with https:// instead of http://.
message-bad-status = The server refused the request. Check the link.
    .preparing = The server is still preparing this file. Try again later.
    .empty = The server has no content for this link, so no file was received. Check the link.
    .listing = The server sent a list of results instead of the file. Check the link.
    .nowhere = The server redirects this link but names no new address. Use another link.
    .sign-in = The server requires a sign-in, and { -ashore } has no sign-in that it accepts. Sign in, or use a link that includes an access token.
    .proxy = A proxy requires a user name and a password. Add them to its address in the settings or in the environment.
    .forbidden = The server does not allow the download of this file. The link may have expired. Get a new link.
    .gone = The server no longer has this file. Look for a new link.
    .busy = The server is busy. Try again later.
    .legal = The server is not allowed to provide this file for legal reasons. Look for the file elsewhere.
    .broken = The server reports an internal error. Try again later.
    .status = The server refused the request with status { $status }. Check the link.
message-too-many-redirects = The link is redirected too many times. Use another link.
message-refused-redirect = The link is redirected to an address that { -ashore } does not follow, or to an insecure connection. Use another link.
message-private-address = A program requested an address on this computer or in a local network, not on the public internet. If you want the file, add the link yourself. For programs that you trust, allow local addresses in the settings.
message-changed-on-server = The file on the server keeps changing during the download. Try again later.
message-web-page = The response looks like a web page, not like the file. The site may require a sign-in. Open the link in a browser, and copy the link of the file there.
message-link-expired = The link has expired. The partial file is kept. Get a new link to the same file.
message-wrong-size = The server offers a file of another size than expected, so the file was not downloaded. Check the size, or use another link.
message-untrue-length = The server states different sizes for this file, so a complete download cannot be recognised. Use another link, or tell the owner of the server.
message-digest-mismatch = The file does not have the expected checksum, so the file was not kept. Check the checksum, or use another link.
message-checksum-file = No checksum could be read from the checksum file, so the download was not verified with it. Open the link of the checksum file in a browser, and compare the checksum yourself.
    .kind = The checksum file has no checksum of the kind that its name states, so the download was not verified with it. Open the link of the checksum file in a browser, and compare the checksum yourself.
    .other = The checksum file does not name the downloaded file, so the download was not verified with it. Look for the checksum file of this version.
message-disk-full = There is not enough free space. Free up some space and try again.
    .short = { message-disk.short }
message-disk-quota = Your disk quota is used up. Remove files or ask for a larger quota, and try again.
    .short = { message-disk.short }
message-file-too-large = The file is too large for the disk of this folder, or for a limit of this login (`ulimit -f`). A disk with FAT32 stores only files of less than 4 GiB. Choose a folder on another disk, or raise the limit.
message-disk-away = The disk or network folder does not answer. Connect it again. The download then continues automatically, and the partial file is kept.
message-target = Files can no longer be written to the folder. Choose another folder.
    .refused = The folder { $path } cannot be used: { $why }. Choose another folder.
    .hidden = The folder { $path } is hidden, and files in hidden folders may run automatically. If you want to use this folder, choose it in the folder dialog.
message-partial-changed = Another program moved, replaced or changed the partial file, whose name ends in .part. Keep the program away from that file, or choose another folder, and try again.
message-disk = Reading or writing the disk failed. Check the disk and try again.
    .short = The folder { $folder } needs { $amount } more free space. Free up some space, and downloads continue automatically.
    .list = The list could not be saved in { $path }: { $why }.
    .read = The exported list could not be read from { $path }: { $why }.
    .upload = The file to upload could not be copied: { $why }.
    .settings = The settings could not be read from { $path }: { $why }.
    .settings-unsaved = The settings could not be saved in { $path }: { $why }.
    .unread = { $path } could not be read: { $why }.
    .unwritten = { $path } could not be written: { $why }.
    .undeleted = { $path } could not be removed: { $why }.
    .folder = The folder { $path } could not be created: { $why }.
    .lock = The lock file { $path } could not be locked: { $why }.
    .thread = No thread could be started for the downloads: { $why }. Close other programs and try again.
    .open-files = { -ashore } needs at least { $least } open files and connections at once, and the system allows { $allowed }. Allow more with `ulimit -n 1024`.
    .ledger = The list in { $path } could not be read: { $why }.
    .copy = The list could not be copied to { $path }: { $why }.
    .copy-unused = The list could not be replaced by its copy { $path }: { $why }.
    .quarantine = The damaged list could not be moved to { $path }: { $why }.
    .mark = The marker file beside { $path } could not be removed: { $why }.
    .socket = The socket for other programs could not be opened. The reason is in the log.
    .cookies = The cookies could not be saved: { $why }.
message-too-many-open = Too many files and connections are open at once. Downloads continue when some are closed. If this message stays, close other programs.
message-download-total-exceeded = More data arrived than the declared total, so the download was stopped. Add it again with a larger total, or without a total.
message-quota-reached = A quota is used up. The partial file is kept. Remove downloads from the list, or raise the quota.
message-upload-interrupted = The upload was interrupted, and the server may have received a part of it. { -ashore } does not repeat an upload automatically. Retry if the server can receive the upload again.
message-upload-source = The file to upload is gone or has changed. Add the upload again.
    .unreadable = The file to upload, { $path }, cannot be read: { $why }.
message-internal = An internal error occurred in { -ashore }. Try again, and report the error if it occurs again.
    .next = { -ashore } could not determine the next downloads. Try again.
message-aborted = The download was cancelled.
message-bad-manifest = This file is not a valid list of parts: { $why }. Check the file.
    .part = A part in this list cannot be downloaded: { $why }

# Reasons to wait.
message-bootstrap = The first start of this version is not complete: { $why }. { -ashore } retries every minute.
message-paused = Everything is paused. Downloads continue when you resume them.
message-asleep = This computer is going to sleep. Downloads continue automatically when it wakes up.
message-hours = Outside the allowed hours until { $until }. Downloads then continue automatically.
    .always = Outside the allowed hours. Downloads continue automatically when these hours begin.
message-offline = This computer is offline. Downloads continue automatically when the network is back.
message-captive-portal = The network requires a sign-in. Open any web page and sign in, so that downloads continue automatically.
message-metered = The network is metered. Downloads continue automatically on another network, or on this one if the settings allow it.
message-battery = The battery is below { $percent } %. Downloads continue automatically when this computer is plugged in.
message-in-use = This computer is in use. Downloads continue automatically when it has been idle for a while, or now if the settings allow it.
message-folder = The disk of { $folder } is not mounted, or the folder is gone. The download continues automatically when the folder is back.
    .other = The folder { $folder } does not contain the partial files any more. The download continues automatically when its disk is back. To start over, try again.
    .file = The path { $folder } is not a folder any more. The download continues automatically when the folder is back.
    .silent = The disk of { $folder } does not answer. The download continues automatically when the disk answers.
message-quota = The quota of { $whose } is reached: { $used } are used. Remove downloads from the list, or raise the quota. Downloads then continue automatically.
    .needs = The quota of { $whose } is reached: { $used } are used, and this download needs { $amount } more. Remove downloads from the list, or raise the quota. Downloads then continue automatically.
    .none-and-files = The value “none” removes the whole quota, so it cannot be combined with --files. Leave --files out, or give a size.
message-host-busy = The server is busy and asked { -ashore } to wait. Downloads continue automatically.
message-host-failing = The server has failed several times in a row, so { -ashore } waits for a while. It retries automatically, and immediately when the network changes.
message-host-unreachable = The server cannot be reached at the moment. { -ashore } retries automatically, and immediately when the network changes.
# A moment of the week, such as "Monday 08:00".
day-monday = Monday
day-tuesday = Tuesday
day-wednesday = Wednesday
day-thursday = Thursday
day-friday = Friday
day-saturday = Saturday
day-sunday = Sunday

# Refused operations.
message-empty = There is no link in this input. Give at least one link.
message-bad-url = "{ $url }" is not a valid link: { $why }.
    .line = The line has more than { $most } bytes, which is too long for a link.
message-bad-scheme = { -ashore } fetches http and https links, and "{ $url }" is neither.
message-credentials = The link to { $host } contains a user name or password. Remove it, because links appear in lists and logs.
message-bad-port = Port { $port } of { $host } is reserved for another service and is not used for downloads.
message-quota-exceeded = The download needs { $needed }, and { $path } has { $free } free. Free up some space, or choose another folder.
    .quota = The download needs { $needed }, and the quota of { $whose } is { $limit }. Add fewer files at once, or raise the quota with `ashore quota`.
message-id-taken = A download with the id "{ $id }" is still in progress. Wait for its end, abort it, or choose another id.
message-icon = The icon { $path } cannot be used: { $why }. Choose a PNG, JPEG, GIF, WebP, SVG or ICO file on this computer.
message-ignored-while-paused = The download was not added, because everything is paused. Resume everything, and add the download again.
message-unknown = There is no download with the id { $id }. It may have been removed.
    .list = There is no download with the id { $id }. `ashore list` shows all downloads.
    .partial = No partial file has the id { $id }. `ashore doctor` shows all partial files.
message-invalid = { $name } is { $value }, and must be from { $least } to { $most }.
    .whole = { $name } is { $value }, and must be a whole number from { $least } to { $most }.
    .unknown = { $name } is not a setting. Did you mean { $meant }?
    .none = { $name } must be a number, and "{ $value }" is not a number.
    .either = { $name } must be either true or false.
    .foreign = { $name } is not a setting. Remove the line, or find the right name with `ashore settings`.
    .number = { $name } is { $value }, and must be a number from { $least } to { $most }.
    .flag = { $name } is { $value }, and must be true or false.
    .choice = { $name } is { $value }, and must be one of { $meant }.
    .text = { $name } is { $value }, and must be text in quotes.
    .whole-path = { $name } is "{ $value }", and must be a full path, such as /home/me/Downloads.
    .amount = "{ $value }" is not a number of bytes. Write it as "512K", "20M" or "1.5G".
    .time = "{ $value }" is not a length of time. Write it as "90s", "30m", "12h", "7d" or "4w".
    .kept = A download can stay in the list for one second to a hundred years. To keep it without a limit, leave the time out.
    .whole-day = The setting quiet-hours covers the whole day, so no notification would ever be shown. To turn notifications off, choose "none" in notifications.
    .quiet = The setting quiet-hours is "{ $value }", which cannot be read: { $why }. Write it as "22:00-07:00".
    .checksum = "{ $value }" is not a checksum. Write it as sha-256=HEX (or sha-512, sha-1, md5).
    .checksums = There are two different { $name } checksums for one file. Leave out the wrong one.
    .header = "{ $name }" is not a valid header name. Write a header as Name: value.
    .header-value = The value of the header { $name } contains a control character. Remove it.
    .header-own = The header { $name } is set by { -ashore } itself. Leave it out.
    .user = A user name must not be empty or contain a colon.
    .password = A password must not contain control characters.
    .token = A token can contain only letters, digits and -._~+/=. Leave out a word before the token, such as Bearer.
    .network = The network settings cannot be used: { $why }
    .settings = The settings in { $path } cannot be used: { $why }
    .keychain = The system's keychain did not store the sign-in: { $why }. Unlock the keychain, or set keychain = "auto" to use a file that only you can read.
    .message = { -ashore } does not understand this message: { $why }.
    .too-long = A link is too long to be exported: { $url }. Remove its download from the list, and export the list again.
    .files = These are more files than one download can contain. Split them into several downloads.
    .mirrors = A file has at most { $most } mirrors. Leave some out.
    .pieces = The checksums of the file's pieces are not valid: { $why }.
    .authorization = This Authorization header is valid for one request only. Use `ashore sign-in` instead.
    .sign-ins = Two of these requests have different sign-ins for the same server. Leave one of them out.
    .cookies = This text contains no cookies for { $host }. Write cookies as name=value; other=value, or paste the lines of a cookies.txt.
    .authorization-value = An Authorization header must not be empty or contain control characters.
    .partial = { $path } is not a partial file that { -ashore } can adopt. `ashore doctor` shows the partial files that can be adopted.
    .id = An id must have from 1 byte to 1 MiB. Choose another id.
    .owner = The name of an owner must have from 1 to 256 bytes. Choose another name.
    .parallel = One download can fetch from 1 to 64 of its files at once, not { $value }. Choose a number in this range.
    .description = A description has at most 64 KiB. Shorten it.
    .expectation = Mirrors, a size and several checksums are only for downloads with GET, not for { $method }. Leave them out.
    .method = { -ashore } does not support the method { $method }. Use GET, HEAD, POST, PUT, PATCH or DELETE.
    .upload-method = A request with { $method } sends no file. To upload a file, use PUT, POST or PATCH.
    .icons-both = Give either one icon or a list of icons.
    .icons = A download has at most { $most } icons. Leave some out.
    .icon-text = The description of an icon can have at most { $most } bytes. Shorten it.
    .series-address = The address of a series must contain { $hole } exactly once. Write { $hole } in the place of the number.
    .series-names = The pages of a series need different names. Write { $hole } once in the place of the number.
    .series-pages = A series counts up and has at most { $most } pages. Split the series, or write the smaller number first.
    .next-list = A list of follow-up downloads must have from 1 to { $most } links. Split the list.
    .next-download = A list of follow-up downloads must not contain uploads or further follow-up downloads. Leave them out.
    .small-amount = "{ $value }" is less than one byte. Write an amount as "512K", "20M" or "1.5G".
    .category = "{ $value }" is not a kind of file. Choose one of { $meant }.
    .hours = The line "{ $value }" in hours cannot be read: { $why }. Write it as "mon-fri 08:00-18:00 slow". The last word must be full, slow or off.
    .hours-off = The setting hours is off at all times, so nothing would ever be downloaded. Leave some time full or slow. To stop for now, pause everything.
    .hours-grid = A day in the setting hours must have 48 letters, each f, s or o. Correct the day.
    .lines = { $name } is { $value }, and must be a list of lines such as "mon-fri 08:00-18:00 slow".
    .bytes = { $name } is { $value } bytes, and must be from { $least } to { $most }.
    .speed = { $name } is { $value } bytes a second, and must be from { $least } to { $most }.
    .kind = { $name } does not accept a value of this type. `ashore settings` shows the accepted values.
    .only-text = { $name } must be text.
    .toml = This is not valid TOML: { $why }
    .proxy = { $name } is not the address of a proxy. Write it as http://host:port or socks5h://host:port.
    .referrer = { $name } is not the address of a web page. Write it as https://host/page.
    .control-character = { $name } contains a control character. Remove it.
    .cookie-file = The cookies in { $path } cannot be used: line { $line } is not a cookie. A cookie must be a line of seven fields, separated by tabs.
    .network-setup = The network could not be prepared: { $why }.
    .keychain-kept = { -ashore } no longer uses this sign-in, but the system's keychain did not remove it: { $why }. Remove "ashore" for { $origin } from the keychain.
    .keychain-off = The settings keep no secrets (keychain = "none"), and sync needs its key at each start. Set keychain = "auto".
    .sent = The other machine sent a download that this version cannot read. Update { -ashore }.
    .file-path = { $path } is not the full path of a file. Begin at the root, as in /home/me/list.
    .rank = The rank of this download is out of range.
    .null-name = The name of this file contains a null character. Remove it.
    .no-outcome = This file is complete, but its line has no result.
    .quota = A quota must be from 1 to 2^53 bytes or files, and the name of its owner must have from 1 to 256 bytes.
    .checksum-link = The checksum that a checksum file states for this file is not valid.
    .large = A size is larger than 2^53 bytes, the limit for files.
    .date = A time is outside the years 0 to 9999.
    .protocol = This { -ashore } supports the protocol versions { $least } to { $most }, not { $value }. Update the program that connects.
    .owner-missing = Name the owner in this call or in the greeting.
    .answer = The answer cannot be written as JSON: { $why }.
    .probe = Only downloads can be probed, and this request is not a GET.
message-wrong-state = This file is being downloaded right now. Pause the download first, then replace the link.
    .there = This file is already complete. Add the link as a new download.
    .upload = The address of an upload cannot be changed. Cancel the upload, and add it again with the other address.
    .fetching = This download is running right now. Pause it first, then choose another folder.
    .all = This download is already complete. Move its files with a file manager.
    .begun = A part of this download is already in its folder. Wait until the download is complete, or cancel it and add it again with the other folder.
    .worked-on = Another program is working on { $path }. Close that program first.
    .partial = { $path } cannot be resumed, because the server offers no way to detect a changed file. Add the link again: { $url }
    .syncing = Sync is already on. Turn sync off first.
message-bad-speed = A speed limit of { $value } bytes a second is not supported. Give a limit from 1K (1,024) to 10G, or none for no limit.
message-file-there = A file or folder already exists at { $path } and was not changed. Choose another name, or add --force to replace it.
message-not-saved = { $path } is not a list that { -ashore } exported. Choose a file from `ashore export`.
    .pipe = The input is not a list that { -ashore } exported. Give a file from `ashore export`.
    .pipe-long = The input is longer than any list that { -ashore } exports. Give a file from `ashore export`.
message-saved-newer = { $path } was exported by a newer { -ashore } (format { $found }, this one supports { $known }). Update { -ashore }. Nothing was imported.
message-saved-cut = { $path } ends too early, so a part of the list is missing. Copy or export the list again. Nothing was imported.
message-saved-changed = { $path } was edited or damaged after its export. Copy or export the list again, or import it as it is with --unchecked. Nothing was imported.
message-saved-line = Line { $line } of { $path } cannot be imported: { $why } Nothing was imported.
message-held = Another { -ashore } is working on { $path } ({ $holder }). Use that one, or close it first.
message-ledger-newer = The list in { $path } was written by a newer { -ashore } (version { $found }, this one supports { $known }). Update { -ashore }. Nothing was changed.
message-ledger-older = The list in { $path } was written by a test version of { -ashore } (version { $found }; the oldest that can be read is { $oldest }). Move this file to another folder to start with an empty list. Your downloaded files stay in their folders.
message-ledger-damaged = The list in { $path } is damaged: { $why }. Start { -ashore } again to restore the newest good copy. If this message appears again, check the disk.
message-ledger-locked = The list in { $path } is locked by another program. Close it and try again.
message-ledger = The list could not be read or written: { $why }.
    .full = The list could not be written: its disk is full. Free up some space and try again.
message-closed = { -ashore } is closing.
message-unreachable = The { -ashore } that runs for this folder does not answer ({ $why }). Try again.
    .idle = { -ashore } is not running, so nothing is downloaded. Open the window, or start `ashore serve`.
    .ended = The { -ashore } that ran for this folder has closed. Start it again, and then repeat this command.
message-too-long = This request is too large for one message. Add the downloads in several parts.
    .message = This message has more than { $most } bytes, which is too large. Request less at once.

# Pasted lines.
message-twice = This link is already in a line above.
message-too-many = These are more than 100,000 links. Add the rest as a list: ashore add -i FILE.
message-other-scheme = { -ashore } fetches http and https links, not { $scheme }.
message-not-a-link = Not a link. A link begins with https:// or http://.
message-pattern = [{ $inside }] counts backwards. Write the smaller number first.
message-command = A quotation mark in this command is not closed.
    .value = The option { $option } of this command has no value.
    .cookies = This command reads cookies from a file. Give that file to { -ashore } with ashore get --cookies.
    .method = This command sends a { $method } request. { -ashore } downloads the answers to GET requests only.
    .form = This command sends a form, and its answer is not a file to download. Copy the link of the file itself.
    .proxy = This command names a proxy. Set the proxy in Settings, and leave it out here.
    .headers = This command does not contain its headers in full. Copy the command from the browser again.
    .call = This fetch call cannot be read. Copy the link of the file itself, or copy the request as cURL.
    .option = { -ashore } does not support { $option } in this command. Leave it out if it does not matter.
    .no-link = This command contains no link.
    .header = "{ $line }" in this command is not a header.
    .sign-in = This command has a sign-in that { -ashore } cannot use. Use ashore sign-in for its server.

# Files of this machine.
message-not-there = None of these files is complete yet.
    .not-yet = This file is not complete yet.
    .gone = { $path } no longer exists. The file was moved or deleted.
message-changed = { $path } is no longer the file that was downloaded.
message-not-opened = { $path } could not be opened: { $why }.
    .folder = The folder of { $path } could not be shown: { $why }.
    .whole-folder = The folder { $path } could not be shown: { $why }.
message-not-read = { $path } could not be read: { $why }.
    .large = { $path } has more than { $most } MiB, so it was not read as a Metalink. Check that the file is a Metalink, or add its files in several parts.
    .no-text = { $path } is not text, and a Metalink is text. Download the Metalink again.

# The machine itself.
message-machine-cannot = The system does not let { -ashore } put this computer to sleep, so the choice was not saved. Put it to sleep yourself when the downloads are done.
    .off = The system does not let { -ashore } shut this computer down, so the choice was not saved. Shut it down yourself when the downloads are done.
message-machine-stayed = The downloads are done, but this computer was not put to sleep: { $why }. Put it to sleep yourself.
    .off = The downloads are done, but this computer was not shut down: { $why }. Shut it down yourself.

# The specification's reasons, where there is no finer one.
reason-bad-status = The server refused to send the file.
reason-quota-exceeded = There is not enough space for the file.
reason-download-total-exceeded = More data arrived than was declared.
reason-fetch-error = The file could not be downloaded completely.
# $why is what a browser says, in its own language.
message-not-done = { -ashore } could not do this: { $why }

# Reasons of the operating system, as clauses that follow a colon.
message-io =
    .not-found = the file or folder does not exist
    .permission = permission is denied
    .exists = a file or folder with this name already exists
    .full = the disk is full
    .read-only = the disk is read-only
    .no-folder = a part of the path is not a folder
    .folder = the path is a folder
    .timeout = the disk or the server did not answer in time
    .refused = the connection was refused
    .closed = the connection was closed
    .busy = the system has no resources left
    .quota = the quota of the disk is used up
    .large = the file is too large for this disk
    .device = the disk reported an error

# A Metalink that cannot be used.
message-metalink =
    .large = This Metalink is larger than { -ashore } can read ({ $most }). Add the links of its files instead.
    .unreadable = This Metalink cannot be read: { $why }. Download the Metalink again.
    .foreign = This document is not a Metalink. Look for a file that ends in .meta4 or .metalink.
    .empty = This Metalink names no file. Look for another Metalink.
    .no-link = The Metalink has no http or https link for "{ $name }". Look for another Metalink.
    .contradiction = The Metalink contradicts itself about "{ $name }": { $why }. Download the Metalink again.
    .alone = { $path } is a Metalink, which lists its own links and checksums. Add the Metalink alone.

# Reasons, as clauses that follow a colon.
message-fault-link =
    .begin = it does not begin with https:// or http://
    .server = it names no server
    .name = the name of its server is not valid
    .ip-address = the IP address of its server is not valid
    .port = its port is not a number from 0 to 65535
    .long = it is too long
message-fault-path =
    .relative = it is not a full path
    .not-file = it is not a file
    .not-folder = it is not a folder
    .not-image = it is not an image
message-fault-manifest =
    .link = one of its lines is not a link ({ $why })
    .many = it lists more than { $most } parts
    .empty = it lists no parts
    .large = it is larger than a list of links may be
    .no-text = it is not text
message-fault-pieces =
    .kind = the checksums are not sha-256, sha-512, sha-1 or md5
    .length = a piece has no length
    .count = there are no pieces, or more than a million
    .size = the pieces do not add up to the size of the file
    .checksum = one checksum has the wrong length
message-fault-hours =
    .parts = it needs three parts: days, times, and one of full, slow and off
    .pace = its last part must be full, slow or off
    .dash = it needs two times with a dash between them
    .empty = its two times leave no time between them
    .days = a day must be mon, tue, wed, thu, fri, sat, sun or daily
    .time = a time must be from 00:00 to 24:00

# Faults of a line of a saved list, as whole sentences.
message-fault-line =
    .object = The line is not a JSON object.
    .unreadable = The line cannot be read ({ $why }).
    .several = The line contains several entries. Each line of a list must contain one.
    .no-file = No file follows this download.
    .no-download = No download precedes this file.
    .long = The line is longer than 1 MiB.
    .after-end = Another line follows the end of the list. Remove that line.

# Reasons, as clauses that follow a colon.
message-fault-file =
    .large = it has more than { $size }
message-fault-keychain =
    .gone = it no longer has an entry of this name
    .locked = it is locked or missing ({ $why })
    .broken = it does not work ({ $why })
    .several = it has several entries of this name
    .unreadable = its entry cannot be read
    .silent = it does not answer
message-fault-ledger =
    .not-database = it is not a database
    .header = its header is not valid
    .foreign = it belongs to another program
    .special = a special file, such as a device, is in its place
    .folder = a folder is in its place
    .empty = it is empty
    .gone = it is gone
    .log = its log is gone, so the latest changes are lost
    .number = it has the version number { $found }, which is wrong
    .version = it has the version { $found }, and this { -ashore } supports { $known }
    .lacks = it lacks { $part }
message-kept-file =
    .away = its disk is not connected
    .trash = the trash did not take it ({ $why })
message-busy = Too many programs are connected (at most { $most }). Close one of them and try again.
message-parse-error = This line is not JSON: { $why }.

# $why names the mistake, in English.
message-invalid-request = This line is not a JSON-RPC 2.0 request: { $why }.
    .id = The id of a request must be a string or a number.
    .version = Only version "2.0" of JSON-RPC is supported.
message-unknown-method = There is no method "{ $method }".
message-bad-params = The parameters of "{ $method }" are not valid: { $why }.
    .position = Pass parameters by name, not by position.

# Reasons in brackets or after a colon: the program at the other end of the socket.
message-fault-peer =
    .stopped = it may have been stopped
    .closed = it closed the connection
    .endless = its answer does not end
    .answer = its answer cannot be understood: { $why }
    .other-user = { $path } belongs to another user

# The page of the window asked for something that it must not.
message-fault-call =
    .changes = it would change data on a server
    .file = it names a file
    .no-file = this setting does not name a file
    .name = the name of the file is not text
    .unused = no window sends it

# The system did not carry out what was to be done after the last download.
message-fault-machine =
    .silent = the system did not answer in time

# $name is a program that was to open a file, $value how it ended, in English.
message-fault-opener =
    .failed = { $name } failed ({ $value })
message-fault-header =
    .colon = a header field is written as "Name: value"
    .name = the header field has no name

# The command line.
message-input =
    .unreadable = { $path } cannot be read: { $why }.
    .unusable = { $path } cannot be used: { $why }.
    .links = The links in { $list } cannot be read: { $why }.
    .metalink = The Metalink { $path } cannot be read: { $why }.
    .command = The command for cURL cannot be read: { $why }.
    .empty = The first line of { $path } is empty.

# $list is a file or stdin; $why is a sentence about the first line.
message-bad-list =
    .line = Line { $line } of { $list } is not a valid link. { $why }
    .two = Line { $line } of { $list } is not a valid link. { $why } Line { $other } is not valid either.
    .lines = Line { $line } of { $list } is not a valid link. { $why } Lines { $others } are not valid either.
    .many = Line { $line } of { $list } is not a valid link. { $why } Lines { $others } and others are not valid either.
    .left-out = Lines without a link are skipped.
message-curl = Give --curl one command for cURL, Wget or PowerShell in quotes, as copied from a browser. To read the command from stdin, give - instead.
message-header =
    .unreadable = The header fields in { $path } cannot be read: { $why }.
    .line = Line { $line } of { $path } is not a header field: { $why }.
message-single =
    .output = Use --output for a single link only. Leave it out, or give one link.
    .series = Use --until and --parts for a single link only. Leave them out, or give one link.
    .checks = Use --checksum, --mirror and --size for a single link only. Leave them out, or give one link.
    .id = Use --id for a single download only. This list is too long for one download. Shorten the list, or leave --id out.
message-until =
    .no-number = { $url } has no number to count up. Give a link with a number, or leave --until out.
    .long = The number in { $url } is too long to count up. Leave --until out.
    .small = { $url } counts up from { $least }. Give --until a larger number.
message-output = The output cannot be written: { $why }.
    .name = { $path } is not a file name. Use --dir to choose a folder.
message-dir = The folder { $path } cannot be used: { $why }.
message-data-dir = The folder { $path } cannot be used: { $why }.
    .home = There is no home folder for the list. Name a folder with --data-dir.
    .unusable = { message-data-dir } Name another folder with --data-dir.
message-sign-in = Name the user with --user NAME, or give --token.
message-user = Use --user for links of one server only. For several servers, sign in to each with `ashore sign-in`.
message-secret =
    .unreadable = The password or token could not be read: { $why }.
    .empty = No password or token was given. Type it in the terminal, or send it to stdin.
message-netrc = There is no home folder with a .netrc file. Name the file with --netrc-file.
message-file = { $path } cannot be used: { $why }.
message-ca-certificate = The certificates cannot be used: { $why }.
message-network = Another { -ashore } works on this list with its own settings, so network options have no effect. Change the settings in ashore.toml, or name another list with --data-dir.
message-settings =
    .unknown = There is no setting { $name }. Choose one of { $meant }.
    .path = { $value } is not a full path. Give the full path.
message-not-started = { -ashore } cannot be started: { $why }. Close other programs and try again.
message-not-restarted = { -ashore } cannot be restarted: { $why }. Start { -ashore } again.
message-no-display = There is no display for the window. `ashore serve` downloads without a window.
message-not-installed = The sync server { $path } cannot be started: { $why }. Install it in the folder of this program.
message-ambiguous = Several downloads have an id that begins with { $id }. Give more characters of the id.
message-fault-id =
    .option = "{ $text }" is neither an option nor the name or id of a machine or download. Check the spelling.
message-files =
    { $count ->
        [one] 1 file
       *[other] { $count } files
    }
message-quota-part =
    .bytes = { $used } of { $limit }
    .files = { $used } of { $limit } files
    .both = { $bytes } and { $files }
    .none = no limit
message-quota-scope =
    .everybody = all owners
    .owner = "{ $owner }"
    .everybody-kind = all owners for the kind { $kind }
    .owner-kind = "{ $owner }" for the kind { $kind }
message-kind =
    .video = video
    .music = music
    .picture = picture
    .document = document
    .archive = archive
    .program = program
    .other = other
message-folder-fault =
    .missing = it does not exist
    .file = it is not a folder
    .unreadable = it cannot be read
    .silent = it does not answer
    .silent-disk = its disk does not answer
message-unknown-owner = No owner named "{ $owner }" has ever requested a download. `ashore quota` lists the owners.
message-not-yours = The download { $id } belongs to another owner. Connect as its owner, or without naming an owner.
    .person = This call concerns the downloads of all owners, and this connection acts for "{ $owner }" alone. Connect without naming an owner.
message-bad-host = "{ $host }" is not the name of a server. Write the name without scheme and port, as in example.org.
message-bad-quota =
    .no-bytes = With a quota of 0 bytes, no download could start. Give at least 1, or `none` to remove the quota.
    .no-files = With a quota of 0 files, no download could start. Give at least 1, or `none` to remove the quota.
    .bytes = A quota can have at most { $most } bytes. Give less, or `none` to remove the quota.
    .files = A quota can have at most { $most } files. Give less, or `none` to remove the quota.

# Why a gate is open, closed or unknown: clauses in brackets. NetworkManager, logind and UPower are services of the system;
# $setting, such as battery-below = 0, is a line of the settings file.
message-cause =
    .done = done
    .setting = { $setting }
    .not-paused = the queue is not paused
    .paused = the queue was paused on request
    .awake = the machine is awake
    .asleep = logind prepares for sleep
    .full = full speed
    .full-until = full speed until { $until }
    .slow = slow, at { $speed } a second
    .slow-until = slow until { $until }, at { $speed } a second
    .off = off
    .off-until = off until { $until }
    .connection-unknown = NetworkManager does not know whether there is a connection
    .no-connection = NetworkManager reports no connection
    .no-connection-allowed = NetworkManager reports no connection, but downloads continue because of the setting offline = "go"
    .portal = NetworkManager found a page that asks for a sign-in
    .limited = NetworkManager reports a network without access to the internet
    .internet = NetworkManager reports access to the internet
    .cost-unknown = NetworkManager does not know what this network costs
    .free = NetworkManager reports that the network is not metered
    .metered = NetworkManager reports that the network is metered
    .metered-allowed = the network is metered, but downloads continue because of the setting metered = "go"
    .plugged-in = the machine is plugged in
    .on-battery = on battery at { $percent } %
    .idle = the machine is idle
    .in-use = logind says that a session is in use
    .in-use-allowed = the machine is in use, but downloads continue because of the setting in-use = "go"
    .space-unknown = the disk does not report its free space
    .space = { $free } free in { $folder }, { $needed } needed
    .quota = { $used }, the quota of { $whose }
    .folder-silent = { $folder } does not answer
    .folder-other = { $folder }: another folder is in its place
    .folder-file = { $folder }: the path is not a folder
    .folder-missing = { $folder }: the folder does not exist
    .not-asked = the desktop has not been asked yet
    .no-bus = there is no system message bus ({ $why })
    .bus-gone = the connection to the system's message bus was lost
    .missing = { $name } is not available
    .silent = { $name } does not answer ({ $why })

# Why a step of the first start failed, or is not available: clauses in brackets or after a colon.
message-fault-start =
    .unrecorded = it could not be recorded in the list ({ $why })
    .defaults = the defaults could not be written into the list ({ $why })
    .version = the list is of version { $found }, and this { -ashore } makes { $known }
    .no-version = the version of the list cannot be read ({ $why })
    .private = { $path } cannot be made private ({ $why })
    .folder = { $path } is no folder and cannot be made one ({ $why })
    .unwritable = { $path } cannot be written ({ $why })
    .no-bus = there is no session bus ({ $why })
    .bus-silent = the session bus does not answer
    .no-service = nothing on the session bus offers { $name }

# Limits of a Metalink in brackets, and clauses after a colon.
message-fault-metalink =
    .bytes = 32 MiB
    .elements = 16 elements inside each other
    .files = 10,000 files
    .text = 64 KiB in one element
    .attribute = 64 KiB in one attribute
    .entities = it has entities of its own
    .encoding = it is not in the encoding that it names
    .no-encoding = it is neither in UTF-8 nor in the encoding that it names
    .empty = there is nothing in it
    .end = its end is missing
    .piece-length = its pieces have no length
    .size = its size is no number
    .checksum = one of its checksums has the wrong length
    .checksums = it has two checksums of one kind
    .piece-checksum = the checksum of one of its pieces has the wrong length
    .pieces = its pieces do not make up its size

# Sync of the list between machines. "List" is the list of downloads; a "machine" is a computer that takes part.
message-sync-off = Sync is off on this machine. Set up a list, or join one.
message-sync-unreachable = The sync server does not answer. Everything on this machine continues, and the changes are sent later.
    .name = The name of the sync server is not known. Check the network connection, or the address of the server.
message-sync-certificate = The server shows a different certificate, so nothing was sent. If the server is a new one, turn sync off and join again.
    .not-trusted = The certificate of the sync server is not valid, so nothing was sent. Check the address, and the clock of this machine.
message-sync-full = The sync server has no space left for you. Ask its owner for a larger quota, or clear old history.
    .space = The sync server is full ({ $used } of { $total }). Clear old history, or ask its owner for a larger quota.
message-sync-name = The name of a machine must have 1 to 64 characters. Choose another name.
message-sync-busy = The sync server is busy. Try again in a minute; { -ashore } also tries again by itself.
    .contended = Other machines changed the list at the same time. Try again in a minute; { -ashore } also tries again by itself.
message-sync-not-a-server = The address belongs to a server that is not a sync server. Check the address.
message-sync-refused = The sync server refused the request (status { $status }). Update { -ashore } on both sides.
message-sync-removed = This machine cannot read the new key of the list. Turn sync off, and join again with a link from another machine.
    .device = Another machine removed this machine from the list. Its own downloads continue. Turn sync off to hide this message.
message-sync-secret-missing = The keychain did not return the key of the list. Unlock the keychain, or turn sync off and join again.
message-sync-wrong-key = The key of this machine cannot open the data on the server. Nothing was changed there; turn sync off and join again.
message-sync-other-list = Another list is on the server now. Nothing was changed; turn sync off and join again.
message-sync-newer = The list was written by a newer { -ashore }. Update { -ashore } on this machine.
message-sync-copied = Another machine uses a copy of this identity. Turn sync off on one of the two, and join again there.
message-sync-reset = The server has lost the list, and this machine has no copy of its keys. Turn sync off, and set the list up again.
message-sync-link = This is not a link for sync, or a part of it is missing. Copy the whole link again.
    .used = This link was used already, or is older than ten minutes. Create a new link on the other machine.
    .joins = This link is for joining the list of another machine, not for setting up a list. Join that list with it.
    .sets-up = This link is for setting up a new list, not for joining one. Set up a list with it.
message-sync-words = One of these words is wrong, or they are in another order. Compare them with your notes.
    .other = These words belong to another list. Compare them, the address and the number with your notes.
    .count = { $count ->
        [one] There is { $count } word; a list has 24 words. Enter all words in their order.
       *[other] There are { $count } words; a list has 24 words. Enter all words in their order.
    }
    .meant = Word { $position }, "{ $word }", is not in the list of words. Did you mean "{ $meant }"?
    .word = Word { $position }, "{ $word }", is not in the list of words. Compare it with your notes.
message-sync-send = This download has no link that another machine could fetch. Only http and https links can be sent.
    .links = A send has at most 1,000 links, and this one has { $count }. Send fewer links at once.
    .long = The links of this send are longer than 180 KiB together. Send fewer links at once.
    .often = A machine accepts at most 20 downloads an hour from another one. Try again later.
message-sync-unknown = The list has no such machine, download or conflict, or no longer has it. Check the name or the id.
message-sync-incomplete = The links of this download are not in the shared list, because there are too many. Fetch it on its own machine.
    .parts = The links of this download could not be read completely from the sync server. Try again later, or fetch it on its own machine.
message-sync-damaged = The records of sync on this machine are damaged. Turn sync off and join again; downloads and files stay.
message-own-server = The sync server of this machine does not run: { $why }. { -ashore } tries again every ten seconds.
    .slow = The sync server of this machine did not start in time. Try again.
message-declined = You declined, so nothing was changed.
