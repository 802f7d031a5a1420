help-headings =
    .usage = Aufruf:
    .commands = Befehle
    .arguments = Argumente
    .options = Optionen
    .run = Für diesen Lauf
    .everywhere = Überall
help-notes =
    .default = [Vorgabe: { $value }]
    .env = [Umgebungsvariable: { $name }]
    .values = [mögliche Werte: { $values }]
    .value-list = Mögliche Werte:
    .aliases = [auch: { $names }]
help-value-names =
    .address = ADRESSE
    .algorithm = VERFAHREN
    .change = ÄNDERUNG
    .command = BEFEHL
    .days = TAGE
    .dir = ORDNER
    .file = DATEI
    .host = SERVER
    .kind = ART
    .link = LINK
    .machine = RECHNER
    .method = METHODE
    .name = NAME
    .number = NUMMER
    .options = OPTIONEN
    .owner = BESITZER
    .password = PASSWORT
    .path = PFAD
    .search = SUCHTEXT
    .seconds = SEKUNDEN
    .size = GRÖSSE
    .source = HERKUNFT
    .speed = TEMPO
    .text = TEXT
    .time = ZEIT
    .title = TITEL
    .user = BENUTZER
    .value = WERT

help-arguments =
    .names = Namen aus `ashore browsers`, etwa firefox; ohne Namen alle vorhandenen Browser
    .data_dir = Ordner der Liste [Vorgabe: ashore im XDG-Datenordner, ~/.local/share/ashore]
    .owner = Für diesen Besitzer handeln, etwa ein Programm oder einen Feed: Downloads anderer Besitzer werden weder angezeigt noch geändert
    .json = JSON auf stdout ausgeben, ein Objekt pro Zeile
    .quiet = Nur Fehler ausgeben
    .verbose = Protokoll auf stderr ausgeben; mehrfach angeben für mehr. RUST_LOG hat Vorrang
    .urls = Links (http oder https). `get` nimmt auch die Kennung eines Downloads der Liste an. Eine Datei, die auf .meta4 oder .metalink endet, wird gelesen wie mit --metalink. Klammern stehen für mehrere Links: page-[001:120].jpg, [a:f], {"{"}one,two{"}"}
    .input = Links aus einer Datei lesen, oder mit "-" von stdin, einen pro Zeile. Links dürfen in anderem Text stehen, nach einem Tabulator Spiegelserver haben, und darunter Zeilen wie "  out=NAME", wie in einer Liste für aria2. Leere Zeilen und solche, die mit # oder ; beginnen, werden übersprungen; eine Zeile, die kein Link ist, wird gemeldet und ausgelassen. Die Links der Datei folgen auf die der Befehlszeile. Bei mehr als 100.000 Links oder mehr als 10 MiB davon legt `add` mehrere Downloads an und gibt die Kennung jedes einzelnen aus, sobald er in der Liste steht; `get` legt immer nur einen an
    .dir = Ordner, in dem die Dateien gespeichert werden; er muss vorhanden sein [Vorgabe: der aktuelle Ordner]
    .output = Dateiname, bei einem einzelnen Link; ein Ordner davor bezieht sich auf --dir [Vorgabe: der Name, den der Server nennt]
    .title = Titel in der Liste und in Benachrichtigungen [Vorgabe: aus den Links gebildet]
    .description = Text, der den Download beschreibt und mit seinem Titel angezeigt wird
    .icon = Bilddatei, die neben dem Titel angezeigt wird; bei mehreren Größen wird die passendste verwendet
    .download_total = Höchste Gesamtgröße aller Dateien in Bytes; wird sie überschritten, schlägt der Download fehl
    .source = Herkunft des Downloads: command-line, feed, clipboard, device oder program. Nur Downloads, die Sie selbst starten, dürfen auf Ihr lokales Netz zugreifen
    .deliver = Die Meldung des Endes aufbewahren, bis ein Programm des Besitzers sie bestätigt, auch wenn sich noch keines verbunden hat
    .id = unique_id des Downloads, mindestens ihre ersten 4 Zeichen, oder sein Name aus `--id`
    .headers = Kopfzeile, die mit jeder Anfrage gesendet wird; kann mehrfach angegeben werden. Kopfzeilen stehen in der Liste, außer Authorization und Cookie: Diese werden für ihren Server aufbewahrt wie mit `ashore sign-in`. Mit @DATEI werden die Kopfzeilen aus DATEI gelesen, eine pro Zeile, damit sie nicht in der Prozessliste stehen
    .optional = Links nach dieser Option dürfen fehlschlagen, ohne dass der Download fehlschlägt; folgt kein Link auf die Option, gilt sie für alle Links
    .method = GET, HEAD, POST, PUT, PATCH oder DELETE, die letzten vier mit oder ohne --upload-file [Vorgabe: GET, mit --upload-file PUT]
    .upload_file = Datei, die als Inhalt jeder Anfrage gesendet wird
    .user = Als dieser Benutzer beim Server der Links anmelden; ohne Passwort fragt Ashore danach. Das Passwort wird im Schlüsselbund des Systems aufbewahrt, damit der Download nach einem Neustart weitergehen kann: siehe `ashore sign-in`. Ist weder diese Option noch --user-file angegeben, gilt ASHORE_USER für Links eines einzigen Servers
    .user_file = Wie --user, aber aus der ersten Zeile einer Datei gelesen, oder mit "-" von stdin; so steht die Angabe nicht in der Prozessliste
    .netrc = Die Passwörter in ~/.netrc an Server senden, die danach fragen, solange dieses Ashore läuft
    .netrc_file = Wie --netrc, aber mit einer anderen Datei
    .cookies = Die Cookies einer Datei cookies.txt (im Format von curl und Browser-Erweiterungen) an die Server senden, zu denen sie gehören. Ashore bewahrt eine Kopie auf, die nur Sie lesen können
    .user_agent = User-Agent, der statt dem von Ashore gesendet wird
    .referrer = Seite, auf der die Links standen. Server der Website dieser Seite erhalten die ganze Adresse, andere nur den Namen der Website
    .checksums = Erwartete Prüfsumme der Datei, bei einem einzelnen Link: sha-256=HEX, oder sha-512, sha-1, md5. Kann einmal je Verfahren angegeben werden
    .mirrors = Weitere Adresse derselben Datei, bei einem einzelnen Link; kann mehrfach angegeben werden, die beste zuerst
    .size = Größe der Datei in Bytes, bei einem einzelnen Link; eine Datei anderer Größe wird abgelehnt
    .metalink = Die Dateien eines Metalinks als einen Download laden, von seinen Spiegelservern und mit seinen Prüfsummen. Geben Sie eine Datei an, oder "-" für stdin
    .curl = Den Link eines Befehls für cURL, Wget oder PowerShell laden, wie Browser ihn kopieren, mit den Kopfzeilen, dem Dateinamen und der Anmeldung des Befehls. Ein Befehl mit einer Option, die Ashore nicht kennt, wird abgelehnt, und die Option wird genannt. Mit "-" wird der Befehl von stdin gelesen
    .literal = Klammern in Links nicht auflösen
    .skip_existing = Dateien überspringen, die schon im Ordner sind: eine unveränderte Datei, die in der Liste zum selben Link gehört, oder eine Datei, die so groß ist, wie der Server angibt, und nicht älter als die Datei des Servers
    .paused = Nicht starten, sondern auf `ashore resume` warten
    .ignore_when_paused = Nichts hinzufügen, wenn alle Downloads angehalten sind
    .first = Den Download vor alle wartenden stellen [Vorgabe: nach der Einstellung "order"]
    .last = Den Download hinter alle wartenden stellen
    .now = Sofort starten: Ist kein Platz frei, macht der letzte laufende Download Platz und behält alles bisher Geladene
    .until = Mit dem einzelnen Link beginnt eine nummerierte Reihe: Die letzte Zahl im Link zählt bis N, und jede Seite wird geladen, wenn die vorige vollständig ist
    .parts = Der einzelne Link führt zu einer Liste von Links, einer pro Zeile, wie in einer Playlist: Auch diese Links werden geladen
    .at_once = Anzahl der Links dieser Liste, die höchstens gleichzeitig geladen werden, 1 bis 64; mit 1 werden sie nacheinander und in ihrer Reihenfolge geladen
    .keep_for = Wie lange der Download in der Liste bleibt, nachdem sein Ende gemeldet wurde: 90s, 30m, 12h, 7d, 4w [Vorgabe: die Einstellung "forget-finished-after"]
    .takes_files = Die Dateien in den Papierkorb verschieben, wenn der Download von selbst aus der Liste entfernt wird; Dateien, die Sie geändert haben, bleiben
    .proxy = Proxy für alles, etwa http://host:3128 oder socks5h://host:1080; "none" für gar keinen. Mit @DATEI wird der Proxy aus der ersten Zeile von DATEI gelesen, damit er nicht in der Prozessliste steht [Vorgabe: die Einstellungen, oder http_proxy, https_proxy, all_proxy und no_proxy]
    .ca_certificate = Den Zertifikaten in dieser PEM-Datei vertrauen, zusätzlich zu denen des Systems
    .allow_insecure_redirects = Weiterleitungen von HTTPS zu HTTP folgen; die Übertragung lässt sich dann unterwegs mitlesen und verändern
    .connect_timeout = Sekunden, die auf die Annahme einer Verbindung gewartet wird [Vorgabe: 15, oder die Einstellung]
    .total_timeout = Höchste Dauer eines Versuchs für eine Datei, in Sekunden; empfangene Bytes bleiben erhalten [Vorgabe: keine Grenze]
    .ids = unique_ids der Downloads, oder mindestens ihre ersten 4 Zeichen
    .files = Auch die heruntergeladenen Dateien in den Papierkorb verschieben, außer solchen, die nach dem Download ersetzt oder geändert wurden
    .url = Server, oder ein beliebiger Link zu ihm
    .name = Name dieses Rechners [Vorgabe: sein Hostname]
    .link = Link, wie ihn der Server oder ein anderer Rechner ausgegeben hat; ohne ihn wird der Link von stdin gelesen
    .device = Name oder Kennung des Rechners
    .help = Hilfe anzeigen
    .help-short = Hilfe anzeigen (mehr mit '--help')
    .help-long = Hilfe anzeigen (Kurzfassung mit '-h')
    .version = Version anzeigen

help = Download-Manager
    .long =
        { help }.

        Ashore lädt Dateien über HTTP und HTTPS, behält jedes Byte auch bei Abstürzen und Stromausfällen, und macht dort weiter, wo es aufgehört hat.
    .after =
        Beispiele:
          ashore get https://example.org/debian.iso     hierher laden und darauf warten
          ashore get -d ~/Music -i links.txt            viele Dateien als ein Download
          ashore get --checksum sha-256=9f86... URL     nur genau diese Bytes annehmen
          ashore serve &                                im Hintergrund laden
          id=$(ashore add URL)                          in die Liste stellen und weitermachen
          ashore show $id                               was daraus geworden ist
          ashore sign-in https://example.org --user me  für alles von dort
          ashore list --json | jq -r .title             für Programme

        Immer nur ein Programm arbeitet an der Liste: das Fenster, `ashore serve` oder `ashore get`. Solange eines davon läuft, spricht jedes andere `ashore` mit ihm; sonst öffnet es die Liste selbst für einen Augenblick. Nie wird etwas doppelt geladen, weil zwei Programme laufen.

        Exit-Codes:
          0    alles erledigt
          1    einiges ist fehlgeschlagen (freigestellte Dateien zählen nicht)
          2    die Argumente ergeben keinen Sinn
          3    kein Zugriff: Die Liste lässt sich nicht öffnen, oder das Programm, das sie offen hat, antwortet nicht
          4    abgelehnt: ein Link, ein Ordner oder eine Kennung, die Ashore nicht annimmt
          130  unterbrochen; alles bleibt erhalten

        Ergebnisse gehen nach stdout, Sätze für Menschen nach stderr. Mit --json gibt ein Befehl, der fehlschlägt, auch {"{"}"error": {"{"}"code": ..., "text": ...{"}"}{"}"} auf stdout aus. Ist NO_COLOR gesetzt, wird auf Farben verzichtet.
help-get = Herunterladen und warten, bis der Download vollständig ist
    .long =
        { help-get }

        Läuft kein Ashore, lädt `get` selbst, und andere Programme können dem Download folgen. Sonst übergibt `get` die Links an das laufende Ashore und folgt dem Download. Strg-C behält jedes Byte; `ashore get ID` oder derselbe Befehl noch einmal macht weiter.

        Am Ende steht auf stdout eine Zeile für jede Datei und auf stderr ein Satz für jede Datei, die fehlgeschlagen ist. Mit --json steht auf stdout jedes Ereignis dieses Downloads, sobald es eintritt, und in der letzten Zeile das Objekt, das `ashore show ID --json` ausgibt.
    .id = Ihr eigener Name für den Download, den jeder andere Befehl statt der Kennung annimmt. Nur ein aktiver Download kann einen Namen haben
    .connections = Höchste Anzahl der Verbindungen pro Datei, 1 bis 64 [Vorgabe: 8, oder die Einstellung]
    .parallel = Höchste Anzahl der Dateien gleichzeitig, 1 bis 64, insgesamt und pro Server [Vorgabe: 4 und 2, oder die Einstellungen]
    .after =
        Beispiele:
          ashore get URL -o debian.iso             nie über eine Datei: "debian (1).iso"
          ashore get URL1 URL2 --optional URL3     fertig, wenn die ersten beiden da sind
          ashore get -i - {"<"} links.txt              ein Link pro Zeile
          ashore get debian.meta4                  was ein Metalink beschreibt
          ashore get URL --mirror URL2             dieselbe Datei von beiden
          ashore get URL URL.sha256                mit der Prüfsummendatei daneben geprüft
          ashore get -i links.txt --parallel 16    sechzehn Dateien gleichzeitig
          ashore get --upload-file a.pdf URL       eine Datei senden und die Antwort behalten
          ashore get 1b9d6bcd                      einen Download der Liste fortsetzen
help-add = Links in die Liste stellen, ohne auf die Downloads zu warten
    .long =
        { help-add }

        Gibt nur die unique_id aus, mit --json den Eintrag. Geladen werden die Links vom Fenster, von `ashore serve` oder vom nächsten Ashore, das läuft.
    .id = { help-get.id }
    .again = Den Download hinzufügen, auch wenn ein gleicher unfertiger in der Liste steht. Ohne diese Option kommt stattdessen der vorhandene Download nach oben
    .to = Den Download an diesen Rechner der gemeinsamen Liste senden, statt ihn hier hinzuzufügen; siehe `ashore sync devices`
help-serve = Ohne Fenster laden, bis Strg-C oder SIGTERM
    .long =
        { help-serve }

        Gibt eine Zeile aus, wenn Ashore bereit ist. Mit --json: {"{"}"ready": true, "data_dir": ..., "socket": ...{"}"}.
    .remote = Die Seite für andere Geräte bereitstellen, ohne --listen nur auf Port 6800 dieses Rechners
    .listen = Adresse, auf der die Seite bereitsteht, etwa 0.0.0.0:6800, oder unix: und der Pfad eines Sockets; für mehrere wiederholen
    .allow_host = Weiterer Name, mit dem Browser diesen Rechner ansprechen dürfen, etwa nas.local; für mehrere wiederholen
    .allow_origin = Herkunft einer Seite oder Erweiterung, die außer der Seite von Ashore Anfragen senden darf; für mehrere wiederholen
    .trusted_proxy = Adresse oder Netz eines Proxys, dessen X-Forwarded-For die Adresse eines Clients nennt; für mehrere wiederholen
    .public_url = Adresse der Seite hinter einem Proxy, für Links; mit https:// werden Anmeldungen nur von Seiten angenommen, die mit TLS geladen wurden
    .base_path = Pfad der Seite, wenn er nicht der Pfad von --public-url ist
    .root = Ordner, den andere Geräte außer den Download-Ordnern der Einstellungen wählen dürfen; für mehrere wiederholen
    .aria2 = Downloads, auf die Programme für aria2 zugreifen können. Ein Programm braucht ein Token von `ashore remote token --name`
    .aria2-off = Keine Downloads: die Schnittstelle ist geschlossen
    .aria2-own = Downloads, die diese Programme hinzugefügt haben
    .aria2-all = Alle Downloads; die von anderen können gelesen, angehalten und fortgesetzt, aber nicht entfernt werden
    .aria2_may_stop = Programmen für aria2 erlauben, Ashore mit dem Aufruf `shutdown` zu beenden
help-list = Die Liste anzeigen, das Neueste zuerst
    .search = Nur Downloads anzeigen, deren Titel, Links oder Dateinamen diesen Text enthalten
    .active = Nur Downloads anzeigen, die noch nicht beendet sind: laufende, wartende und angehaltene
    .settled = Nur beendete Downloads anzeigen
    .failed = Nur Downloads mit einer Datei anzeigen, die endgültig fehlgeschlagen ist; `ashore retry` versucht die Datei noch einmal
    .limit = Höchstens N Downloads anzeigen
help-watch = Die aktiven Downloads mit ihrem Tempo anzeigen, bis Strg+C. Mit --json bei jeder Änderung die Registrierung mit ihrem Tempo ausgeben
help-show = Alle Einzelheiten eines Downloads anzeigen
    .id = unique_id des Downloads, oder mindestens ihre ersten 4 Zeichen
    .attempts = Unter jeder Datei alle Versuche aufführen, sie zu laden: Beginn, Dauer, empfangene Bytes und den Grund, warum der Versuch endete. Mit --json hat jeder Eintrag diese Versuche als `tries`
help-open = Eine heruntergeladene Datei mit ihrem Standardprogramm öffnen, oder den Ordner eines Downloads mit mehreren Dateien
    .folder = Den Ordner statt der Datei öffnen
help-pause = Downloads anhalten und jedes Byte behalten
    .ids = unique_ids der Downloads, oder mindestens ihre ersten 4 Zeichen [Vorgabe: alles]
help-resume = Angehaltene Downloads fortsetzen
    .ids = { help-pause.ids }
help-cancel = Downloads endgültig abbrechen und die vollständigen Dateien behalten
help-retry = Fehlgeschlagene Dateien noch einmal versuchen, und geplante Versuche sofort beginnen
    .dir = Ordner für die Dateien, die noch nicht vollständig sind, wenn der eigene Ordner des Downloads nicht mehr verwendbar ist
help-remove = Downloads aus der Liste entfernen; aktive werden vorher abgebrochen
help-first = Downloads an die Spitze der Warteschlange stellen
help-move = Downloads an eine andere Stelle der Warteschlange verschieben
    .before = Direkt vor diesen Download stellen
    .last = Hinter alle anderen Downloads stellen
help-move-to = Dateien von Downloads in einen anderen Ordner verschieben; laufende Downloads gehen dort weiter
    .dir = Ordner für die Dateien, die noch nicht vollständig sind
help-relink = Den Link einer Datei ersetzen, die nicht vollständig ist, und ihre Bytes behalten
    .url = Neuer Link zu derselben Datei
    .file = Nummer der Datei, wie `ashore show` sie aufführt; nur nötig, wenn mehrere Dateien nicht vollständig sind
help-change = Ändern, wie ein Download angezeigt wird: Titel, Beschreibung und Symbol
    .title = Neuer Titel
    .description = Neue Beschreibung
    .icon = Neue Bilddatei, die neben dem Titel angezeigt wird; bei mehreren Größen wird die passendste verwendet
help-match = Herausfinden, welche Datei eines Downloads einen bestimmten Link hat
    .long =
        { help-match }

        Gibt die Nummer der Datei, ihren Zustand und den Link aus, mit --json den Eintrag. Gibt nichts aus, wenn keine Datei des Downloads den Link hat.
    .url = Gesuchter Link
    .all = Jede passende Datei ausgeben statt nur der ersten
    .ignore_search = Beim Vergleich der Links das Fragezeichen und alles danach nicht beachten
    .ignore_method = Anfragen jeder Methode finden
    .method = Methode der Anfrage [Vorgabe: GET]
help-ids = Die Namen aufführen, die `--id` Ihren aktiven Downloads gegeben hat, oder mit --owner den aktiven Downloads dieses Besitzers
help-find = Die Kennung des aktiven Downloads ausgeben, der diesen Namen aus `--id` hat
    .name = Name, den `--id` dem Download gegeben hat
help-owed = Beendete Downloads aufführen, deren Ende noch nicht bestätigt ist
    .long =
        { help-owed }

        Führt mit --owner die Downloads dieses Besitzers auf, sonst die Downloads, deren Ende Ihnen noch nicht gemeldet wurde. Gibt unique_id, Nummer der Meldung und Titel aus, mit --json den Eintrag.
help-acknowledge = Das Ende eines Downloads für dessen Besitzer bestätigen, sodass es nicht noch einmal gemeldet wird
    .event_number = Nummer der Meldung: `event_number` [Vorgabe: die letzte]
help-clear = Alle Downloads entfernen, die von der Befehlszeile hinzugefügt wurden, oder mit --owner alle Downloads dieses Besitzers
    .long =
        { help-clear }

        Aktive Downloads werden vorher abgebrochen. Vollständige Dateien bleiben, wenn --files nicht angegeben ist.
help-reset = Alle aktiven Downloads abbrechen, die von der Befehlszeile hinzugefügt wurden, oder mit --owner alle aktiven Downloads dieses Besitzers
    .long =
        { help-reset }

        Die Downloads bleiben in der Liste, und vollständige Dateien bleiben.
help-queue-stats = Alle Dateien zählen, die je verlangt wurden, gelangen oder fehlschlugen, für alle Besitzer oder mit --owner für einen
help-remove-owner = Einen Besitzer und alle seine Downloads entfernen
    .long =
        { help-remove-owner }

        Seine Downloads werden gestoppt, und ihr Ende wird nicht gemeldet. Vollständige Dateien bleiben.
    .name = Name des Besitzers
help-limit = Das Tempo der Übertragungen begrenzen
    .long =
        { help-limit }

        Eine Begrenzung gilt sofort, auch für laufende Übertragungen, und bleibt, bis sie aufgehoben wird. Gelten mehrere Begrenzungen für eine Übertragung, zählt die niedrigste; Downloads mit derselben Begrenzung erhalten gleiche Teile davon. Ohne Tempo werden die geltenden Begrenzungen angezeigt.
    .speed = Bytes pro Sekunde, von 1K bis 10G (K, M und G sind Potenzen von 1.024, kB, MB und GB von 1.000); "none" oder 0 hebt die Begrenzung auf
    .host = Die Übertragungen mit diesem Server begrenzen: Downloads von ihm oder über ihn, und Uploads zu ihm. Nennen Sie ihn wie in einem Link. Subdomains sind eigene Server
    .id = Die Dateien eines Downloads begrenzen: seine unique_id, oder mindestens ihre ersten 4 Zeichen
    .after =
        Beispiele:
          ashore limit 2M                          alles zusammen, 2 MiB pro Sekunde
          ashore limit 500K --host example.org     was von dort kommt
          ashore limit 1M --id 1b9d6bcd            ein Download
          ashore limit none                        alles wieder so schnell, wie es geht
          ashore limit                             was begrenzt ist
help-sign-in = Ein Passwort oder Token für einen Server aufbewahren und mit jeder Anfrage an ihn senden
    .long =
        { help-sign-in }

        Nach Passwort oder Token wird gefragt, oder sie werden aus der ersten Zeile von stdin gelesen. Der Schlüsselbund des Systems bewahrt sie auf, oder, wenn keiner funktioniert, eine Datei, die nur Sie lesen können. Ein Passwort gilt nur für Schema, Server und Port des Links und wird nirgendwohin sonst gesendet. Ohne Link werden die Server mit einer aufbewahrten Anmeldung angezeigt, und wo sie jeweils liegt.
    .user = Benutzername für die Anmeldung
    .token = Mit einem Bearer-Token anmelden, wie viele Dienste sie ausgeben
help-sign-out = Das aufbewahrte Passwort oder Token eines Servers löschen
help-quota = Begrenzen, wie viel der Liste ein Besitzer oder eine Art von Dateien belegen darf
    .long =
        { help-quota }

        Jeder Download der Liste zählt, vollständig oder nicht; wird ein Download entfernt, wird sein Anteil frei. Ein Download, für den im Kontingent kein Platz ist, wartet, behält jedes Byte und geht von selbst weiter, sobald Platz ist. Ohne Größe werden Belegung und Grenzen angezeigt.
    .quota_owner = Besitzer: "window", "command-line" oder der Name eines Programms; "all" für alle zusammen
    .size = Höchste Anzahl der Bytes (K, M und G sind Potenzen von 1.024, kB, MB und GB von 1.000); "none" hebt das Kontingent auf, auch das für Dateien
    .files = Höchste Anzahl der Dateien
    .category = Nur Dateien dieser Art zählen: video, music, picture, document, archive, program oder other
    .after =
        Beispiele:
          ashore quota                             wie viel es von wem gibt
          ashore quota my-program 10G              was dieses Programm verlangt hat, zusammen 10 GiB
          ashore quota my-program --files 1000     und nicht mehr als tausend Dateien
          ashore quota all 50G --category video    Filme, von wem auch immer verlangt
          ashore quota my-program none             so viel, wie da ist
help-statistics = Alle je hinzugefügten Downloads zählen: vollständige, fehlgeschlagene und ihre Bytes
    .long =
        { help-statistics }

        Dateien und ihre Größen werden nach Herkunft, insgesamt und nach dem Tag gezählt, an dem sie hinzugefügt wurden. Eine Datei, die weder vollständig noch fehlgeschlagen ist, steht noch in der Liste, wurde abgebrochen oder entfernt. Wird ein Download entfernt, ändert das keine der Zahlen.
    .days = Anzahl der Tage, die einzeln aufgeführt werden
help-settings = Die Einstellungen anzeigen, oder eine ändern
    .long =
        { help-settings }

        Eine Änderung gilt sofort und steht dann in `ashore.toml` im Datenordner; diese Datei lässt sich auch von Hand ändern.
    .name = Name der Einstellung; ohne Namen werden alle Einstellungen angezeigt
    .value = Neuer Wert, wie in der Einstellungsdatei, aber ohne Anführungszeichen; eine Einstellung mit Zeiten nimmt beliebig viele Zeilen an
    .default = Die Einstellung auf ihre Vorgabe zurücksetzen
    .after =
        Beispiele:
          ashore settings                          jede Einstellung mit ihrem Wert
          ashore settings hours                    wozu sie dient
          ashore settings parallel 8               von jetzt an acht Dateien gleichzeitig
          ashore settings hours 'mon-fri 08:00-18:00 slow' 'sat 00:00-24:00 off'
          ashore settings parallel --default       wie es ohne Angabe ist
help-events = Jedes Ereignis des laufenden Ashore ausgeben, ein JSON-Objekt pro Zeile
help-doctor = Die Liste, ihre Kopien und die Teildateien prüfen
    .long =
        { help-doctor }

        Ist die Liste beim Öffnen beschädigt, wird sie beiseitegelegt und ihre neueste Kopie wiederhergestellt; `doctor` meldet das Ergebnis. Zähler, die nicht mit den Downloads übereinstimmen, die sie zählen, werden gemeldet und mit --repair neu berechnet. Sonst wird nichts geändert. Der Exit-Code ist 1, wenn die Liste beschädigt oder widersprüchlich ist.
    .repair = Zähler neu berechnen, die nicht mit den Downloads übereinstimmen, die sie zählen
help-adopt = Teildateien ohne Download in die Liste aufnehmen und fortsetzen
    .long =
        { help-adopt }

        `ashore doctor` führt solche Dateien auf. Gibt die unique_id jedes neuen Downloads aus, mit --json den Eintrag. Ohne Argumente werden alle Teildateien aufgenommen, die sich fortsetzen lassen.
    .partials = Pfade von Teildateien, oder die acht Ziffern in ihren Namen
help-export = Die Liste in eine Datei exportieren, ohne Geheimnisse
    .long =
        { help-export }

        In der Datei stehen Links, Namen, Ordner, Prüfsummen, das Ergebnis jeder Datei und wie sie geprüft wurde, Begrenzungen und Kontingente: ein JSON-Objekt pro Zeile, wie docs/export.md es beschreibt. Passwörter, Cookies, Token und die heruntergeladenen Dateien selbst sind nicht dabei.
    .file = Datei, die geschrieben wird; "-" für stdout
    .force = Eine vorhandene Datei ersetzen
    .to = Name des Programms, das die Datei statt Ashore erhält; aria2 erhält eine Sitzungsdatei mit den unvollständigen Downloads
help-import = Eine exportierte Liste importieren
    .long =
        { help-import }

        Unfertige Downloads werden angehalten importiert: Nichts startet von selbst. Downloads, die schon in der Liste stehen, bleiben unverändert. Eine Datei, die unvollständig ist oder eine ungültige Zeile hat, wird abgelehnt, und nichts davon wird importiert.
    .file = Datei, die `ashore export` geschrieben hat; "-" für stdin
    .from = Name des Programms, das die Datei statt Ashore geschrieben hat; seine Downloads werden angehalten importiert und behalten ihre GIDs
    .unchecked = Die Datei importieren, auch wenn sie nach dem Export geändert wurde
help-sync = Eine verschlüsselte Liste von Downloads auf allen Ihren Rechnern führen; ohne Befehl den Stand der Synchronisierung anzeigen
    .long =
        { help-sync }

        Die Liste liegt auf einem Sync-Server (siehe `ashore sync-server --help`); er erfährt nur Größen und Zeiten. Jeder Download wird von einem Rechner geladen; die anderen sehen ihn und können ihn steuern. Dateien werden nie übertragen.
    .after =
        Beispiele:
          ashore-sync-server invite                gibt einen Link zum Einrichten aus, auf dem Server
          ashore sync setup LINK                   richtet die Liste ein und gibt ihre 24 Wörter aus
          ashore sync invite                       gibt einen Link für den nächsten Rechner aus
          ashore sync join LINK                    auf jenem Rechner
          ashore sync others                       Downloads der anderen Rechner
          ashore sync ask 6b3f pause               hält einen davon dort an
          ashore add URL --to Laptop               lädt einen Link auf einem anderen Rechner
help-sync-status = Anzeigen, ob die Synchronisierung eingeschaltet ist, was wartet und warum die letzte fehlschlug
help-sync-now = Jetzt synchronisieren
help-sync-setup = Eine Liste auf einem Server einrichten und ihre 24 Wiederherstellungswörter ausgeben
help-sync-join = Der Liste eines anderen Rechners beitreten
help-sync-recover = Einer Liste mit ihren Wiederherstellungswörtern beitreten, etwa wenn alle Rechner verloren sind
    .long =
        { help-sync-recover }

        Die Wörter werden vom Terminal oder von stdin gelesen, damit sie in keiner Prozessliste stehen.
    .address = Adresse des Servers, wie sie mit den Wörtern ausgegeben wurde: HOST:PORT#FINGERABDRUCK
    .uid = Nummer, die mit den Wörtern ausgegeben wurde
help-sync-invite = Einen Link ausgeben, mit dem ein Rechner beitreten kann, einmal, innerhalb von zehn Minuten
help-sync-devices = Die Rechner der Liste aufführen
help-sync-remove = Einen Rechner aus der Liste entfernen und die neuen Wiederherstellungswörter ausgeben
    .long =
        { help-sync-remove }

        Der Rechner kann nichts lesen, was von da an geschrieben wird. Was er schon gelesen hat, behält er.
help-sync-trust = Einem Rechner erlauben, hier ohne Rückfrage Downloads zu starten
    .not = Wieder nachfragen, bevor Downloads dieses Rechners starten
help-sync-words = Die Wiederherstellungswörter der Liste ausgeben
help-sync-conflicts = Änderungen aufführen, die denen eines anderen Rechners unterlagen, oder eine davon entscheiden
    .number = Nummer des Konflikts, der entschieden wird
    .take = Den anderen Wert anstelle des jetzigen verwenden
    .drop = Den jetzigen Wert behalten
help-sync-others = Die Downloads der anderen Rechner aufführen
help-sync-ask = Einen anderen Rechner um eine Änderung an seinem Download bitten, oder den Download übernehmen
    .id = Kennung des Downloads, wie `ashore sync others` sie ausgibt, oder ihre ersten Zeichen
    .change = Die Änderung
    .change-pause = Dort anhalten
    .change-resume = Dort fortsetzen
    .change-remove = Dort aus der Liste entfernen; die Dateien bleiben
    .change-move-here = Stattdessen auf diesem Rechner laden
    .change-fetch-here = Auch auf diesem Rechner laden
help-sync-send = Einen Download dieses Rechners an einen anderen senden
    .id = { help-show.id }
help-sync-sends = Die Downloads aufführen, die dieser Rechner an andere gesendet hat, ob sie zugestellt wurden, und die, die er verpasst hat
help-sync-rename = Diesem Rechner einen anderen Namen geben, den die anderen Rechner anzeigen
    .name = Neuer Name
help-sync-clear-history = Vergangene Downloads auf allen Rechnern und auf dem Server vergessen, etwa um dort Platz zu schaffen
    .keep = Vergangene Downloads der letzten TAGE Tage behalten; 0 vergisst alle
help-sync-leave = Die Synchronisierung auf diesem Rechner ausschalten; Downloads und Dateien bleiben
help-browsers = Browser verbinden, damit ihre Erweiterung Downloads an Ashore übergibt; ohne Befehl die Browser aufführen
    .after =
        Beispiele:
          ashore browsers                          die Browser, und welche verbunden sind
          ashore browsers connect                  verbindet alle
          ashore browsers connect firefox          verbindet Firefox
          ashore browsers disconnect firefox       trennt Firefox wieder
          ashore browsers doctor                   prüft jede Verbindung
          ashore browsers pair                     zeigt einen Code, der einen Browser koppelt
help-browsers-list = Die Browser aufführen, und ob sie verbunden sind
help-browsers-connect = Die Erweiterung eines Browsers Downloads an Ashore übergeben lassen
    .long =
        { help-browsers-connect }

        Schreibt eine kleine Datei in den Ordner des Browsers. Eine Datei, die ein anderes Programm dort geschrieben hat, wird nie verändert. Die Erweiterung selbst wird im Browser installiert.
help-browsers-disconnect = Die Datei entfernen, die `connect` geschrieben hat
help-browsers-doctor = Die Verbindung jedes verbundenen Browsers so prüfen, wie der Browser sie verwendet
    .long =
        { help-browsers-doctor }

        Der Exit-Code ist 1, wenn eine Verbindung nicht funktioniert.
help-browsers-pair = Einen Code anzeigen, der einen Browser aus Flatpak oder Snap koppelt
    .long =
        { help-browsers-pair }

        Ein solcher Browser kann kein Programm starten. Schalten Sie zuerst die Einstellung browser-channel ein. Der Code wird im Popup der Erweiterung eingegeben und gilt einmal, fünf Minuten lang.
help-browsers-unpair = Gekoppelte Browser entfernen
    .names = Namen gekoppelter Browser aus `ashore browsers`
help-remote = Andere Geräte und Programme an- und abmelden; ohne Befehl werden sie aufgelistet
    .after =
        Beispiele:
          ashore remote                                   die angemeldeten Geräte und Programme
          ashore remote link                              ein Link und ein QR-Code für ein Gerät
          ashore remote token                             das Token zum Anmelden
          ashore remote token --name sonarr --scope add   ein Token für ein Programm
          ashore remote sign-out Phone                    meldet ein Gerät ab
help-remote-link = Einen Link ausgeben, der ein Gerät anmeldet
    .long =
        { help-remote-link }

        Der Link gilt einmal und fünf Minuten lang. In einem Terminal erscheint er auch als QR-Code. `ashore serve --remote` muss laufen.
    .scope = Berechtigung des Geräts: alles, hinzufügen und lesen, oder nur lesen
help-remote-token = Das Token ausgeben, mit dem sich ein Gerät anmeldet
    .long =
        { help-remote-token }

        Mit --name wird ein Token für ein Programm ausgestellt und nur dieses eine Mal ausgegeben.
    .name = Name eines Programms, das ein eigenes Token erhält
    .scope = Berechtigung des Programms: alles, hinzufügen und lesen, nur lesen, oder nur Metriken
    .renew = Das Token ersetzen und alle Geräte abmelden
help-remote-list = Die angemeldeten Geräte und Programme auflisten
help-remote-sign-out = Geräte oder Programme abmelden
    .names = Namen aus `ashore remote list`
help-healthy = Prüfen, ob Ashore läuft und bereit ist
    .long =
        { help-healthy }

        Für Container und Skripte gedacht. Der Exit-Code ist 0, wenn Ashore bereit ist, sonst 1.
    .url = Statt des Sockets den Server für andere Geräte unter dieser Adresse fragen, etwa http://127.0.0.1:6800
help-sync-server = Den Sync-Server ausführen, ein eigenes Programm; siehe `ashore sync-server --help`
    .arguments = Befehl und Optionen des Sync-Servers
help-help = Diese Hilfe oder die Hilfe zu Befehlen anzeigen
    .subcommand = Hilfe zu diesen Befehlen anzeigen
