add = Hinzufügen
add-hint = Downloads hinzufügen (Strg+N)
add-title = Downloads hinzufügen
add-links = Links
    .hint = https://…  einer in jeder Zeile
add-folder = Ordner
    .hint = Ihr Ordner für Downloads
add-name = Titel
    .hint = Von der Datei übernommen
    .hint-set = Von den Dateien übernommen
add-checksum = Prüfsumme
    .hint = sha-256=… (wenn vorhanden)
add-checksum-trouble = Eine Prüfsumme sieht so aus: sha-256= und dahinter 64 Ziffern und Buchstaben von a bis f.
add-together = Hinzufügen als
add-one-set = Eine Gruppe
add-one-each = Je einer
add-start = Beginn
add-now = Jetzt
add-later = Später
add-submit =
    { $count ->
        [one] Hinzufügen
       *[other] { $count } Links hinzufügen
    }
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
