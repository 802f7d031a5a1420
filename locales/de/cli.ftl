cli-state =
    .pending = ausstehend
    .running = läuft
    .waiting = wartet
    .paused = angehalten
    .done = fertig
    .aborted = abgebrochen
    .failed = fehlgeschlagen

cli-column =
    .id = KENNUNG
    .state = ZUSTAND
    .progress = FERTIG
    .size = GRÖSSE
    .title = TITEL
    .used = BELEGT
    .most = VON
    .files = DATEIEN
    .owner = FÜR
    .added = NEU
    .succeeded = FERTIG
    .failed = FEHLER
    .retried = WIEDERHOLT
    .speed = TEMPO
    .left = REST

cli-queued = wartet, bis es an der Reihe ist
cli-everything-paused = alles ist angehalten; `ashore resume` setzt es fort
cli-next-try = { $why } Nächster Versuch um { $time }
cli-redirected = weitergeleitet an { $url }
cli-under-way = unterwegs
cli-milliseconds = { $count } ms
cli-unknown-time = ein unbekannter Zeitpunkt
cli-optional = freigestellt
cli-no-file = es kam keine Datei
cli-checked =
    .digest = Prüfsumme stimmt ({ $kind })
    .digest-of-unknown-kind = Prüfsumme stimmt
    .on-resume = Länge stimmt, beim Fortsetzen verglichen
    .size-unknown = Länge unbekannt, keine Prüfsumme zum Vergleichen
    .unverified = Länge stimmt, nicht geprüft: keine Prüfsumme zum Vergleichen
    .none = nicht geprüft

cli-list-empty = { nothing-all } Fügen Sie mit `ashore add URL` etwas hinzu.
cli-all-paused = Alles ist angehalten.
cli-paused = Angehalten.
cli-all-resumed = Alles geht weiter.
cli-resumed = Fortgesetzt.
cli-cancelled = Abgebrochen. Vollständige Dateien bleiben erhalten.
cli-relinked = Der Link ist ersetzt. Der Download wird mit dem neuen Link fortgesetzt und behält seine Bytes.
cli-ended-already = Dieser Download war schon beendet; es wurde nichts geändert.
cli-folder-changed = Die Dateien liegen jetzt in { $path }.
cli-nothing-to-retry = In diesem Download ist nichts fehlgeschlagen.
cli-retried =
    { $count ->
        [one] Eine Datei wird noch einmal versucht.
       *[other] { $count } Dateien werden noch einmal versucht.
    }
cli-removed = Aus der Liste entfernt.
cli-first = Dieser Download ist der nächste.
cli-moved = Verschoben.
cli-changed = Geändert.
cli-nothing-runs = Es läuft kein Programm, das es jetzt lädt: Starten Sie das Fenster oder `ashore serve`.
cli-still-paused = Alles ist angehalten, deshalb läuft kein Download. `ashore resume` ohne Kennung setzt alles fort.
cli-watch-more =
    { $count ->
        [one] und ein weiterer
       *[other] und { $count } weitere
    }
cli-watch-end = Strg+C beendet die Anzeige. Downloads laufen weiter.

cli-field =
    .id = Kennung
    .own-name = Eigener Name
    .owner = Verlangt von
    .state = Zustand
    .failure = Grund
    .folder = Ordner
    .page = Seite
    .created = Angelegt
    .settled = Beendet
    .expires = Bleibt bis

cli-added = { $links } in der Liste, als { $downloads }.
cli-add-moved = Das steht schon in der Liste. Es ist jetzt ganz oben; --again fügt es noch einmal hinzu.
    .some = Einige dieser Links standen schon in der Liste. Sie sind jetzt ganz oben; --again fügt sie noch einmal hinzu.
cli-add-running = Das ist schon unterwegs. --again fügt es noch einmal hinzu.
    .some = Einige dieser Links sind schon unterwegs. --again fügt sie noch einmal hinzu.
cli-add-netrc = Eine netrc-Datei liest das { -ashore }, das die Downloads lädt. Nennen Sie die Datei in den Einstellungen: netrc = "~/.netrc".
cli-add-stopped = Der Teil von { $list } vor Zeile { $line } steht in der Liste: { $links }, als { $downloads }. Der Rest nicht.
cli-add-continue = Weiter geht es dort mit: { $command }

cli-get-options-unused = Ein anderes { -ashore } lädt dies, und dessen Einstellungen gelten: --parallel und --connections haben keine Wirkung.
cli-get-removed = Dieser Download wurde aus der Liste entfernt.
cli-get-known = Das steht schon in der Liste und ist nicht fertig. Es geht damit weiter.
cli-get-others =
    { $count ->
        [one] Ein anderer Download ist noch nicht fertig. `ashore serve` macht mit der Liste weiter.
       *[other] { $count } andere Downloads sind noch nicht fertig. `ashore serve` macht mit der Liste weiter.
    }
cli-get-summary = { $files }, { $size }, in { $path }
cli-get-stopped = Gestoppt; alles bisher Geladene bleibt erhalten ({ $size }).
    .next = Weiter geht es mit `{ $get }`, oder im Hintergrund mit `{ $serve }`.
cli-get-left = Der Download läuft ohne Sie weiter.
    .next = `{ $get }` sieht nach ihm, `{ $pause }` hält ihn an.

cli-serve-ready = { -ashore } ist bereit und arbeitet an { $path }. Strg-C beendet es; alles bleibt erhalten.
    .short = { -ashore } ist bereit.
cli-serve-remote = Andere Geräte können { $url } öffnen
cli-serve-plain = Alle im Netz können den Verkehr mit anderen Geräten lesen, weil er kein TLS hat. Verwenden Sie einen Proxy mit TLS und --public-url.
cli-serve-stopped = Gestoppt; alles bleibt erhalten.
cli-healthy = { -ashore } läuft und ist bereit.
    .not = { -ashore } ist an { $place } nicht bereit ({ $why }). Starten Sie es, oder sehen Sie in sein Protokoll.
cli-serve-kept = { $id } bleibt in der Liste, obwohl die Zeit dafür um ist: { $why }
    .all = Beendete Downloads bleiben vorerst in der Liste: { $why }

cli-password-of = Passwort von { $user } bei { $server }:
cli-token-for = Token für { $server }:
cli-signed-in =
    .system = Bei { $server } angemeldet. Der Schlüsselbund bewahrt die Anmeldung auf; `ashore sign-out { $server }` vergisst sie.
    .file = Bei { $server } angemeldet. Hier funktioniert kein Schlüsselbund; die Anmeldung liegt deshalb in einer Datei, die nur Sie lesen können; `ashore sign-out { $server }` vergisst sie.
    .memory = Bei { $server } angemeldet, solange dieses { -ashore } läuft.
cli-sign-in-of-link = Name und Passwort aus dem Link werden für { $server } aufbewahrt, und nicht in der Liste; `ashore sign-out { $server }` vergisst sie.
cli-signed-out = Vergessen.
    .unknown = Für diesen Server war nichts aufbewahrt.
cli-no-sign-ins = Für keinen Server ist etwas aufbewahrt. Melden Sie sich mit `ashore sign-in URL --user NAME` an.
cli-kept-in =
    .system = Schlüsselbund
    .file = Datei
    .memory = Speicher
cli-cookies-unusable = Keines der Cookies in { $path } ist verwendbar. Vielleicht sind sie abgelaufen.

cli-limit-set =
    .all = Alles zusammen ist auf { $speed } begrenzt.
    .host = Alles von { $host } ist auf { $speed } begrenzt.
    .download = Dieser Download ist auf { $speed } begrenzt.
cli-limit-removed =
    .all = Alles zusammen hat keine eigene Begrenzung.
    .host = Alles von { $host } hat keine eigene Begrenzung.
    .download = Dieser Download hat keine eigene Begrenzung.
cli-no-limits = Nichts ist begrenzt. `ashore limit 2M` begrenzt alles zusammen auf 2 MiB pro Sekunde.
cli-limit-of =
    .all = alles
    .host = von { $host }

cli-quota-set = In der Liste ist Platz für { $amount } von { $owner }.
cli-quota-removed = Es gibt kein Kontingent für { $owner }.
cli-no-quotas = Nichts ist begrenzt, und es gibt nichts. `ashore quota command-line 10G` setzt ein Kontingent.
cli-everybody = alle

cli-statistics-empty = Es wurde noch nie etwas hinzugefügt. Fügen Sie mit `ashore add URL` etwas hinzu.
cli-statistics =
    .all = insgesamt
    .window = Fenster
    .command-line = Befehlszeile
    .feed = Feeds
    .clipboard = Zwischenablage
    .device = andere Geräte
    .browser = Browser
    .program = Programme

cli-not-default = nicht der Standard

cli-exported = Gespeichert in { $path }: { $downloads }, { $files }.
    .pipe = Gespeichert: { $downloads }, { $files }.
cli-imported = Übernommen: { $downloads }, { $files }. Was nicht fertig ist, ist angehalten: `ashore resume` setzt es fort.
cli-import-skipped = Einträge, die nicht importiert werden können, zum Beispiel Torrents und FTP-Links: { $count }.

cli-find-nothing = Kein unfertiger Download heißt { $name }.
cli-match-nothing = Keine Datei dieses Downloads hat diesen Link.
cli-acknowledged = Bestätigt.
    .unknown = Dieses Ende steht nicht aus; es wurde nichts geändert.
cli-cleared = Aus der Liste genommen: { $count } von { $owner }.
cli-reset = Abgebrochen: { $count } von { $owner }.
cli-owner-removed = Entfernt, mit allem, was dieser Besitzer verlangt hat. Vollständige Dateien bleiben.
cli-queue-stats = insgesamt { $total }, gelungen { $successes }, fehlgeschlagen { $failures }

cli-doctor =
    .list = Liste
    .holder = belegt von
    .copy = Kopie
    .file = Datei
    .step = Schritt
    .gate = Bedingung
    .setting = Einstellung
    .folder = Ordner
    .partial = Teildatei
    .orphan = Waise
    .repaired = repariert
    .counter = Zähler
cli-doctor-list = { $path } (Version { $version }): { $state }
cli-doctor-sound = in Ordnung
cli-doctor-nobody = niemandem
cli-doctor-partial = { $path } ({ $size }, von { $id })
cli-doctor-orphan = { $path } ({ $size }, von { $url })
cli-doctor-orphans = Eine Waise ist eine Teildatei, von der nichts in der Liste weiß. Sie bleibt, bis Sie sie entfernen; `ashore adopt` macht damit weiter.
cli-doctor-repair = Einige Zähler stimmen nicht mit den Downloads überein, die sie zählen. `ashore doctor --repair` berechnet sie neu.
cli-doctor-contradiction = Einige Einträge widersprechen einander, und keiner lässt sich als richtig erweisen. Vergleichen Sie die Dateien mit ihrer Quelle, oder entfernen Sie die Downloads und fügen Sie sie neu hinzu.
cli-doctor-damage = Der Schaden wurde am { $moment } gefunden: { $why }.
    .undated = Der Schaden: { $why }.
cli-adopt-nothing = Es gibt keine Teildatei ohne Download, die sich fortsetzen ließe.

cli-gate =
    .bootstrap = Erster Start
    .paused = Pause
    .asleep = Ruhezustand
    .hours = Zeiten
    .offline = Netz
    .captive-portal = Netz-Anmeldung
    .metered = Netzkosten
    .battery = Akku
    .in-use = Benutzung
    .disk = Speicherplatz
    .folder = Ordner
    .quota = Kontingent
cli-gate-state =
    .open = offen
    .closed = geschlossen
    .unknown = unbekannt

cli-step =
    .data-folder = Datenordner
    .ledger = Liste
    .defaults = Standardwerte
    .download-folder = Download-Ordner
    .keychain = Schlüsselbund
    .notifications = Benachrichtigungen
cli-step-state =
    .done = erledigt
    .not-available = hier nicht verfügbar ({ $why })
    .failed = fehlgeschlagen, wird wiederholt ({ $why })
    .due = fällig beim nächsten Start

cli-miscount =
    .counters = { $name }: Die Zähler stimmen nicht mit den Dateien überein
    .lanes = { $name }: Die Warteschlange stimmt nicht mit den Dateien überein, daher wartet der Download vielleicht ohne Grund
    .usage = { $name }: Die Bytes und Dateien, die für das Kontingent zählen, sind nicht die der Downloads
    .name = { $name }: Ob der Name vergeben ist, passt nicht zum Zustand
    .unsettled = { $name }: Es ist nichts mehr zu tun, und der Download ist nicht beendet
    .digest = { $name }: Eine vollständige Datei hat eine andere Prüfsumme, als ihre Prüfsummendatei sagt
    .response = { $name }: Eine Datei ist vollständig ohne einen Eintrag darüber, oder umgekehrt

cli-sync-on = Die Synchronisierung ist eingeschaltet. Dieser Rechner heißt „{ $name }“, und der Server ist { $address }.
cli-sync-key = Fingerabdruck des Schlüssels, auf allen Ihren Rechnern derselbe: { $fingerprint }
cli-sync-conflicts =
    { $count ->
        [one] { $count } Änderung unterlag der eines anderen Rechners. Siehe `ashore sync conflicts`.
       *[other] { $count } Änderungen unterlagen denen eines anderen Rechners. Siehe `ashore sync conflicts`.
    }
cli-sync-column =
    .collection = SAMMLUNG
    .records = HIER
    .waiting = WARTEN
    .held = NICHT GELESEN
    .machine = RECHNER
    .seen = ZULETZT GESEHEN
cli-sync-words = Schreiben Sie diese 24 Wörter, die Adresse und die Nummer auf. Ohne sie lässt sich die Liste nicht wiederherstellen.
cli-sync-place = Adresse: { $address }
cli-sync-user = Nummer: { $uid }
cli-sync-set-up = Die Liste ist eingerichtet. `ashore sync invite` erzeugt einen Link, mit dem der nächste Rechner beitritt.
cli-sync-joined = Dieser Rechner ist der Liste beigetreten.
cli-sync-invite = Führen Sie diesen Befehl innerhalb von zehn Minuten auf dem anderen Rechner aus. Der Link gilt einmal.
cli-sync-done = Empfangen: { $received }. Gesendet: { $sent }.
cli-sync-restored = Der Server hatte einen Teil der Liste verloren. Dieser Rechner hat ihn noch einmal gesendet.
cli-sync-arrived = Von einem anderen Rechner gesendet: { $title }
cli-sync-left = Die Synchronisierung ist auf diesem Rechner ausgeschaltet. Seine Downloads und Dateien bleiben.
cli-sync-removed = { $machine } kann nichts lesen, was von jetzt an geschrieben wird. Dies sind die neuen Wörter der Liste.
cli-sync-own = dieser Rechner
cli-sync-no-conflicts = Es gibt keine Konflikte.
cli-sync-conflict = { $number }  { $title }: { $sentence }
cli-sync-resolved = Erledigt. Die anderen Rechner erhalten die Änderung bei der nächsten Synchronisierung.
cli-sync-dropped = Die Änderung, die sich durchgesetzt hat, bleibt.
cli-sync-trust =
    .starts = Downloads, die { $machine } sendet, starten jetzt ohne Rückfrage.
    .waits = Downloads, die { $machine } sendet, warten jetzt, bis Sie sie starten.
cli-sync-no-others = Die anderen Rechner haben keine Downloads.
cli-sync-sent = An { $machine } gesendet.
cli-sync-secret = Wörter oder Link (wird nicht angezeigt):
cli-sync-no-sends = Dieser Rechner hat keine Downloads gesendet.
cli-sync-send =
    .waiting = { $title }: { $machine } hat ihn noch nicht abgeholt.
    .delivered = { $title }: an { $machine } zugestellt.
    .refused = { $title }: { $machine } hat ihn nicht angenommen.
    .expired = { $title }: { $machine } war 30 Tage lang nicht an; das wurde nicht zugestellt.
    .missed = { $title }: { $machine } hat ihn gesendet, aber dieser Rechner war 30 Tage lang aus. Er lässt sich von dort noch einmal senden.

# Browsers in `ashore browsers`.
cli-browser =
    .connected = verbunden ({ $program })
    .not-connected = nicht verbunden
    .none = nicht installiert
    .foreign = ein anderes Programm hat { $path } geschrieben
cli-browsers-connected = { $browser } ist verbunden. Installieren Sie auch die Erweiterung im Browser.
cli-browsers-unchanged = { $browser } war schon verbunden.
cli-browsers-disconnected = { $browser } ist getrennt.
cli-browsers-nothing = { $browser } hat keine Verbindung, die entfernt werden könnte.
cli-browsers-of-package = { $browser } ist weiterhin durch ein Paket des Systems verbunden, das { $path } installiert hat. Entfernen Sie die Erweiterung aus dem Browser, um ihn zu trennen.
cli-browsers-none = { browsers-empty }
cli-browsers-well = { $browser }: Die Verbindung funktioniert, und { -ashore } läuft.
cli-browsers-well-idle = { $browser }: Die Verbindung funktioniert. { -ashore } startet, wenn der Browser es braucht.
cli-browsers-paired = gekoppelt
cli-browsers-code = Geben Sie diesen Code innerhalb von fünf Minuten im Popup der Erweiterung ein: { $code }
cli-browsers-unpaired = { $browser } ist nicht mehr gekoppelt.
cli-remote-link = Öffnen Sie diesen Link innerhalb von fünf Minuten auf dem anderen Gerät: { $url }
cli-remote-local = Nur dieser Rechner kann den Link öffnen. Starten Sie `ashore serve` mit --listen, um ihn von anderen Geräten zu erreichen.
cli-remote-none = Kein Gerät oder Programm ist angemeldet.
cli-remote-device = Gerät
cli-remote-program = Programm
cli-remote-signed-out = { $name } ist abgemeldet.
cli-remote-renewed = Alle Geräte sind abgemeldet.
cli-explains = `{ $command }` erklärt die Argumente.
