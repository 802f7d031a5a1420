sync = Synchronisierung
    .about = Eine Liste auf allen Ihren Rechnern, verschlüsselt und ohne Konto.
    .open = Öffnen
sync-is-off = Die Synchronisierung ist ausgeschaltet
sync-is-on = Die Synchronisierung ist eingeschaltet

sync-begin = Wie möchten Sie beginnen?
sync-way-server = Den Server auf diesem Rechner betreiben
    .about = Richtet eine neue Liste ein. Die anderen Rechner erreichen diesen in Ihrem Netz; wählen Sie daher einen, der oft eingeschaltet ist.
    .submit = Starten und einrichten
sync-way-link = Einen Link verwenden
    .about = Tritt der Liste eines anderen Rechners bei oder richtet auf einem Server eine neue ein.
    .submit = Weiter
sync-way-words = Mit 24 Wörtern wiederherstellen
    .about = Für eine Liste, die kein Rechner mehr hat. Sie brauchen die Adresse, die Nummer und die Wörter, die Sie aufgeschrieben haben.
    .submit = Wiederherstellen
sync-step = Schritt { $step } von { $count }
sync-go-back = Zurück
sync-name = Name dieses Rechners
    .hint = Zum Beispiel Laptop
    .about = Ihre anderen Rechner zeigen diesen Namen an.
sync-link = Link
    .joins = Mit diesem Link treten Sie der Liste eines anderen Rechners bei.
    .joins-list =
        { $past ->
            [one] Der Liste von { $machine } beitreten ({ n-downloads }, { $past } früherer)?
           *[other] Der Liste von { $machine } beitreten ({ n-downloads }, { $past } frühere)?
        }
    .sets-up = Mit diesem Link richten Sie auf einem Server eine neue Liste ein.
    .join = Der Liste beitreten
    .set-up = Liste einrichten
sync-address = Adresse des Servers
sync-number = Nummer
sync-working = Der Server wird kontaktiert…
sync-joined = Dieser Rechner ist der Liste beigetreten. Seine Downloads erscheinen auf Ihren anderen Rechnern.

sync-write-down = Die Synchronisierung ist eingeschaltet. Schreiben Sie diese 24 Wörter, die Adresse und die Nummer auf. Ohne sie lässt sich nichts wiederherstellen.
sync-write-down-new = { $machine } kann nichts Neues lesen. Schreiben Sie die neuen Wörter auf.
sync-words = Wörter zur Wiederherstellung
    .count = { $count } von 24 Wörtern
    .show = Die 24 Wörter anzeigen
    .explained = Wer diese Wörter, die Adresse und die Nummer hat, kann die Liste lesen. Bewahren Sie sie an einem sicheren Ort auf.
    .written = Ich habe sie aufgeschrieben

sync-state = Dieser Rechner
sync-last = Letzte Synchronisierung
    .never = Noch nicht
sync-reading = { $received } von { $total } gelesen
    .title = Erste Synchronisierung
sync-clock =
    .ahead = Die Uhr dieses Rechners geht { $time } vor. Die Synchronisierung verwendet die Uhr des Servers. Stellen Sie die Uhr dieses Rechners.
    .behind = Die Uhr dieses Rechners geht { $time } nach. Die Synchronisierung verwendet die Uhr des Servers. Stellen Sie die Uhr dieses Rechners.
sync-server = Server
sync-fingerprint = Fingerabdruck des Schlüssels
    .about = Er ist auf allen Rechnern dieser Liste derselbe. Vergleichen Sie ihn, wenn Sie bezweifeln, dass ein Rechner der richtigen beigetreten ist.
sync-now = Jetzt synchronisieren
    .running = Wird synchronisiert…
sync-done = Empfangen: { $received }. Gesendet: { $sent }.
sync-done-nothing = Alles war auf dem neuesten Stand.
sync-restored = Der Server hatte einen Teil der Liste verloren. Dieser Rechner hat ihn noch einmal gesendet.
sync-restoration =
    { $count ->
        [one] Der Server war auf den Stand vom { $day } zurückgefallen. { $count } verlorener Eintrag wurde von hier wiederhergestellt.
       *[other] Der Server war auf den Stand vom { $day } zurückgefallen. { $count } verlorene Einträge wurden von hier wiederhergestellt.
    }
    .emptied =
        { $count ->
            [one] Der Server hatte die Liste verloren. { $count } Eintrag wurde von hier wiederhergestellt.
           *[other] Der Server hatte die Liste verloren. { $count } Einträge wurden von hier wiederhergestellt.
        }
sync-since =
    .time = seit { $when } Uhr
    .weekday = seit { $when }
    .day = seit dem { $when }
sync-silent = Der Synchronisationsserver antwortet { $since } nicht mehr.
    .continues = { sync-silent } Hier geht alles weiter.
    .waiting =
        { sync-silent } { $count ->
            [one] Hier geht alles weiter; { $count } Änderung wartet.
           *[other] Hier geht alles weiter; { $count } Änderungen warten.
        }
sync-space = Der Server ist voll ({ $used } von { $total }).
    .waiting =
        { $count ->
            [one] Der Server ist voll ({ $used } von { $total }); { $count } Änderung wartet.
           *[other] Der Server ist voll ({ $used } von { $total }); { $count } Änderungen warten.
        }
sync-arrived = Ein anderer Rechner hat „{ $title }“ gesendet.
sync-waiting =
    { $count ->
        [one] { $count } Änderung wartet auf das Senden.
       *[other] { $count } Änderungen warten auf das Senden.
    }
sync-shared = Was geteilt wird
sync-column =
    .what = Art
    .here = Hier
    .there = Auf dem Server
    .waiting = Wartend
    .held = Nicht gelesen
sync-collection =
    .clients = Rechner
    .downloads = Downloads
    .parts = Lange Listen von Links
    .history = Frühere Downloads
    .settings = Einstellungen
    .sends = Downloads auf dem Weg
sync-held = Ein Eintrag wird nicht gelesen, wenn er auf dem Server verändert wurde, von einem neueren { -ashore } stammt oder einen Wert hat, den dieser Rechner ablehnt. Solche Einträge bleiben auf dem Server, wie sie sind.
sync-newer-machine = { $machine } hat ein neueres { -ashore }. Was dort in neuer Form geschrieben wurde, wartet, bis dieser Rechner aktualisiert ist; alles andere geht weiter.
clear-history = Alten Verlauf löschen…
clear-history-question = Frühere Downloads auf allen Rechnern vergessen?
    .about = Ihre Rechner melden dann nicht mehr, dass ein Link schon einmal geladen wurde. Kein Download und keine Datei wird entfernt.
    .choice = Zu vergessende frühere Downloads
    .month = Älter als 30 Tage
    .year = Älter als ein Jahr
    .all = Alle
    .submit = Vergessen
    .done = Frühere Downloads sind hier vergessen. Die anderen Rechner folgen mit ihrer nächsten Synchronisierung.
sync-off = Synchronisierung ausschalten…
sync-off-question = Synchronisierung auf diesem Rechner ausschalten?
    .body = Die Downloads und Dateien dieses Rechners bleiben. Die Downloads der anderen Rechner verschwinden aus diesem Fenster.
    .submit = Ausschalten
    .server = Der Server auf diesem Rechner läuft für die anderen weiter. Beenden Sie ihn in dieser Ansicht, wenn ihn kein Rechner braucht.

own-server = Dieser Rechner betreibt den Server
    .address = Adresse
    .runs = Der Server läuft.
    .stopped = Der Server läuft nicht.
    .asleep = Während dieser Rechner schläft oder ausgeschaltet ist, behalten die anderen Rechner ihre Änderungen und senden sie später.
    .firewall = Kann ein anderer Rechner ihn nicht erreichen, erlauben Sie in der Firewall dieses Rechners eingehende TCP-Verbindungen zum Port { $port }.
    .start = Starten
    .stop = Beenden…
own-server-question = Den Server beenden?
    .body = Ihre Rechner können erst wieder synchronisieren, wenn der Server läuft. Nichts wird gelöscht.
    .submit = Beenden

machines = Rechner
    .own = dieser Rechner
    .seen = Zuletzt gesehen: { $when }
    .trust = Seine Downloads ohne Rückfrage starten
    .trust-of = Downloads von { $machine } ohne Rückfrage starten
    .add = Rechner hinzufügen…
    .remove = Entfernen…
    .remove-of = { $machine } entfernen
machines-unseen = Nicht bekannt, wann zuletzt gesehen
machines-rename = Diesen Rechner umbenennen
    .open = Umbenennen…
    .submit = Umbenennen
machines-invite = Rechner hinzufügen
    .about = Öffnen Sie auf dem anderen Rechner die Synchronisierung, wählen Sie „{ sync-way-link }“, und geben Sie diesen Link ein.
    .link = Link
    .code = QR-Code des Links
    .copy = Link kopieren
    .until = Der Link gilt einmal, bis { $time }.
    .late = Der Link ist zu alt. Erzeugen Sie einen neuen.
    .again = Neuer Link

conflicts = Konflikte
    .about = Zwei Rechner haben gleichzeitig dasselbe geändert, und nur eine Änderung kann gelten. Die andere wird 30 Tage aufbewahrt.
    .yours = Ihr „{ $losing }“ unterlag „{ $winning }“.
    .theirs = „{ $losing }“ von { $machine } unterlag „{ $winning }“.
    .removed = { $machine } hat den Download geändert, während ein anderer Rechner ihn entfernte. Er ist entfernt.
    .removed-by = { $machine } hat den Download geändert, während { $remover } ihn entfernte. Er ist entfernt.
    .removed-yours = Dieser Rechner hat den Download geändert, während { $remover } ihn entfernte. Er ist entfernt.
    .removed-here = { $machine } hat den Download geändert, während dieser Rechner ihn entfernte. Er ist entfernt.
    .kept = In der gemeinsamen Liste stand dieser Download nicht mehr, aber dieser Rechner hatte ihn noch. Der Download bleibt an beiden Stellen.
    .request = Die Links von { $machine } unterlagen anderen Links.
    .take-value = „{ $value }“ übernehmen
    .keep-value = „{ $value }“ behalten
    .take-links = Links von { $machine } übernehmen
    .keep-links = Andere Links behalten
    .fetch = Hier laden
    .keep-removed = Nicht wieder aufnehmen
    .remove = Entfernen
    .keep-download = Behalten
    .action-on = { $action }: { $title }
conflict-field =
    .title = Name
    .requested = Anhalten oder fortsetzen
    .home = Rechner
    .request = Links
    .removed = Entfernen
    .choice = Einstellung
conflict-value =
    .run = fortsetzen
    .paused = anhalten
    .removed = entfernen
    .default = die Voreinstellung
    .on = ein
    .off = aus

others = Andere Rechner
    .short = Andere Rechner
    .empty = Die anderen Rechner haben keine Downloads
    .empty-about = Downloads, die Sie dort hinzufügen, erscheinen hier. Sie können sie dort anhalten oder hier laden.
    .running = { $machine } lädt ihn
    .paused = Angehalten auf { $machine }
    .queued = In der Warteschlange von { $machine }
    .done = Fertig auf { $machine }
    .failed = Fehlgeschlagen auf { $machine }: { $why }
    .failed-plain = Fehlgeschlagen auf { $machine }
    .incomplete = Wird hier nur angezeigt, weil er zu viele Links hat
others-requested =
    .run = Fortsetzen angefordert
    .paused = Anhalten angefordert
    .removed = Entfernen angefordert
others-action =
    .pause = Dort anhalten
    .resume = Dort fortsetzen
    .fetch = Auch hier laden
    .move = Hierher holen
    .remove = Dort entfernen…
others-more = { $count } weitere anzeigen
others-remove-question = Von { $machine } entfernen?
    .body = { $machine } entfernt den Download bei der nächsten Synchronisierung aus der eigenen Liste. Dateien, die dort vollständig sind, bleiben.
    .submit = Dort entfernen
others-fetched = Dieser Rechner lädt „{ $title }“ ebenfalls.
others-moved = Dieser Rechner macht mit „{ $title }“ weiter. { $machine } hält ihn an.

send-to = Senden an…
    .many = { n-downloads-object } senden an…
    .question = An einen anderen Rechner senden
    .about = Der andere Rechner lädt selbst. Hier ändert sich nichts. Anmeldungen und Cookies werden nicht gesendet.
    .sent = „{ $title }“ wurde an { $machine } gesendet.
    .sent-many = { n-downloads-object } an { $machine } gesendet.
    .alone = Der andere Rechner lädt selbst, in seinen eigenen Ordner. Anmeldungen und Cookies werden nicht gesendet.
    .on = Laden auf
    .here = Dieser Rechner
    .gone = { $machine } ist nicht mehr in der Liste. Wählen Sie einen anderen Rechner.
sends = An andere Rechner gesendet
    .missed = Auf diesem Rechner verpasst
sends-state =
    .waiting = { $machine } hat ihn noch nicht abgeholt
    .delivered = An { $machine } zugestellt
    .refused = { $machine } hat ihn nicht angenommen
    .expired = { $machine } war 30 Tage lang nicht an; das wurde nicht zugestellt.
    .missed = Von { $machine } gesendet, als dieser Rechner 30 Tage lang aus war. Er lässt sich von dort noch einmal senden.
sent-by = { $machine } hat dies gesendet
    .start = Beginnen
    .always = Downloads, die { $machine } sendet, immer beginnen
add-past = { $machine } hat dies am { $day } geladen.
    .title = { $machine } hat „{ $title }“ am { $day } geladen.
