search = Suchen
search-hint = Downloads durchsuchen (Strg+F)
search-clear = Suche leeren
filters = Anzeigen
filters-wide = Seitenleiste einblenden
filter-all = Alle
filter-running = Laufend
filter-waiting = Warteschlange
filter-paused = Angehalten
filter-done = Fertig
filter-failed = Fehlgeschlagen
filter-cancelled = Abgebrochen
kinds = Arten von Dateien
kind-video = Video
kind-music = Audio
kind-picture = Bilder
kind-document = Dokumente
kind-archive = Archive
kind-program = Programme
kind-other = Sonstiges
sort-by = Sortieren nach
sorted-by = Sortiert nach: { $name }
    .reversed = Sortiert nach: { $name }, umgekehrt
sort-newest = Neueste zuerst
sort-name = Name
sort-size = Größe
sort-progress = Fortschritt
sort-speed = { details-speed }
sort-left = Restzeit
sort-reverse = Reihenfolge umkehren
column-added = { about-created }
column-left = { sort-left }
columns = Spalten
in-turn = Reihenfolge der Warteschlange
dense = Kompakte Zeilen
chosen = { $count } ausgewählt
downloads = Downloads
reading = Wird geladen…
reading-file = { reading }
read-again = Erneut versuchen
list-failed = Die Liste konnte nicht gelesen werden
more = Mehr
close = Schließen
cancel = Abbrechen
choose = Auswählen…

totals-slow-hours = langsame Stunden

row-sending = { $part } werden gesendet
row-connecting = Verbindung wird aufgebaut
row-stalled = keine Daten
row-failed-files = { $count } fehlgeschlagen
row-failed-files-because = { row-failed-files }: { $why }
row-paused-with-everything = Angehalten (alles angehalten)
row-paused-at-percent = Angehalten bei { percent }
row-paused-at = Angehalten bei { $amount }
row-not-started = noch nicht begonnen
row-waits-because = In der Warteschlange: { $why }
row-waits-slots = In der Warteschlange: { n-files } gleichzeitig
row-waits-server = In der Warteschlange: { $count } gleichzeitig von { $host }
row-tries = Neuer Versuch
row-tries-because = Neuer Versuch: { $why }
row-tries-in = Neuer Versuch in { $time }
row-tries-in-because = Neuer Versuch in { $time }: { $why }
row-done = Fertig { $moment }
row-verified = geprüft
row-size-unknown = Größe unbekannt
row-cancelled = Abgebrochen
row-awaits-link = Klicken Sie im Browser auf die Datei. Der Klick setzt diesen Download fort.
row-awaits-link-other = Sie haben im Browser eine andere Datei angeklickt ({ $name }). Sie ist jetzt ein eigener Download.
row-sign-in-again = Der Server verweigert diesen Download. Melden Sie sich im Browser erneut an, und klicken Sie dort auf den Link.
row-cancelled-at = Abgebrochen { $moment }
row-files-kept = { files-of } behalten
row-kept = { $amount } behalten
row-all-failed =
    { $count ->
        [one] 1 Datei ist fehlgeschlagen: { $why }
       *[other] Alle { $count } Dateien sind fehlgeschlagen: { $why }
    }
row-some-failed = { files-of } fehlgeschlagen: { $why }

retry-failed = Wiederholen
try-now = Jetzt versuchen
start-now = Jetzt starten
remove = Entfernen
to-the-top = Ganz nach oben
to-the-end = Ganz nach unten
copy-link = Link kopieren
copy-links = Links kopieren
copy-command = Als cURL kopieren
cancel-asking = Download abbrechen…
remove-from-list = Aus der Liste entfernen
remove-from-list-asking = Aus der Liste entfernen…
remove-with-files-asking = Dateien löschen…
rename = In der Liste umbenennen…
rename-field = Name in der Liste
files-show = Dateien zeigen
files-hide = Dateien verbergen
drag = Ziehen ändert die Reihenfolge (Alt+Auf, Alt+Ab)
progress-of = Fortschritt von { $title }
action-on = { $action }: { $title }

many-pause = { n-downloads-object } anhalten
many-resume = { n-downloads-object } fortsetzen
many-start = { n-downloads-object } jetzt starten
many-top = { n-downloads-object } ganz nach oben verschieben
many-end = { n-downloads-object } ganz nach unten verschieben
many-retry = { n-downloads-object } wiederholen
many-copy = Links von { n-downloads } kopieren
many-cancel = { n-downloads-object } abbrechen…
many-remove = { n-downloads-object } entfernen
many-remove-asking = { n-downloads-object } entfernen…
many-remove-files-asking = Dateien von { n-downloads-object } löschen…

empty = Zum Beginnen einen Link einfügen
    .body = Kopieren Sie die Adresse einer Datei und drücken Sie irgendwo in diesem Fenster Strg+V. Auch viele Links auf einmal gehen: einer in jeder Zeile.
    .action = Links hinzufügen
    .after = Sie können dieses Fenster schließen. Downloads laufen im Hintergrund weiter.
    .drop = Sie können Links oder Dateien mit Links auch in dieses Fenster ziehen.
    .browsers = Verbinden Sie Ihren Browser in den Einstellungen, dann erhält { -ashore } dessen Downloads.
drop-here = Links oder Dateien mit Links hier ablegen
nothing-found = Nichts gefunden
    .search = Kein Download hier enthält „{ $text }“.
    .kind = Hier ist nichts von der Art „{ $kind }“.
    .all-kinds = Alle Arten zeigen
nothing-all = Die Liste ist leer.
nothing-running = Keine laufenden Downloads.
nothing-waiting = Die Warteschlange ist leer.
nothing-paused = Kein Download ist angehalten.
nothing-done = Keine fertigen Downloads.
nothing-failed = Keine fehlgeschlagenen Downloads.
nothing-cancelled = Es wurde kein Download abgebrochen.

remove-question =
    { $count ->
        [one] Aus der Liste entfernen?
       *[other] { n-downloads-object } aus der Liste entfernen?
    }
    .keeps = Die heruntergeladenen Dateien bleiben, wo sie sind.
    .files = Auch die Dateien in den Papierkorb verschieben
    .deletes =
        { $count ->
            [one] Der Download wird auch aus der Liste entfernt.
           *[other] Die Downloads werden auch aus der Liste entfernt.
        }
    .submit =
        { $count ->
            [one] Entfernen
           *[other] { n-downloads-object } entfernen
        }
    .title-files = Dateien in den Papierkorb verschieben?
    .submit-files = Entfernen, Dateien in den Papierkorb
remove-loses-all =
    { $count ->
        [one] Die unvollständigen Daten dieses Downloads werden gelöscht.
       *[other] Die unvollständigen Daten dieser Downloads werden gelöscht.
    }
remove-loses-some =
    { $count ->
        [one] 1 davon ist nicht fertig. Seine unvollständigen Daten werden gelöscht.
       *[other] { $count } davon sind nicht fertig. Ihre unvollständigen Daten werden gelöscht.
    }
cancel-question =
    { $count ->
        [one] Diesen Download abbrechen?
       *[other] { n-downloads-object } abbrechen?
    }
    .body =
        { $count ->
            [one] Seine unvollständigen Dateien werden gelöscht. Fertige Dateien bleiben.
           *[other] Ihre unvollständigen Dateien werden gelöscht. Fertige Dateien bleiben.
        }
    .submit =
        { $count ->
            [one] Download abbrechen
           *[other] { n-downloads-object } abbrechen
        }
    .keep = Weiter herunterladen

notices = Meldungen
notice-dismiss = Ausblenden
notice-copied =
    { $count ->
        [one] Link kopiert.
       *[other] { $count } Links kopiert.
    }
notice-command-copied = Als cURL kopiert.
    .without = Als cURL kopiert, ohne diese Kopfzeilen, weil sie geheim sein können: { $headers }
notice-again-without = „{ $title }“ wird erneut heruntergeladen, ohne diese Kopfzeilen, weil sie geheim sein können: { $headers }
notice-not-copied = Die Links konnten nicht kopiert werden. Der Desktop lässt es im Moment nicht zu.
notice-not-for-all = Bei { $refused } von { n-downloads } ging es nicht: { $text }
notice-offered =
    { $count ->
        [one] Sie haben einen Link kopiert. Hinzufügen?
       *[other] Sie haben { $count } Links kopiert. Hinzufügen?
    }
notice-removed =
    { $count ->
        [one] Aus der Liste entfernt: { $title }
       *[other] { $count } Downloads wurden aus der Liste entfernt.
    }
notice-files-go = In wenigen Sekunden kommen die Dateien in den Papierkorb.
notice-undo = Rückgängig
notice-undo-hint = Rückgängig (Strg+Z)
notice-back =
    { $count ->
        [one] „{ $title }“ wiederhergestellt
       *[other] { $count } Downloads wiederhergestellt
    }
notice-are-next =
    { $count ->
        [one] 1 Download kommt als Nächstes.
       *[other] { $count } Downloads kommen als Nächstes.
    }
notice-are-last =
    { $count ->
        [one] 1 Download nach unten verschoben
       *[other] { $count } Downloads nach unten verschoben
    }
notice-is-next = „{ $title }“ kommt als Nächstes.
notice-is-last = „{ $title }“ nach unten verschoben
notice-is-number = „{ $title }“ ist Nummer { $number } von { $count }.
notice-was-waiting = „{ $title }“ war schon in der Liste und kommt nun als Nächstes.
notice-was-running = „{ $title }“ ist bereits unterwegs.

keys = Tastenkürzel
keys-hint = Tastenkürzel (F1)
keys-choosing = Auswählen
keys-doing = Ausgewählte Downloads
keys-queue = Reihenfolge der Warteschlange
keys-anywhere = Überall
keys-go = Durch die Liste gehen
keys-choose-more = Mehr auswählen, oder mit Umschalt klicken
keys-choose-everything = Alles auswählen
keys-choose-one = Zurück zu einem
keys-open = Die Datei öffnen, oder die Dateien einer Gruppe zeigen
keys-files = Die Dateien einer Gruppe zeigen oder verbergen
keys-details = Einzelheiten des Downloads
keys-pause = Anhalten oder fortsetzen
keys-copy = Die Links kopieren
keys-rename = In der Liste umbenennen
keys-remove = Aus der Liste entfernen
keys-remove-files = Dateien löschen
keys-menu = Menü mit allen Aktionen öffnen
keys-move = Einen Platz nach oben oder unten
keys-move-far = Ganz nach oben oder unten
keys-paste = Die Links der Zwischenablage hinzufügen
keys-add = { empty.action }
keys-search = Suchen
keys-undo = Das letzte Entfernen rückgängig machen
keys-settings = Die Einstellungen öffnen, oder zurück zur Liste
keys-keys = Diese Übersicht
keys-close = Fenster schließen; Downloads laufen weiter
keys-quit = { -ashore } beenden

key-ctrl = Strg
key-alt = Alt
key-shift = Umschalt
key-space = Leertaste
key-up = Auf
key-down = Ab
key-left = Links
key-right = Rechts
key-page-up = Bild auf
key-page-down = Bild ab
key-home = Pos1
key-end = Ende
key-enter = Eingabe
key-escape = Esc
key-delete = Entf
key-menu = Menü

afterwards-is = { afterwards }: { $then }
limit-is = Tempolimit: { $limit }
limit-other = Anderes…
limit-asking = { limit }…
limit-field = Limit
    .hint = { limit.none }
    .wrong = Geben Sie eine Zahl ein, oder lassen Sie das Feld leer.
    .submit = Limit setzen

limit-unit = Einheit
