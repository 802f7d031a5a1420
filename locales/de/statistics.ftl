statistics = Statistik
    .back = Zurück zur Liste
    .reading = { reading }
statistics-in-all = Insgesamt
    .about = Auch Downloads, die die Liste verlassen haben, werden gezählt.

statistics-received = empfangen
statistics-sent = { $amount } gesendet
statistics-arrived =
    { $count ->
        [one] Datei angekommen
       *[other] Dateien angekommen
    }
statistics-added = von { $count } hinzugefügten
statistics-succeeded = erfolgreich
statistics-nothing-ended = Noch ist nichts beendet
statistics-none-failed = Nichts fehlgeschlagen
statistics-failed = { $count } fehlgeschlagen
statistics-none = –

statistics-days = Die letzten { $count } Tage
    .about = Ein Download zählt für den Tag, an dem er hinzugefügt wurde.
    .choose = Was an jedem der letzten { $count } Tage ankam
statistics-day = Tag
statistics-today = Heute
statistics-whole = Alle diese Tage
statistics-nothing = Nichts wurde hinzugefügt
statistics-nothing-came = Von dem, was in diesen Tagen hinzugefügt wurde, ist nichts angekommen.
statistics-said = { $day }: { $what }
statistics-column-received = Empfangen
statistics-column-files = Angekommene Dateien
statistics-column-failed = Fehlgeschlagen

statistics-from = Hinzugefügt über
    .window = Dieses Fenster
    .command-line = Die Befehlszeile
    .feed = Feeds
    .clipboard = Die Zwischenablage
    .device = Andere Geräte
    .browser = Browser
    .program = Programme
statistics-empty = Noch nichts zu zählen
    .body = Nachdem Sie einen Download hinzugefügt haben, zeigt diese Seite, wie viele Daten für die Downloads jedes Tages empfangen wurden. Sie zeigt auch, wo Downloads hinzugefügt wurden, zum Beispiel in diesem Fenster oder in einem Browser.
