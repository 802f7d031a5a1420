# The page in a browser: signing in, the connection, this device, and the folders on the computer with { -ashore }.

remote-sign-in = Sign in to { -ashore }
    .about = Enter the token. Or run “ashore remote link” on the computer with { -ashore }, and scan the code or open the link.
    .again = The session of this device has ended. Text that you typed on the page is kept.
    .token = Token
    .name = Name of this device
    .pairing = Signing in with the link…
remote-wait = Next attempt possible in { $time }
remote-connecting = Connecting to { -ashore }…
    .again = Connecting again…
    .now = Connect now
remote-lost = Connection lost. Next attempt in { $time }.

remote-device = This device
    .control = This device may do everything on this page.
    .add = This device may add downloads and see the list.
    .read = This device may see the list.
    .sign-out = Sign out
# Firefox on Android
remote-device-name = { $browser } on { $system }
remote-readable = This connection is not encrypted. Others on the network can read all data, including the token.
remote-install = Browsers install this page as an app only if its address begins with https.

# The settings about other devices, in the window.
remote-others = From other devices
    .allow = Let other devices connect
    .about = Your phone and your other computers can then open this list in a browser.
    .plain = Data is not encrypted on its way, so turn this on only in a network that you trust.
    .address = Address
    .copy = Copy the address
    .local = Only this computer can reach this address.
    .link = Sign in a device
    .scan = Scan this code with the device, or open the link on it.
    .none = No device is signed in.
    .control = It may do everything.
    .add = It may add downloads and see the list.
    .read = It may see the list.
    .metrics = It may read the metrics.
    .program = Program. { $scope }
    .seen = Last used: { $time }
    .added = { $name } is signed in.
    .sign-out = Sign out: { $name }

remote-save = Save to this device
# The bar at the bottom of a narrow page: list, add, settings.
remote-views = Views

remote-folder-roots = Available folders
    .above = Folder above
    .none = This folder contains no other folders.
    .reading = Reading the folders…
    .submit = Use this folder

remote-failure-lost = The connection to { -ashore } was lost. Check that { -ashore } is running and that this device can reach it.
remote-failure-signed-out = This device is not signed in. Sign in again.
remote-failure-too-large = This text is too long to be sent at once. Divide it into parts.
remote-failure-unavailable = This is possible only in the window on the computer with { -ashore }.
