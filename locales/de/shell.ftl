tray-open = { -ashore } öffnen
tray-quit = Beenden
tray-clipboard = Aus der Zwischenablage hinzufügen
tray-shut = Die Liste kann nicht geöffnet werden

note-show = Zeigen
note-details = Einzelheiten
note-sent = { $amount } gesendet
note-done = Download abgeschlossen
note-files-left-out =
    { $count ->
        [one] 1 Datei ausgelassen
       *[other] { $count } Dateien ausgelassen
    }
note-failed = Der Download ist nicht gelungen.
note-files-failed =
    { $count ->
        [one] 1 Datei fehlgeschlagen: { $why }
       *[other] { $count } Dateien fehlgeschlagen: { $why }
    }
note-many-finished =
    { $count ->
        [one] 1 Download fertig
       *[other] { $count } Downloads fertig
    }
note-many-failed =
    { $count ->
        [one] 1 Download fehlgeschlagen
       *[other] { $count } Downloads fehlgeschlagen
    }
note-many-running =
    { $count ->
        [one] 1 Download läuft
       *[other] { $count } Downloads laufen
    }
note-and-more = und { $count } weitere
note-all-done = Alle Downloads abgeschlossen
    .body = { $count } fertig. Keiner wartet.
note-all-ended = Alle Downloads sind beendet
    .body = { $count } fertig, { $failed } fehlgeschlagen. Die Liste sagt, warum.
note-in-tray = { -ashore } läuft im Hintergrund
    .body = Downloads laufen weiter. Über das Symbol in der Leiste lässt sich { -ashore } öffnen oder beenden.
note-group = { -ashore } – { $owner }
note-group-command-line = { -ashore } – Befehlszeile

ask-open = Diese Datei öffnen?
    .body = { $name } kann auf diesem Rechner etwas ausführen. Öffnen Sie die Datei nur, wenn Sie wissen, woher sie kommt.
ask-folder = Ordner auswählen
ask-file = Datei auswählen
ask-save-list = { list-save }
ask-list = Exportierte Liste wählen

ask-server = Den Synchronisationsserver auf diesem Rechner betreiben?
    .body = Dieser Rechner speichert dann die verschlüsselte Liste, und Ihre anderen Rechner können ihn über das Netz erreichen. Danach werden die Wiederherstellungswörter angezeigt.
    .yes = Hier betreiben
ask-set-up = Liste einrichten?
    .body = { -ashore } richtet auf { $server } eine verschlüsselte Liste ein und zeigt die 24 Wiederherstellungswörter.
    .yes = Einrichten
ask-join = Der Liste beitreten?
    .body = Dieser Rechner sendet seine Liste der Downloads verschlüsselt an { $server }. Alle Rechner jener Liste können sie lesen. Treten Sie nur einer eigenen Liste bei.
    .yes = Beitreten
ask-words = Wiederherstellungswörter anzeigen?
    .body = Wer die 24 Wörter, die Adresse und die Nummer kennt, kann die Liste lesen. Achten Sie darauf, dass Ihnen niemand zusieht.
    .yes = Anzeigen
ask-invite = Rechner hinzufügen?
    .body = { -ashore } zeigt einen Link. Der Rechner, der ihn zuerst öffnet, kann die Liste lesen. Der Link gilt zehn Minuten.
    .yes = Link anzeigen
ask-devices = Andere Geräte verbinden lassen?
    .body = Geräte in Ihrem Netzwerk können dann diese Liste öffnen, nachdem sie sich angemeldet haben. Die Daten werden unverschlüsselt übertragen. Tun Sie das daher nur in einem Netzwerk, dem Sie vertrauen.
    .yes = Verbinden lassen
ask-device-link = Ein weiteres Gerät anmelden?
    .body = { -ashore } zeigt einen Link. Das Gerät, das ihn zuerst öffnet, darf mit Ihren Downloads alles tun. Der Link gilt fünf Minuten.
ask-remove-machine = Rechner entfernen?
    .body = { $machine } kann nichts lesen, was von jetzt an geschrieben wird. Seine eigenen Downloads gehen weiter. Die Liste bekommt neue Wiederherstellungswörter, die danach angezeigt werden.
    .yes = Entfernen
ask-trust = Downloads ohne Rückfrage starten?
    .body = Downloads, die { $machine } an diesen Rechner sendet, starten dann sofort.
    .yes = Sofort starten
