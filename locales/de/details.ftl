details = Einzelheiten
    .of = Einzelheiten zu { $title }
    .hint = Einzelheiten zum ausgewählten Download (I)
    .close = Einzelheiten schließen
    .resize = Höhe der Einzelheiten (Auf, Ab)
details-files = Dateien
details-activity = Verlauf
details-speed = Tempo
details-about = Angaben
# A connection of a running download, with its speed.
details-connection = Verbindung { $number }
    .left = noch { $size }
    .starting = startet
details-connections =
    { $count ->
        [one] 1 Verbindung
       *[other] { $count } Verbindungen
    }
details-file-before = Vorige Datei
details-file-after = Nächste Datei
details-copy = Kopieren
details-copied = Kopiert
details-not-copied = Das konnte nicht kopiert werden. Der Desktop lässt es im Moment nicht zu.
details-copy-activity = Alles auf dieser Seite kopieren
details-copy-head = Antwort-Header kopieren
details-attempts = Versuche
details-no-attempts = Es wurde noch nichts versucht.
details-answer = Antwort des Servers
details-answered = { $host } hat mit „{ $status }“ geantwortet.
details-redirects =
    { $count ->
        [one] 1-mal weitergeleitet:
       *[other] { $count }-mal weitergeleitet:
    }
details-raw = Antwort-Header

attempt-number = Versuch { $number }
attempt-since = seit { $time }
attempt-took = dauerte { $time }
attempt-brought = { $amount } kamen an
attempt-status = der Server antwortete mit { $status }
attempt-arrived = Abgeschlossen, { $amount }.
attempt-running = Läuft, { $amount }.
attempt-connecting = Verbindung wird aufgebaut.
attempt-anew-changed = Neu begonnen: Die Datei auf dem Server hat sich geändert. { $amount } verworfen.
attempt-anew-no-ranges = Neu begonnen: Der Server kann nicht fortsetzen. { $amount } verworfen.
attempt-anew-differs = Er begann von vorn: Der Server liefert andere Bytes als die { $amount }, die schon da waren.
attempt-anew-gone = Er begann von vorn: Was schon da war, { $amount }, wurde verschoben oder gelöscht.

speed-current = Jetzt
speed-mean = Durchschnitt
speed-highest = Maximum
speed-not-running = läuft nicht
speed-now = jetzt
speed-ago = vor { $minutes } min
speed-soon = Die ersten Bytes sind noch nicht angekommen.
speed-none = Das Tempo wird gezeigt, solange es läuft, und noch einige Minuten danach.
speed-sentence =
    { $minutes ->
        [one] Tempo der letzten Minute: jetzt { $current }, im Mittel { $mean }, höchstens { $highest }.
       *[other] Tempo der letzten { $minutes } Minuten: jetzt { $current }, im Mittel { $mean }, höchstens { $highest }.
    }
speed-sentence-not-running =
    { $minutes ->
        [one] Tempo der letzten Minute: läuft gerade nicht, im Mittel { $mean }, höchstens { $highest }.
       *[other] Tempo der letzten { $minutes } Minuten: läuft gerade nicht, im Mittel { $mean }, höchstens { $highest }.
    }

about-address = Adresse
about-came-from = Endgültige Adresse
about-page = Gefunden auf
about-mirrors = Spiegelserver
about-title = Name
about-files = Dateien
about-files-done = { files-of } sind da
about-file = Dateiname
about-folder = Ordner
about-size = Größe
about-bytes = { $amount } ({ $bytes } Bytes)
about-checked = Geprüft
about-by-digest = Prüfsumme stimmt
about-on-resume = Größe stimmt; fortgesetzte Daten geprüft
about-not-verified = Größe stimmt; keine Prüfsumme vorhanden
about-size-unknown = Größe unbekannt; keine Prüfsumme vorhanden
about-missing = Fehlende Garantien
about-missing-permissions = Dieser Datenträger kennt keine Zugriffsrechte einzelner Dateien: Es gelten die des ganzen Datenträgers.
about-missing-sync = Dieser Datenträger sagt nicht, wann eine Datei vor einem Stromausfall sicher ist.
about-missing-folder-sync = Dieser Datenträger sagt nicht, wann ein Dateiname vor einem Stromausfall sicher ist.
about-missing-exclusive-name = Dieser Datenträger kann nicht verhindern, dass ein anderes Programm im selben Moment denselben Dateinamen benutzt.
about-missing-at-once = Dieser Datenträger kann Dateien nicht umbenennen; die Datei wurde deshalb unter ihren Namen kopiert.
about-checksum = Prüfsumme
about-expected = Erwartet
about-created = Hinzugefügt
about-asked-again = Erneut hinzugefügt
about-finished = Fertig
about-ended = Beendet
about-expires = Verlässt die Liste
about-owner = Hinzugefügt von
about-owner-window = diesem Fenster
about-owner-command-line = der Befehlszeile
about-id = Kennung
about-copy-address = Adresse kopieren
about-copy-name = Namen kopieren
about-copy-folder = Ordner kopieren
about-copy-checksum = Prüfsumme kopieren
about-copy-id = Kennung kopieren
