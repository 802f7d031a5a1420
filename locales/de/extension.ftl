extension-name = { -ashore }: Download-Manager
extension-description = Übergibt Downloads des Browsers an { -ashore }. Der Browser behält jeden Download, bis { -ashore } die Datei hat.

extension-menu =
    .link = Link mit { -ashore } herunterladen
    .image = Bild mit { -ashore } herunterladen
    .media = Mediendatei mit { -ashore } herunterladen
    .selection = Links der Auswahl mit { -ashore } herunterladen…
    .page = Alle Links mit { -ashore } herunterladen…

extension-state =
    .running = Verbunden
    .idle = Verbunden. { -ashore } startet mit dem nächsten Download.
    .missing = { -ashore } wurde nicht gefunden
    .missing-cure = Installieren Sie { -ashore }, und verbinden Sie diesen Browser in dessen Einstellungen. Bis dahin bleiben alle Downloads beim Browser.

extension-pair = Diesen Browser koppeln
    .why = Wenn dieser Browser aus Flatpak oder Snap stammt, geben Sie den Code ein, den { -ashore } in seinen Einstellungen unter „{ settings-browsers }“ zeigt.
    .code = Code aus { -ashore }
    .wrong = Ein Code hat acht Buchstaben und Ziffern. Geben Sie ihn erneut ein.
    .absent = { -ashore } antwortet nicht. Schalten Sie „{ setting-browser-channel }“ in seinen Einstellungen ein, und erzeugen Sie einen neuen Code.
    .closed = Dieser Browser ist mit { -ashore } gekoppelt, aber { -ashore } antwortet nicht. Starten Sie { -ashore }.

extension-site = Downloads dieser Website dem Browser überlassen
extension-site-refused = { -ashore } konnte die letzten zwei Downloads von { $site } nicht übernehmen. Sie bleiben bis zum { $date } beim Browser.
extension-site-again = { -ashore } wieder verwenden
extension-bypass = Ein Klick auf einen Link mit gedrückter Alt-Taste überlässt den Download dem Browser.
extension-bypass-access = Die Alt-Taste wirkt, sobald der Zugriff auf alle Websites erlaubt ist.

extension-kept = Dem Browser überlassen: { $name }
extension-why =
    .type = Seiten, Skripte und Stile bleiben beim Browser.
    .ending = Dateien mit dieser Endung bleiben beim Browser.
    .small = Die Datei ist kleiner als die Grenze in den Einstellungen.
    .method = Die Seite hat ein Formular gesendet, und Formulare werden nicht wiederholt.
    .encoded = Der Server komprimiert diese Datei, daher lässt sich ihre Größe nicht vergleichen.
    .danger = Der Browser warnt vor dieser Datei. Dort entscheiden Sie, ob Sie sie behalten.
    .scheme = Die Seite hat diese Datei selbst erzeugt.
    .extension = Eine andere Erweiterung hat diesen Download gestartet.
    .menu-only = Downloads werden nur über das Menü übergeben.
    .bypass = Die Alt-Taste war gedrückt.
    .site = Downloads dieser Website bleiben beim Browser.
    .site-refused = { -ashore } konnte die letzten zwei Downloads dieser Website nicht übernehmen.
    .no-access = Ohne Zugriff auf alle Websites lässt sich diese Datei nicht vergleichen.
    .no-head = Der Browser hat die Antwort des Servers nicht gemeldet, daher lässt sich diese Datei nicht vergleichen.
    .too-many = Ohne Klick sind innerhalb einer Minute mehr als 10 Downloads dieser Website oder insgesamt 30 gestartet.
    .received = Der Browser hatte die ganze Datei schon empfangen, bevor { -ashore } antwortete.
    .host = { -ashore } wurde nicht gefunden. Installieren Sie es, und verbinden Sie diesen Browser in dessen Einstellungen.
    .failed = Die Verbindung zu { -ashore } endete ohne Antwort.
    .silent = { -ashore } hat nicht rechtzeitig geantwortet.
    .no-links = Diese Seite enthält keine lesbaren Links.
    .links-left-out = Die Seite hat zu viele Links für eine Nachricht, daher fehlen die letzten.
    .unknown = { -ashore } hat keinen Grund genannt. Aktualisieren Sie { -ashore } und diese Erweiterung.

extension-all-links = Alle Links hinzufügen…
extension-media = Medien auf dieser Seite
extension-media-stream = Liste eines Streams
extension-media-add = { $name } hinzufügen
extension-added = Hinzugefügt

extension-mode =
    .automatic-hint = Angeklickte Dateien gehen an { -ashore }, wenn es dieselbe Datei erhält.
    .menu-hint = Klicken Sie mit der rechten Maustaste auf einen Link, und wählen Sie { -ashore }. Alles andere bleibt beim Browser.
extension-least =
    .hint = In MiB. Kleinere Dateien bleiben beim Browser, denn er lädt sie sofort herunter.
extension-sites =
    .remove = { -ashore } wieder für { $site } verwenden
    .add = Website hinzufügen, zum Beispiel example.com
    .trouble = Das ist nicht der Name einer Website.
extension-access = Zugriff auf alle Websites
    .given = Erlaubt. { -ashore } erhält auch Dateien von Websites, auf denen Sie angemeldet sind.
    .missing = Nicht erlaubt. { -ashore } kann keine Dateien von Websites erhalten, auf denen Sie angemeldet sind.
    .allow = Zugriff erlauben
    .revoke = Zugriff entziehen
extension-connection = Verbindung
    .version = { -ashore } { $version }

extension-welcome = Downloads gehen jetzt an { -ashore }
    .body = Klicken Sie wie immer auf einen Link. Der Browser behält seinen Download, bis { -ashore } dieselbe Datei hat. So geht kein Download verloren.
extension-welcome-access = Zugriff auf alle Websites erlauben?
    .why = { -ashore } lädt dann mit Ihren Cookies herunter. So senden ihm Websites, auf denen Sie angemeldet sind, dieselbe Datei wie dem Browser.
    .what = Die Erweiterung liest den Kopf jeder Antwort und die Cookies eines Downloads, und sie erkennt Klicks mit der Alt-Taste. Sie liest keine Seiten und sendet Daten nur an { -ashore } auf diesem Computer.
    .without = Ohne Zugriff werden Downloads nur über das Menü übergeben.
    .given = Der Zugriff ist erlaubt. Alles ist bereit.
    .refused = Der Zugriff lässt sich später in den Einstellungen dieser Erweiterung erlauben.
