settings = Einstellungen
settings-open = Einstellungen (Strg+,)
settings-back = Zurück zur Liste
settings-search = Einstellungen durchsuchen
settings-nothing = Keine Einstellung hat mit „{ $text }“ zu tun.
settings-file = Die Einstellungen stehen in dieser Datei, die auch von Hand geändert werden kann:
settings-reset = { $name }: zurück zur Vorgabe
settings-percent = %
settings-unit = { $name }: Einheit
    .kib = KiB
    .mib = MiB
    .gib = GiB
    .never = nie
settings-unit-seconds =
    { $count ->
        [one] Sekunde
       *[other] Sekunden
    }
settings-unit-minutes =
    { $count ->
        [one] Minute
       *[other] Minuten
    }
settings-unit-hours =
    { $count ->
        [one] Stunde
       *[other] Stunden
    }
settings-unit-days =
    { $count ->
        [one] Tag
       *[other] Tage
    }
settings-unit-weeks =
    { $count ->
        [one] Woche
       *[other] Wochen
    }
settings-number-wrong = Geben Sie eine Zahl mit höchstens zwei Nachkommastellen ein.
settings-outside = Geben Sie einen Wert von { $least } bis { $most } ein.
settings-paint = Malen
settings-pace-full = Volles Tempo
settings-pace-slow = Langsam
settings-pace-off = Aus
settings-rounded = In der Einstellungsdatei stehen Zeiten, die feiner sind als halbe Stunden. Beim Malen werden sie gerundet.
settings-not-followed = Problem in der Einstellungsdatei: { $text }
settings-not-followed-more =
    { $count ->
        [one] Problem in der Einstellungsdatei: { $text } In den Einstellungen steht noch ein weiteres.
       *[other] Problem in der Einstellungsdatei: { $text } In den Einstellungen stehen noch { $count } weitere.
    }
settings-cell = { $day }, { $from } bis { $until }: { $pace }
settings-grid-help = Pfeiltasten bewegen, die Leertaste malt, Umschalt mit Pfeilen malt weiter.

settings-general = Allgemein
settings-folders = Ordner
settings-network = Netzwerk
settings-browsers = Browser
settings-schedule = Zeitplan
settings-notifications = Benachrichtigungen
settings-power = Energie
settings-space = Speicherplatz
settings-advanced = Erweitert

setting-language = Sprache
    .about = Des Fensters, des Symbols in der Leiste und der Benachrichtigungen.
    .auto = Systemstandard
setting-parallel = Gleichzeitige Downloads
    .about = Anzahl der Dateien, die gleichzeitig heruntergeladen werden.
setting-parallel-per-host = Gleichzeitige Downloads pro Server
    .about = Mit 1 kommen die Dateien eines Servers streng nacheinander.
setting-order = Reihenfolge der Warteschlange
    .about = Reihenfolge, in der wartende Downloads starten. Fenster, Befehlszeile und andere Programme wechseln sich immer ab.
    .first-come = Der Reihe nach
    .newest-first = Neueste zuerst
setting-forget-finished-after = Fertige Downloads entfernen nach
    .about = Nach dieser Zeit verlassen fertige Downloads die Liste. Ihre Dateien bleiben erhalten. Mit „{ settings-unit.never }“ bleiben sie in der Liste, bis Sie sie entfernen.
setting-close-to-tray = Nach dem Schließen weiter ausführen
    .about = Sonst beendet das Schließen des Fensters { -ashore }. Laufende Downloads gehen beim nächsten Start weiter.
setting-start-at-login = Beim Anmelden starten
    .about = Verborgen in der Leiste, damit Downloads weitergehen, sobald Sie da sind.
setting-offer-copied-links = Kopierte Links vorschlagen
    .about = Wenn das Fenster nach vorn kommt, und jeden einmal. Nur dann liest { -ashore }, was Sie kopiert haben, und sendet es nirgendwohin.
setting-folder = Ordner für Downloads
    .about = Hierhin kommen Dateien, wenn Sie keinen anderen Ordner für sie wählen.
    .hint = Der Download-Ordner des Desktops
setting-folder-video = Videos
    .about = Ein Ordner im Ordner für Downloads, angelegt, wenn er gebraucht wird, oder der ganze Pfad eines anderen.
setting-folder-audio = Musik und Sprache
    .about = Ein Ordner im Ordner für Downloads, angelegt, wenn er gebraucht wird, oder der ganze Pfad eines anderen.
setting-folder-pictures = Bilder
    .about = Ein Ordner im Ordner für Downloads, angelegt, wenn er gebraucht wird, oder der ganze Pfad eines anderen.
setting-folder-documents = Dokumente
    .about = Ein Ordner im Ordner für Downloads, angelegt, wenn er gebraucht wird, oder der ganze Pfad eines anderen.
setting-folder-archives = Archive
    .about = Ein Ordner im Ordner für Downloads, angelegt, wenn er gebraucht wird, oder der ganze Pfad eines anderen.
setting-folder-programs = Programme und Datenträgerabbilder
    .about = Ein Ordner im Ordner für Downloads, angelegt, wenn er gebraucht wird, oder der ganze Pfad eines anderen.
setting-folder-kind-hint = Im Ordner für Downloads selbst
setting-connections = Verbindungen pro Datei
    .about = Höchstens so viele, und nur, wo mehr als eine es schneller macht.
setting-offline = Wenn offline
    .about = Warten kostet nichts. Weitermachen hilft, wenn Ihre Server im Haus stehen oder der Desktop Ihr Netz nicht kennt.
    .wait = Warten
    .go = Weitermachen
setting-metered = In getakteten Netzwerken
    .about = Zum Beispiel im Netz eines Telefons.
    .wait = Auf ein anderes Netz warten
    .go = Weitermachen
setting-proxy = Proxy
    .about = Für alles, etwa http://host:3128 oder socks5h://host:1080; „none“ für gar keinen.
    .hint = Was die Umgebung des Desktops sagt
setting-no-proxy = Proxy umgehen für
    .about = Namen und Netze, die direkt erreicht werden, mit Kommas dazwischen.
    .hint = Was die Umgebung des Desktops sagt
setting-proxy-loopback = Proxy für diesen Rechner
    .about = Den Proxy auch für Server auf diesem Rechner verwenden.
setting-local-for-programs = Programmen das lokale Netzwerk erlauben
    .about = Lässt Programme, Feeds und andere Geräte { -ashore } von diesem Rechner und den Netzen um ihn herum holen: von Routern, von Servern im Haus. Was Sie selbst hinzufügen, darf immer von dort kommen.
setting-cookies = Cookies
    .about = Cookies an die Server zurücksenden, die sie gesetzt haben, bis { -ashore } endet.
setting-browser-hand-over = Downloads übergeben
    .about = Die Erweiterung eines Browsers übergibt jeden Klick auf eine Datei, wenn { -ashore } dieselbe Datei erhält. Nur die Einträge, die sie zu den Menüs des Browsers hinzufügt, wirken in jedem Fall.
    .automatic = Automatisch
    .menu = Nur über das Menü
setting-browser-least-size = Kleinste Datei
    .about = Kleinere Dateien bleiben beim Browser.
setting-browser-sites = Dem Browser überlassene Websites
    .about = Durch Leerzeichen getrennt, zum Beispiel example.org. Zu einer Website gehören ihre Subdomains.
    .none = Keine Websites
setting-browser-endings = Dem Browser überlassene Endungen
    .about = Durch Leerzeichen getrennt, zum Beispiel: html js css
setting-browser-bypass-key = Umgehungstaste
    .about = Ein Klick mit der Alt-Taste überlässt den Download dem Browser.
setting-browser-starts-ashore = Browser dürfen { -ashore } starten
    .about = Ist dies aus, bleiben alle Downloads beim Browser, solange { -ashore } geschlossen ist.
setting-browser-channel = Gekoppelte Browser dürfen sich verbinden
    .about = Browser aus Flatpak und Snap können { -ashore } nicht starten. Sie verbinden sich über einen Port, den nur dieser Computer erreicht.
setting-hours = Stunden
    .about = Wählen Sie ein Tempo und malen Sie damit. Was bleibt, wie es ist, läuft mit vollem Tempo.
setting-slow-speed = Tempo in langsamen Stunden
    .about = Grenze für alle Downloads zusammen.
setting-notifications = { settings-notifications }
    .about = Beim Fortschritt hat ein Download, der länger als 10 Sekunden läuft, eine Benachrichtigung. Ab 3 solchen Downloads zeigt eine einzige Benachrichtigung alle zusammen.
    .calm = Fortschritt nach 10 Sekunden und Ergebnis
    .all = Fortschritt jedes Downloads und Ergebnis
    .ended = Nur das Ergebnis
    .none = Nichts
setting-quiet-while-focused = Stumm, solange das Fenster aktiv ist
    .about = Nichts wird gemeldet, solange dieses Fenster den Fokus hat, denn es zeigt dasselbe.
setting-quiet-hours = Ruhezeiten
    .about = Jeden Tag, etwa 22:00-07:00. Was währenddessen endete, wird gemeldet, sobald sie vorbei sind.
    .hint = Keine
setting-all-done = Melden, wenn alle Downloads abgeschlossen sind
    .about = Einmal, wenn der letzte von mehreren Downloads vorbei ist und nichts wartet.
setting-battery-below = Im Akkubetrieb aufhören unter
    .about = Mit weniger Ladung wird nichts geholt. Mit 0, solange noch welche da ist.
setting-in-use = Während dieser Rechner benutzt wird
    .about = Warten, bis dieser Rechner eine Weile nicht benutzt wurde, oder währenddessen fortsetzen.
    .wait = Warten
    .go = Weitermachen
setting-keep-awake = Ruhezustand beim Herunterladen verhindern
    .about = Solange Downloads laufen, geht dieser Rechner nicht von selbst schlafen. Der Bildschirm darf dunkel werden.
setting-free-space-floor = Mindestens freier Speicherplatz
    .about = In einem Ordner mit weniger freiem Platz beginnt kein Download.
setting-attempts = Versuche
    .about = Anzahl der Versuche, eine Datei herunterzuladen, bevor { -ashore } aufgibt.
setting-retry-after-seconds = Wartezeit vor dem zweiten Versuch
    .about = Verdoppelt sich mit jedem weiteren, bis zu sechs Stunden.
setting-stall-seconds = Zeitlimit ohne Daten
    .about = Kommt so lange kein einziges Byte, wird sie aufgegeben und neu versucht.
setting-connect-timeout-seconds = Zeitlimit für den Verbindungsaufbau
    .about = So lange darf ein Server brauchen, um eine neue Verbindung anzunehmen.
setting-total-timeout-seconds = Gesamtzeitlimit
    .about = Zeitlimit für einen Versuch. Die angefangene Datei bleibt nach Ablauf erhalten. Mit 0 gibt es keine Grenze.
setting-checkpoint-seconds = Fortschritt speichern alle
    .about = Mehr als das kostet ein Stromausfall nicht.
setting-http2 = HTTP/2
    .about = Viele kleine Dateien eines Servers teilen sich eine Verbindung, wenn der Server HTTP/2 unterstützt.
setting-insecure-redirects = Weiterleitungen zu unsicheren Links
    .about = Ihnen von https zu http folgen. Wer unterwegs mithört, kann dann lesen und ändern, was kommt.
setting-ca-certificate = Zusätzliche Zertifikate
    .about = Eine PEM-Datei mit Stellen, denen neben denen des Systems vertraut wird.
    .hint = Keine
setting-user-agent = User-Agent
    .about = Wie sich { -ashore } gegenüber Servern nennt.
    .hint = { -ashore } und seine Version
setting-referrer = Referrer
    .about = Adresse einer Webseite. { -ashore } sendet sie an Server als die Seite, auf der ein Link gefunden wurde. Ein Link mit eigener Seite behält diese.
    .hint = Keine
setting-netrc = Netrc-Datei
    .about = Ihre Passwörter bekommen Server, die nach einem fragen.
    .hint = Keine
setting-keychain = Passwörter und Token
    .about = Wo sie aufbewahrt werden. Die Datei können nur Sie lesen.
    .auto = Im Schlüsselbund des Systems, sonst in einer Datei
    .system = Nur im Schlüsselbund des Systems
    .file = In einer Datei
    .none = Bis { -ashore } endet

settings-lacking-notifications = Dieser Desktop zeigt im Moment keine Benachrichtigungen. Die Liste sagt alles, was sie sagen würden.
settings-lacking-tray = Dieser Desktop hat im Moment keine Leiste für Symbole: Ein Fenster, das geschlossen wird, wird stattdessen minimiert.

appearance = Aussehen
appearance-theme = Farbschema
    .about = Farben dieser Seite. Die Wahl gilt für dieses Gerät.
    .light = Hell
    .dark = Dunkel
appearance-density = Zeilenhöhe
    .about = Kompakte Zeilen zeigen mehr Downloads, jeden mit einer Textzeile.
    .comfortable = Bequem
    .compact = Kompakt

list = Ihre Liste
list-save = Liste exportieren
    .about = Speichert Links, Namen, Ordner und Ergebnisse aller Downloads in einer Datei. Die Datei enthält keine Passwörter, Cookies oder Token und keine der heruntergeladenen Dateien.
    .choose = In eine Datei speichern …
list-take-in = Liste importieren
    .about = Fügt die Downloads einer Liste hinzu, die { -ashore } hier oder auf einem anderen Rechner gespeichert hat. Unfertige Downloads sind danach angehalten. Downloads, die schon in der Liste stehen, bleiben unverändert.
    .choose = Datei wählen …
list-saved = Die Liste ist in { $path } gespeichert. Downloads darin: { $count }.
list-saved-without-headers = Dateien, deren Kopfzeilen weggelassen wurden, weil sie geheim sein können: { $count }.
list-taken-in = Die Liste wurde importiert. Neue Downloads: { $count }. Unfertige sind angehalten.
list-taken-in-nothing = Die Datei enthält keine neuen Downloads.
list-taken-in-known = Downloads, die schon in der Liste standen: { $count }.
list-taken-in-elsewhere = Downloads, die in den üblichen Ordner kommen, weil ihrer hier nicht verwendet werden kann: { $count }.
list-taken-in-without-headers = Dateien, deren Kopfzeilen nicht darin stehen, weil sie geheim sein können: { $count }. Wo ein Server sie vermisst, melden Sie sich an.

# The browsers, and their connection with { -ashore }.
browsers-connected = Verbunden
    .package = Durch das Paket von { -ashore } verbunden
    .none = Nicht verbunden
browsers-empty = Es wurde kein Browser gefunden. Starten Sie einmal einen Browser, und versuchen Sie es erneut.
browsers-extension = Ein verbundener Browser übergibt seine Downloads, sobald seine Erweiterung installiert ist.
browsers-connect = Verbinden
    .label = { $browser } verbinden
browsers-disconnect = Trennen
    .label = { $browser } trennen
browsers-check = Erneut prüfen
browsers-pair = Browser koppeln
browsers-paired = Gekoppelt
    .remove = { $browser } entfernen
    .added = { $browser } ist gekoppelt.
browsers-code = Geben Sie diesen Code im Popup der Erweiterung ein:
    .rest = Gültig für { $time }

synonyms-parallel = gleichzeitig, parallel, simultan
synonyms-connections = Threads, Segmente, Teile, aufteilen
synonyms-startup = Autostart, Systemstart, automatisch starten
synonyms-clipboard = Zwischenablage, kopieren, einfügen, überwachen
synonyms-category = Kategorie, Kategorien, Dateitypen
synonyms-tray = minimieren, Hintergrund, Infobereich, ausblenden
synonyms-metered = mobil, Mobilfunk, Datenvolumen, Hotspot, Roaming
synonyms-quiet = nicht stören, stumm, lautlos
synonyms-speed = Bandbreite, Limit, begrenzen, drosseln, Geschwindigkeit
synonyms-backup = Backup, Sicherung, wiederherstellen, exportieren
synonyms-remote = Telefon, Handy, Tablet, Fernzugriff, QR-Code, Browser, Web, aria2
synonyms-appearance = Dunkelmodus, Nacht, Farbe, Dichte, Zeilen, Design
synonyms-folder = Speicherort, Verzeichnis, Pfad, Ziel, speichern unter
synonyms-cleanup = Verlauf, leeren, löschen, aufräumen
synonyms-notify = Hinweise, Popups, Meldungen
synonyms-sleep = Standby, Ruhezustand, Energiesparen, Bildschirmschoner
synonyms-space = Festplatte, Speicher, Reserve
synonyms-retries = wiederholen, Wiederholung, neu verbinden
synonyms-schedule = Planer, Stundenplan, Zeitschaltuhr, Uhrzeit
synonyms-certificate = SSL, TLS, HTTPS, Zertifizierungsstelle
synonyms-browser = Erweiterung, Add-on, Integration, Chrome, Firefox, Edge
synonyms-proxy = SOCKS, VPN, Tunnel
synonyms-password = Zugangsdaten, Anmeldung, Konto, Geheimnisse
