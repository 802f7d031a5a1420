# The page in a browser: signing in, the connection, this device, and the folders on the computer with { -ashore }.

remote-sign-in = Bei { -ashore } anmelden
    .about = Geben Sie den Token ein. Oder führen Sie „ashore remote link“ auf dem Computer mit { -ashore } aus, und scannen Sie den Code oder öffnen Sie den Link.
    .again = Die Sitzung dieses Geräts ist beendet. Text, den Sie auf der Seite eingegeben haben, bleibt erhalten.
    .token = Token
    .name = Name dieses Geräts
    .pairing = Anmeldung mit dem Link…
remote-wait = Nächster Versuch möglich in { $time }
remote-connecting = Verbindung mit { -ashore } wird hergestellt…
    .again = Verbindung wird wiederhergestellt…
    .now = Jetzt verbinden
remote-lost = Verbindung verloren. Nächster Versuch in { $time }.

remote-device = Dieses Gerät
    .control = Dieses Gerät darf alles auf dieser Seite.
    .add = Dieses Gerät darf Downloads hinzufügen und die Liste sehen.
    .read = Dieses Gerät darf die Liste sehen.
    .sign-out = Abmelden
# Firefox on Android
remote-device-name = { $browser } auf { $system }
remote-readable = Diese Verbindung ist nicht verschlüsselt. Andere im Netzwerk können alle Daten lesen, auch den Token.
remote-install = Browser installieren diese Seite nur dann als App, wenn ihre Adresse mit https beginnt.

# The settings about other devices, in the window.
remote-others = Von anderen Geräten
    .allow = Andere Geräte verbinden lassen
    .about = Ihr Telefon und Ihre anderen Rechner können diese Liste dann in einem Browser öffnen.
    .plain = Die Daten werden unverschlüsselt übertragen. Schalten Sie dies daher nur in einem Netzwerk ein, dem Sie vertrauen.
    .address = Adresse
    .copy = Adresse kopieren
    .local = Nur dieser Rechner kann diese Adresse erreichen.
    .link = Gerät anmelden
    .scan = Scannen Sie diesen Code mit dem Gerät, oder öffnen Sie dort den Link.
    .none = Es ist kein Gerät angemeldet.
    .control = Darf alles.
    .add = Darf Downloads hinzufügen und die Liste sehen.
    .read = Darf die Liste sehen.
    .metrics = Darf die Messwerte lesen.
    .program = Programm. { $scope }
    .seen = Zuletzt benutzt: { $time }
    .added = { $name } ist angemeldet.
    .sign-out = Abmelden: { $name }

remote-save = Auf diesem Gerät speichern
# The bar at the bottom of a narrow page: list, add, settings.
remote-views = Ansichten

remote-folder-roots = Verfügbare Ordner
    .above = Übergeordneter Ordner
    .none = Dieser Ordner enthält keine weiteren Ordner.
    .reading = Ordner werden gelesen…
    .submit = Diesen Ordner verwenden

remote-failure-lost = Die Verbindung zu { -ashore } ging verloren. Prüfen Sie, ob { -ashore } läuft und von diesem Gerät aus erreichbar ist.
remote-failure-signed-out = Dieses Gerät ist nicht angemeldet. Melden Sie sich erneut an.
remote-failure-too-large = Dieser Text ist zu lang, um auf einmal gesendet zu werden. Teilen Sie ihn auf.
remote-failure-unavailable = Das ist nur im Fenster auf dem Computer mit { -ashore } möglich.
