# What went wrong or is waited for, by its code. The value and each attribute is one sentence of the engine's, word for
# word: it is recognised by the English here, and what stands in its gaps is carried over.

# Transfers.
message-dns = The server's name could not be found. Check the connection and the spelling of the link.
message-name-server = The network's name server did not answer, so the server's address is not known. Check the connection, or try again later.
message-connect = The server could not be reached. Check the connection, or try again later.
message-connect-timeout = The server did not take the connection in time. Check the connection, or try again later.
message-proxy = The proxy could not be reached, or would not connect to the server. Check the proxy in the settings or in the environment.
message-proxy-sign-in = The proxy asks for a user and a password. Put them into its address: http://user:password@host:port.
message-tls-handshake = The secure connection was cut short during the TLS handshake. Try again later.
    .not-tls = The server does not speak TLS on this port, so the connection cannot be encrypted. If you trust the network, use the link with http://.
    .old-tls = The server speaks only old versions of TLS, which are not safe; { -ashore } uses TLS 1.2 and 1.3. Look for another server, or ask its owner to update it.
    .refused = The server refused the TLS handshake: it has no cipher in common with { -ashore }, because it is too old, or it requires a client certificate. Ask the owner of the server.
    .client-certificate = The server requires a client certificate, which { -ashore } cannot show. Fetch the file with a browser that has yours.
message-certificate = The server could not prove who it is: its certificate is not valid. Check the link; do not trust files from it.
message-certificate-expired = The server's certificate has expired, so it cannot prove who it is. Check this machine's date; if that is right, do not trust files from there.
    .not-yet = The server's certificate is not valid yet, so it cannot prove who it is. Check this machine's clock; if that is right, do not trust files from there.
message-certificate-untrusted = The server's certificate is signed by itself or by somebody this machine does not know. If it is a server of your own, name its certificate in the settings; otherwise do not trust files from there.
message-certificate-name = The server showed the certificate of another one. Check the spelling of the link; do not trust files from there.
message-timeout = The server stopped answering. Try again later.
message-total-timeout = It took longer than the settings allow. What came is kept: retry it to go on, or allow more time.
message-reset = The connection was cut. Try again later.
message-truncated = The server ended the file too early. Try again later.
message-protocol = The server's answer makes no sense. Try again later, or use another link.
    .not-http = The server does not answer in HTTP. Check the address of the link and its port.
    .head = The head of the server's answer is damaged and cannot be read. Use another link, or tell the owner of the server.
    .large-head = The head of the server's answer is too large. Use another link, or tell the owner of the server.
    .chunks = The server's answer is damaged: its chunks cannot be told apart. Try again later, or use another link.
    .part = The server sent a part of the file that was not requested, and not its beginning. Use another link.
    .needs-tls = The server wants an encrypted connection (TLS) on this port. Use the link with https:// in place of http://.
message-bad-status = The server refused. Check the link.
    .preparing = The server is still preparing this file. Try again later.
    .empty = The server answered that it has no content for this link, so no file came. Check the link.
    .listing = The server sent a list of results instead of the file. Check the link.
    .nowhere = The server redirects this link without a new address. Use another link.
    .sign-in = The server asks for a sign-in, and { -ashore } has none that it takes. Sign in, or use a link that carries its own permission.
    .proxy = A proxy asks for a user and a password. Put them into its address in the settings or in the environment.
    .forbidden = The server does not allow this file to be fetched. The link may have expired; get a new one.
    .gone = The server no longer has this file. Look for a new link.
    .busy = The server is busy. Try again later.
    .legal = The server may not give out this file for legal reasons. Look for it elsewhere.
    .broken = The server is in trouble. Try again later.
    .status = The server refused with status { $status }. Check the link.
message-too-many-redirects = The link leads in circles. Use another link.
message-refused-redirect = The link leads to an address that { -ashore } does not follow, or to a connection that is not secure. Use another link.
message-private-address = A program asked for something that is not on the public internet, but on this machine or in a network around it. If you want it, add the link yourself; for programs that you trust, allow it in the settings.
message-changed-on-server = The file on the server keeps changing while it is fetched. Try again later.
message-web-page = This looks like a web page, not the file. The site may want you to sign in: open the link in a browser, and use the link it gives for the file.
message-link-expired = The link has expired, and what came before is kept. Get a new link to the same file.
message-wrong-size = The server offers a file of another size than expected, so it was not fetched. Check the size, or use another link.
message-untrue-length = The server contradicts itself about the length of this file, so it cannot be known whether all of it is there. Use another link, or tell the owner of the server.
message-digest-mismatch = The file does not have the expected checksum, so it was not kept. Check the checksum, or use another link.
message-checksum-file = No checksum could be read from the checksum file, so nothing was checked with it. Open its link in a browser, and compare the checksum yourself.
    .kind = The checksum file has no checksum of the kind that its name promises, so nothing was checked with it. Open its link in a browser, and compare the checksum yourself.
    .other = The checksum file does not name the file beside it, so nothing was checked with it. Look for the checksum file of this version.
message-disk-full = There is not enough free space. Free some space and try again.
message-disk-quota = Your quota of the disk is used up. Remove files or ask for a larger quota, and try again.
message-file-too-large = The file is too large for the disk of this folder, or for a limit of this login (`ulimit -f`): FAT32 takes less than 4 GiB. Choose a folder on another disk, or raise the limit.
message-disk-away = The disk or network folder does not answer. Connect it again; the download continues by itself, and what came is kept.
message-target = The folder cannot be written any more. Choose another folder.
    .refused = The folder { $path } cannot be used: { $why }. Choose another folder.
    .hidden = The folder { $path } is hidden: files in it may do something by themselves. If you mean it, choose it in the dialog.
message-partial-changed = Another program moved, replaced or changed the unfinished file, whose name ends in .part. Keep it away from that file, or choose another folder, and try again.
message-disk = Reading or writing the disk failed. Check the disk and try again.
    .short = It needs { $amount } more free space in { $folder }. Free some, and it goes on by itself.
    .list = The list could not be saved in { $path }: { $why }.
    .read = The saved list could not be read from { $path }: { $why }.
message-too-many-open = Too many files and connections are open at once. It goes on when some are closed; close other programs if it lasts.
message-download-total-exceeded = This is more than was declared, so it was stopped. Add it again with a larger total, or without one.
message-quota-reached = A quota has no room for more, and what came is kept. Remove something from the list, or allow more.
message-upload-interrupted = The upload was interrupted, and some of it may have arrived. { -ashore } does not send it twice by itself; retry it if the server can take it again.
message-upload-source = The file to upload is gone or has changed. Add the upload again.
    .unreadable = The file to upload, { $path }, cannot be read: { $why }.
message-internal = Something went wrong in { -ashore } itself. Try again, and report it if it comes back.
    .next = { -ashore } could not find out what comes next. Try it again.
message-aborted = It was cancelled.
message-bad-manifest = This file was to be a list of parts to fetch, and is none: { $why }. Look at it.

# What is waited for.
message-bootstrap = The first start of this version is not finished: { $why }. It is tried again every minute.
message-paused = Everything is paused. It goes on when somebody says so.
message-asleep = The machine is going to sleep. It goes on by itself when it wakes.
message-hours = Outside the allowed hours until { $until }. It goes on then by itself.
message-offline = This machine is offline. It goes on by itself when the network is back.
message-captive-portal = The network wants a sign-in first. Open any web page and sign in; then it goes on by itself.
message-metered = The network is metered. It goes on by itself where it is not, and here if the settings allow it.
message-battery = The battery is below { $percent } %. It goes on by itself when the machine is plugged in.
message-in-use = Somebody works at this machine. It goes on by itself when nobody has for a while, and now if the settings allow it.
message-folder = Waiting for the disk of { $folder }: it is not mounted, or the folder is gone. It goes on by itself when the folder is back.
    .other = Waiting for the disk of { $folder }: what was kept there is not there. It goes on by itself when the disk is back; try it again to start over.
    .file = Waiting for the disk of { $folder }: it is not a folder now. It goes on by itself when the folder is back.
    .silent = Waiting for the disk of { $folder }: it does not answer. It goes on by itself when it does.
message-quota = The quota of { $whose } is reached: { $used } are used. Remove something from the list, or allow more; it goes on by itself.
    .needs = The quota of { $whose } is reached: { $used } are used, and this needs { $amount } more. Remove something from the list, or allow more; it goes on by itself.
message-host-busy = The server is busy and asked to be left alone. It goes on by itself.
message-host-failing = The server has failed several times in a row, so it is left alone for a while. It is tried again by itself, and at once when the network changes.
message-host-unreachable = The server cannot be reached for now. It is tried again by itself, and at once when the network changes.
# A moment of the week, such as "Monday 08:00".
day-monday = Monday
day-tuesday = Tuesday
day-wednesday = Wednesday
day-thursday = Thursday
day-friday = Friday
day-saturday = Saturday
day-sunday = Sunday

# What is not done.
message-empty = There is nothing to download in this. Give at least one link.
message-bad-url = "{ $url }" is not a link that { -ashore } understands: { $why }.
message-bad-scheme = { -ashore } fetches http and https links, and "{ $url }" is neither.
message-credentials = The link to { $host } contains a user name or password. Remove it: what is in a link ends up in lists and logs.
message-bad-port = Port { $port } of { $host } is reserved for another service and is not used for downloads.
message-quota-exceeded = This needs { $needed } bytes and { $path } has { $free } free. Free some space or choose another folder.
    .quota = This is { $needed }, and the quota of { $whose } is { $limit }. Ask for less at once, or allow more with `ashore quota`.
message-id-taken = "{ $id }" is already being downloaded under this id. Wait for it, abort it, or choose another id.
message-icon = The icon { $path } cannot be used: { $why }. Choose a PNG, JPEG, GIF, WebP, SVG or ICO file of this computer.
message-ignored-while-paused = Everything is paused, and this was not to be added then. Go on with everything, and add it again.
message-unknown = There is no download with the id { $id }. It may have been removed.
message-invalid = { $name } is { $value }, and must be from { $least } to { $most }.
    .whole = { $name } is { $value }, and must be a whole number from { $least } to { $most }.
    .unknown = { $name } is no setting. Did you mean { $meant }?
    .none = { $name } is a number, and "{ $value }" is none.
    .either = { $name } is either true or false.
    .foreign = { $name } is no setting. Remove the line, or look for its name with `ashore settings`.
    .number = { $name } is { $value }, and must be a number from { $least } to { $most }.
    .flag = { $name } is { $value }, and must be true or false.
    .choice = { $name } is { $value }, and must be one of { $meant }.
    .text = { $name } is { $value }, and must be text in quotes.
    .whole-path = { $name } is "{ $value }", and must be a whole path, such as /home/me/Downloads.
    .amount = "{ $value }" is not an amount of bytes. Write it as "512K", "20M" or "1.5G".
    .time = "{ $value }" is no time. Write it as "90s", "30m", "12h", "7d" or "4w".
    .kept = A download is kept for at least a second and at most a hundred years. To keep it for good, say nothing.
    .whole-day = quiet-hours is the whole day, so nobody would ever be told anything. For that, choose "none" in notifications.
    .quiet = quiet-hours is "{ $value }", and that cannot be read: { $why }. Write it as "22:00-07:00".
    .checksum = "{ $value }" is not a checksum. Write it as sha-256=HEX (or sha-512, sha-1, md5).
    .checksums = There are two different { $name } checksums for one file. Leave out the wrong one.
    .header = "{ $name }" is not the name of a header. Write it as Name: value.
    .header-value = The value of the header { $name } contains a control character. Remove it.
    .header-own = The header { $name } is set by { -ashore } itself. Leave it out.
    .user = A user's name is not empty and has no colon in it.
    .password = A password has no control characters in it.
    .token = A token consists of letters, digits and -._~+/= alone. Leave out the word before it.
    .network = The network cannot be used like this: { $why }
    .settings = The settings in { $path } cannot be used: { $why }
    .keychain = The system's keychain did not take it: { $why }. Unlock it, or set keychain = "auto" to use a file that only you can read.
    .message = { -ashore } does not understand this message: { $why }.
    .too-long = A link is too long to be saved: { $url }. Remove it from the list, and save that again.
    .files = This is more files than one download can hold. Split it.
    .mirrors = A file has at most { $most } mirrors. Leave some out.
    .pieces = The checksums of the file's pieces make no sense: { $why }.
    .authorization = This Authorization answers one question of its server and helps with no other. Use `ashore sign-in` for it.
    .sign-ins = Two of these requests sign in to the same server in different ways. Leave one of them out.
    .cookies = There are no cookies for { $host } in this. Write them as name=value; other=value, or paste the lines of a cookies.txt.
    .authorization-value = An Authorization is not empty and has no control characters in it.
    .partial = { $path } is no partial file of { -ashore }'s with a journal that nothing in the list knows. `ashore doctor` names those that are.
message-wrong-state = This file is being fetched right now. Pause it first, then give it another link.
    .there = This file is there already. Add the link as a new download.
    .upload = This is an upload, and an upload keeps its address. Cancel it, and add it again with the other one.
    .fetching = It is being fetched right now. Pause it first, then choose another folder.
    .all = All of it is there already. Move its files with a file manager.
    .begun = Some of it lies in its folder. Let it come there, or cancel it and add it again with the other folder.
    .worked-on = Another program is working on { $path }. Close it first.
    .partial = { $path } cannot be gone on with: its server gave nothing to hold it to. Add its link anew: { $url }
message-bad-speed = { $value } bytes a second is no speed that { -ashore } can keep to. Give one from 1K (1,024) to 10G, or none for no limit.
message-file-there = There is something at { $path } already, and it was left as it is. Choose another name, or add --force to replace it.
message-not-saved = { $path } is no list that { -ashore } saved. Choose a file that `ashore export` made.
message-saved-newer = { $path } was saved by a newer { -ashore } (format { $found }, this one knows { $known }). Update { -ashore }; nothing of it was taken in.
message-saved-cut = { $path } ends too early: some of it is missing. Copy or save it again; nothing of it was taken in.
message-saved-changed = { $path } is not as it was saved: somebody edited it, or it was damaged. Copy or save it again, or take it as it is with --unchecked; nothing of it was taken in.
message-saved-line = Line { $line } of { $path } cannot be taken in: { $why } Nothing of the file was.
message-held = Another { -ashore } is working on { $path } ({ $holder }). Use that one, or close it first.
message-ledger-newer = The list in { $path } was written by a newer { -ashore } (version { $found }, this one knows { $known }). Update { -ashore }; nothing was changed.
message-ledger-damaged = The list in { $path } is damaged: { $why }. Start { -ashore } again: it sets the list aside and takes the newest good copy. If it says this again, check the disk.
message-ledger-locked = The list in { $path } is locked by another program. Close it and try again.
message-ledger = The list could not be read or written: { $why }.
    .full = The list could not be written: its disk is full. Free some space and try again.
message-closed = { -ashore } is closing.
message-unreachable = The { -ashore } that works on this folder does not answer ({ $why }). Try again.
message-too-long = This is too much for one message. Add it in several parts.

# Pasted lines.
message-twice = It stands above already.
message-too-many = These are more than 100,000 links. Add the rest as a list: ashore add -i FILE.
message-other-scheme = { -ashore } fetches http and https links, not { $scheme }.
message-not-a-link = Not a link. A link begins with https:// or http://.
message-pattern = [{ $inside }] counts backwards. Write the smaller one first.
message-command = A quote in this command has no end.
    .value = { $option } of this command lacks its value.
    .cookies = This command reads cookies from a file. Give it to { -ashore } with ashore get --cookies.
    .method = This command sends a { $method }. { -ashore } fetches what a GET answers.
    .form = This command sends a form, and what it answers is no file to fetch. Copy the link of the file itself.
    .proxy = This command names a proxy. Set it in Settings, and leave it out here.
    .headers = The headers of this command are not written out. Copy the command from the browser again.
    .call = This call of fetch cannot be read. Copy the link of the file itself, or the request as cURL.
    .option = { -ashore } does not know { $option } of this command. Leave it out if it does not matter.
    .no-link = This command names no link.
    .header = "{ $line }" in this command is no header.
    .sign-in = This command signs in with something else than a token. Use ashore sign-in for its server.

# Files of this machine.
message-not-there = None of these files is there yet.
    .not-yet = This file is not complete yet.
    .gone = { $path } is not there any more. It was moved or deleted.
message-changed = { $path } is no longer the file that was downloaded.
message-not-opened = { $path } could not be opened: { $why }.
    .folder = The folder of { $path } could not be shown: { $why }.
    .whole-folder = The folder { $path } could not be shown: { $why }.
message-not-read = { $path } could not be read: { $why }.
    .large = { $path } has more than { $most } MiB, so it was not read as a Metalink. Look whether it is one, or add its files in several parts.
    .no-text = { $path } is no text, and so no Metalink. Get it again.

# The machine itself.
message-machine-cannot = The system does not let { -ashore } send this computer to sleep, so nothing was chosen. Do it yourself when all is done.
    .off = The system does not let { -ashore } shut this computer down, so nothing was chosen. Do it yourself when all is done.
message-machine-stayed = All is done, but this computer was not sent to sleep: { $why }. Do it yourself.
    .off = All is done, but this computer was not shut down: { $why }. Do it yourself.

# The specification's reasons, where there is no finer one.
reason-bad-status = The server refused to send it.
reason-quota-exceeded = There is not enough space for it.
reason-download-total-exceeded = More arrived than was announced.
reason-fetch-error = It could not be fetched whole.
# $why is what a browser says, in its own language.
not-done = { -ashore } could not do this: { $why }

# Reasons of the operating system, as clauses that follow a colon.
message-io =
    .not-found = the file or folder does not exist
    .permission = permission is denied
    .exists = a file or folder of this name exists
    .full = the disk is full
    .read-only = the disk is read-only
    .no-folder = a part of the path is not a folder
    .folder = the path is a folder
    .timeout = the disk or the server did not answer in time
    .refused = the connection was refused
