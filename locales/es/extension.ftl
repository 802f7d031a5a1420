extension-name = { -ashore }: gestor de descargas
extension-description = Entrega las descargas del navegador a { -ashore }. El navegador conserva cada descarga hasta que { -ashore } tiene el archivo.

extension-menu =
    .link = Descargar el enlace con { -ashore }
    .image = Descargar la imagen con { -ashore }
    .media = Descargar el archivo multimedia con { -ashore }
    .selection = Descargar los enlaces de la selección con { -ashore }…
    .page = Descargar todos los enlaces con { -ashore }…

extension-state =
    .running = Conectado
    .idle = Conectado. { -ashore } se inicia con la próxima descarga.
    .missing = No se encontró { -ashore }
    .missing-cure = Instale { -ashore } y conecte este navegador en sus ajustes. Hasta entonces, todas las descargas quedan en el navegador.

extension-pair = Vincular este navegador
    .why = Si este navegador es de Flatpak o snap, introduzca el código que { -ashore } muestra en sus ajustes, en «{ settings-browsers }».
    .code = Código de { -ashore }
    .wrong = Un código tiene ocho letras y cifras. Introdúzcalo de nuevo.
    .absent = { -ashore } no responde. Active «{ setting-browser-channel }» en sus ajustes y cree un código nuevo.
    .closed = Este navegador está vinculado con { -ashore }, pero { -ashore } no responde. Inicie { -ashore }.

extension-site = Dejar las descargas de este sitio al navegador
extension-site-refused = { -ashore } no pudo recibir las dos últimas descargas de { $site }. Quedan en el navegador hasta el { $date }.
extension-site-again = Volver a usar { -ashore }
extension-bypass = Mantenga pulsada la tecla Alt al hacer clic en un enlace para dejar su descarga al navegador.
extension-bypass-access = La tecla Alt funciona cuando se permite el acceso a todos los sitios.

extension-kept = Se dejó al navegador: { $name }
extension-why =
    .type = Las páginas, los scripts y los estilos quedan en el navegador.
    .ending = Los archivos con esta extensión quedan en el navegador.
    .small = El archivo es menor que el límite de los ajustes.
    .method = La página envió un formulario, y los formularios no se repiten.
    .encoded = El servidor comprime este archivo, así que su tamaño no se puede comparar.
    .danger = El navegador advierte sobre este archivo, así que usted decide allí si lo conserva.
    .scheme = La página creó este archivo por sí misma.
    .extension = Otra extensión inició esta descarga.
    .menu-only = Las descargas solo se entregan desde el menú.
    .bypass = La tecla Alt estaba pulsada.
    .site = Las descargas de este sitio se dejan al navegador.
    .site-refused = { -ashore } no pudo recibir las dos últimas descargas de este sitio.
    .no-access = Sin acceso a todos los sitios, este archivo no se puede comparar.
    .no-head = El navegador no comunicó la respuesta del servidor, por lo que este archivo no se puede comparar.
    .too-many = En un minuto se iniciaron sin un clic más de 10 descargas de este sitio, o 30 en total.
    .received = El navegador ya había recibido el archivo completo antes de que { -ashore } respondiera.
    .host = No se encontró { -ashore }. Instálelo y conecte este navegador en sus ajustes.
    .failed = La conexión con { -ashore } terminó sin respuesta.
    .silent = { -ashore } no respondió a tiempo.
    .no-links = Esta página no contiene enlaces que se puedan leer.
    .links-left-out = La página tiene demasiados enlaces para un solo mensaje, por lo que faltan los últimos.
    .unknown = { -ashore } no indicó ningún motivo. Actualice { -ashore } y esta extensión.

extension-all-links = Añadir todos los enlaces…
extension-media = Archivos multimedia de esta página
extension-media-stream = Lista de una transmisión
extension-media-add = Añadir { $name }
extension-added = Añadido

extension-mode =
    .automatic-hint = Los archivos en los que hace clic van a { -ashore }, si recibe el mismo archivo.
    .menu-hint = Haga clic derecho en un enlace y elija { -ashore }. Todo lo demás queda en el navegador.
extension-least =
    .hint = En MiB. Los archivos menores quedan en el navegador, porque los descarga al instante.
extension-sites =
    .remove = Volver a usar { -ashore } para { $site }
    .add = Añadir un sitio, como example.com
    .trouble = Este no es el nombre de un sitio.
extension-access = Acceso a todos los sitios
    .given = Permitido. { -ashore } recibe archivos de los sitios en los que inició sesión.
    .missing = No permitido. { -ashore } no puede recibir archivos de los sitios en los que inició sesión.
    .allow = Permitir el acceso
    .revoke = Retirar el acceso
extension-connection = Conexión
    .version = { -ashore } { $version }

extension-welcome = Las descargas van ahora a { -ashore }
    .body = Haga clic en un enlace como siempre. El navegador conserva su descarga hasta que { -ashore } tiene el mismo archivo, así que no se pierde ninguna descarga.
extension-welcome-access = ¿Permitir el acceso a todos los sitios?
    .why = { -ashore } descarga entonces con sus cookies, para que los sitios en los que inició sesión le envíen el mismo archivo que al navegador.
    .what = La extensión lee la cabecera de cada respuesta y las cookies de una descarga, y reconoce los clics con la tecla Alt. No lee páginas, y solo envía datos a { -ashore } en este equipo.
    .without = Sin acceso, las descargas se entregan solo desde el menú.
    .given = El acceso está permitido. Todo está listo.
    .refused = Puede permitir el acceso más adelante en los ajustes de esta extensión.
