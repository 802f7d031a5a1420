add = Hinzufügen
add-hint = Downloads hinzufügen (Strg+N)
add-title = Downloads hinzufügen
add-links = Links
    .hint = https://…  einer in jeder Zeile
add-folder = Ordner
    .hint = Ihr Ordner für Downloads
add-name = Dateiname
    .hint = Vom Server übernommen
add-set-title = Titel
    .hint = Von den Dateien übernommen
add-checksum = Prüfsumme
    .hint = sha-256=… (wenn vorhanden)
add-checksum-trouble = Eine Prüfsumme sieht so aus: sha-256= und dahinter 64 Ziffern und Buchstaben von a bis f.
add-together = Hinzufügen als
add-one-set = Eine Gruppe
add-one-each = Je einer
add-start = Beginn
add-now = Jetzt
add-next = Als Nächstes
add-later = Später (angehalten)
add-submit =
    { $count ->
        [one] Hinzufügen
       *[other] { $count } Links hinzufügen
    }
add-progress = { $added } von { $count } hinzugefügt
add-understood =
    { $count ->
        [one] 1 Link verstanden
       *[other] { $count } Links verstanden
    }
add-misunderstood =
    { $count ->
        [one] 1 Zeile nicht
       *[other] { $count } Zeilen nicht
    }
add-none-understood =
    { $count ->
        [one] Diese Zeile ist kein Link
       *[other] Keine dieser Zeilen ist ein Link
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
add-wants-sign-in = Der Server verlangt eine Anmeldung. Tragen Sie sie unten ein, oder verwenden Sie einen Link, der die Erlaubnis mitbringt.
add-unsized = Der Server sagt nicht, wie groß sie ist
add-resumes = kann nach einer Unterbrechung weitergehen
add-begins-anew = beginnt nach einer Unterbrechung von vorn

add-answer-gone = Die Antwort des Servers ist abgelaufen. Beim Hinzufügen fragt { -ashore } den Server noch einmal.
add-is-there = Dieser Link ist schon in der Liste
add-is-there-otherwise = Ein Link zum selben Ziel ist schon in der Liste
add-are-all-there = Alle diese Links sind schon in der Liste
add-are-there =
    { $count ->
        [one] 1 dieser Links ist schon in der Liste
       *[other] { $count } dieser Links sind schon in der Liste
    }
add-are-unfinished =
    { $count ->
        [one] 1 davon ist unfertig und kann mit diesem Link fortgesetzt werden
       *[other] { $count } davon sind unfertig und können mit diesen Links fortgesetzt werden
    }
add-repeat = Was damit geschehen soll
add-go-on = Den vorhandenen fortsetzen
add-go-on-many = Unfertige fortsetzen
add-skip = Auslassen
add-again = Erneut herunterladen
add-taken = Im Ordner gibt es schon { $name }; das bleibt so. Die neue Datei bekommt eine Zahl hinter ihren Namen.

add-along = Anmeldung, Cookies und Kopfzeilen
add-user = Benutzername
add-password = Passwort
add-keep = Anmeldung und Cookies im Schlüsselbund aufbewahren
add-cookies = Cookies
    .hint = Name=Wert; anderer=Wert, oder die Zeilen einer cookies.txt
add-headers = Kopfzeilen
    .hint = Name: Wert
add-headers-trouble = Zeile { $line } der Kopfzeilen ist keine. Eine Kopfzeile sieht so aus: Name: Wert.

add-list-too-large = Diese Datei ist zu groß für eine Liste von Links. Eine lange Liste lässt sich so hinzufügen: ashore add -i FILE.

new-link = Neuer Link
new-folder = Anderer Ordner
relink = Neuer Link…
relink-question = Mit einem anderen Link weitermachen?
    .body = { -ashore } vergleicht die angefangene Datei mit der Datei des neuen Links. Unterscheiden sie sich, beginnt der Download von vorn.
    .link = Neuer Link zu derselben Datei
    .submit = Diesen Link verwenden
    .open = Seite im Browser öffnen
    .open-about = Öffnen Sie die Seite des Links, und klicken Sie dort auf die Datei. Der Download geht dann weiter, wenn die Erweiterung Zugriff auf alle Websites hat und jeden Klick übergibt.

action-anyway = Trotzdem laden
action-free-space = Platz schaffen
action-sign-in = Anmelden
sign-in-question = Anmelden und noch einmal versuchen?
    .body = { $host } verlangt eine Anmeldung. Benutzername und Passwort gehen nur an diesen Server.
    .submit = Anmelden
