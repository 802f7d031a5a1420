add = Hinzufügen
add-hint = Links hinzufügen (Strg+N)
add-title = { empty.action }
add-links = Links
    .hint = Links einfügen, einen pro Zeile
add-folder = Ordner
    .hint = Ihr Ordner für Downloads
add-name = Dateiname
    .hint = Automatisch
add-set-title = Name
    .hint = Automatisch
add-checksum = Prüfsumme
    .hint = sha-256=… (wenn vorhanden)
add-checksum-trouble = Eine Prüfsumme sieht so aus: sha-256= und dahinter 64 Ziffern und Buchstaben von a bis f.
add-together = Gruppieren
add-one-set = Eine Gruppe
add-one-each = Einzeln
add-start = Beginn
add-now = Jetzt
add-next = Als Nächstes
add-later = Angehalten hinzufügen
add-submit =
    { $count ->
        [one] Hinzufügen
       *[other] { $count } Links hinzufügen
    }
add-progress = { $added } von { $count } hinzugefügt
add-understood =
    { $count ->
        [one] 1 Link gefunden
       *[other] { $count } Links gefunden
    }
add-misunderstood =
    { $count ->
        [one] 1 Zeile übersprungen
       *[other] { $count } Zeilen übersprungen
    }
add-none-understood =
    { $count ->
        [one] Kein Link gefunden
       *[other] Keine Links gefunden
    }
add-line-number = Zeile { $number }
add-link-count =
    { $count ->
        [one] 1 Link
       *[other] { $count } Links
    }
add-from-to = { $first } bis { $last }
add-signs-in = mit Anmeldung
add-and-more = und { $count } weitere
add-partly = { add-partly-added } { add-partly-left } { $text }
add-partly-added =
    { $added ->
        [one] 1 Link wurde hinzugefügt.
       *[other] { $added } Links wurden hinzugefügt.
    }
add-partly-left =
    { $count ->
        [one] Der hier verbliebene nicht:
       *[other] Die { $count } hier verbliebenen nicht:
    }

add-asking = Der Server wird gefragt…
add-wants-sign-in = Anmeldung erforderlich. Geben Sie Benutzername und Passwort ein.
add-unsized = Größe unbekannt
add-resumes = Fortsetzen möglich
add-begins-anew = Fortsetzen nicht möglich

add-answer-gone = Die Antwort des Servers ist abgelaufen. { -ashore } fragt ihn erneut.
add-is-there = Schon in Ihrer Liste
add-is-there-otherwise = Sieht aus wie ein Download, den Sie schon haben
add-are-all-there = Alle diese Links sind schon in Ihrer Liste
add-are-there =
    { $count ->
        [one] 1 dieser Links ist schon in Ihrer Liste
       *[other] { $count } dieser Links sind schon in Ihrer Liste
    }
add-are-unfinished =
    { $count ->
        [one] 1 kann mit diesem Link fortgesetzt werden
       *[other] { $count } können mit diesen Links fortgesetzt werden
    }
add-repeat = Duplikate
add-go-on = Vorhandenen fortsetzen
add-go-on-many = Unfertige fortsetzen
add-skip = Überspringen
add-again = Erneut herunterladen
add-taken = „{ $name }“ ist schon vorhanden. Die neue Datei wird nummeriert.

add-along = Anmeldung, Cookies und Kopfzeilen
add-user = Benutzername
add-password = Passwort
add-keep = Im Schlüsselbund speichern
add-cookies = Cookies
    .hint = Name=Wert; anderer=Wert, oder die Zeilen einer cookies.txt
add-headers = Kopfzeilen
    .hint = Name: Wert
add-headers-trouble = Kopfzeile { $line } ist nicht gültig. Schreiben Sie Name: Wert.

add-list-too-large = Diese Datei ist zu groß. Verwenden Sie ashore add -i FILE.

new-link = Link ersetzen
new-folder = Ordner ändern…
relink = Link ersetzen…
relink-question = Mit einem anderen Link weitermachen?
    .body = Die angefangene Datei bleibt erhalten, wenn der neue Link zu derselben Datei führt. Sonst beginnt der Download von vorn.
    .link = Neuer Link zu derselben Datei
    .submit = Diesen Link verwenden
    .open = Seite im Browser öffnen
    .open-about = Öffnen Sie die Seite des Links, und klicken Sie dort auf die Datei. Der Download geht dann weiter, wenn die Erweiterung Zugriff auf alle Websites hat und jeden Klick übergibt.

action-anyway = Trotzdem laden
action-free-space = Ordner öffnen
action-sign-in = Anmelden
sign-in-question = Anmelden und noch einmal versuchen?
    .body = Benutzername und Passwort werden nur an { $host } gesendet.
    .submit = Anmelden
