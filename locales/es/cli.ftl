cli-state =
    .pending = pendiente
    .running = en curso
    .waiting = en espera
    .paused = en pausa
    .done = terminada
    .aborted = cancelada
    .failed = fallida

cli-column =
    .id = ID
    .state = ESTADO
    .progress = HECHO
    .size = TAMAÑO
    .title = TÍTULO
    .used = USADO
    .most = DE
    .files = ARCHIVOS
    .owner = PARA
    .added = NUEVOS
    .succeeded = HECHOS
    .failed = FALLIDOS
    .retried = REPETIDOS
    .speed = VELOCIDAD
    .left = FALTA

cli-queued = espera su turno
cli-everything-paused = todo está en pausa; `ashore resume` lo reanuda
cli-next-try = { $why } Próximo intento a las { $time }
cli-redirected = redirigido a { $url }
cli-under-way = en curso
cli-milliseconds = { $count } ms
cli-unknown-time = un momento desconocido
cli-optional = opcional
cli-no-file = no llegó ningún archivo
cli-checked =
    .digest = suma de comprobación correcta ({ $kind })
    .digest-of-unknown-kind = suma de comprobación correcta
    .on-resume = longitud correcta, comparado al reanudar
    .size-unknown = longitud desconocida, sin suma de comprobación con la que comparar
    .unverified = longitud correcta, sin verificar: no hay suma de comprobación con la que comparar
    .none = sin comprobar

cli-list-empty = { nothing-all } Añada algo con `ashore add URL`.
cli-all-paused = Todo está en pausa.
cli-paused = En pausa.
cli-all-resumed = Todo continúa.
cli-resumed = Reanudada.
cli-cancelled = Cancelada. Los archivos completos se conservan.
cli-relinked = El enlace se ha sustituido. La descarga se reanuda con el nuevo enlace y conserva sus bytes.
cli-ended-already = Esta descarga ya había acabado; no se cambió nada.
cli-folder-changed = Los archivos están ahora en { $path }.
cli-nothing-to-retry = En esta descarga no ha fallado nada.
cli-retried =
    { $count ->
        [one] Se vuelve a intentar un archivo.
        [many] Se vuelven a intentar { $count } de archivos.
       *[other] Se vuelven a intentar { $count } archivos.
    }
cli-removed = Quitada de la lista.
cli-first = Esta descarga es la siguiente.
cli-moved = Movida.
cli-changed = Cambiada.
cli-nothing-runs = No hay ningún programa en marcha que lo descargue ahora: abra la ventana o inicie `ashore serve`.
cli-still-paused = Todo está en pausa, así que no se descarga nada. `ashore resume` sin identificador reanuda todo.
cli-watch-more = y { $count } más
cli-watch-end = Ctrl-C cierra esta vista. Las descargas continúan.

cli-field =
    .id = id
    .own-name = nombre propio
    .owner = pedido por
    .state = estado
    .failure = motivo
    .folder = carpeta
    .page = página
    .created = creada
    .settled = acabada
    .expires = queda hasta

cli-added = { $links } en la lista, como { $downloads }.
cli-add-moved = Esto ya está en la lista. Ahora es lo primero; --again lo añade otra vez.
    .some = Algunos de estos enlaces ya estaban en la lista. Ahora son los primeros; --again los añade otra vez.
cli-add-running = Esto ya está en curso. --again lo añade otra vez.
    .some = Algunos de estos enlaces ya están en curso. --again los añade otra vez.
cli-add-netrc = El archivo netrc lo lee el { -ashore } que descarga. Indíquelo en los ajustes: netrc = "~/.netrc".
cli-add-stopped = Lo que { $list } contiene antes de la línea { $line } está en la lista: { $links }, como { $downloads }. El resto no.
cli-add-continue = Continúe desde ahí con: { $command }

cli-get-options-unused = Otro { -ashore } descarga esto y valen sus ajustes: --parallel y --connections no tienen efecto.
cli-get-removed = Esta descarga se quitó de la lista.
cli-get-known = Esto ya está en la lista y no está terminado. Se continúa con ello.
cli-get-others =
    { $count ->
        [one] Otra descarga aún no está terminada. `ashore serve` continúa con la lista.
        [many] Otros { $count } de descargas aún no están terminadas. `ashore serve` continúa con la lista.
       *[other] Otras { $count } descargas aún no están terminadas. `ashore serve` continúa con la lista.
    }
cli-get-summary = { $files }, { $size }, en { $path }
cli-get-stopped = Detenido; se conserva todo lo recibido ({ $size }).
    .next = Continúe con `{ $get }`, o en segundo plano con `{ $serve }`.
cli-get-left = La descarga continúa sin usted.
    .next = Sígala con `{ $get }`, deténgala con `{ $pause }`.

cli-serve-ready = { -ashore } está listo y trabaja en { $path }. Ctrl-C lo detiene; se conserva todo.
    .short = { -ashore } está listo.
cli-serve-remote = Otros dispositivos pueden abrir { $url }
cli-serve-plain = Toda la red puede leer el tráfico con otros dispositivos, porque no tiene TLS. Use un proxy con TLS y --public-url.
cli-serve-stopped = Detenido; se conserva todo.
cli-healthy = { -ashore } está en marcha y listo.
    .not = { -ashore } no está listo en { $place } ({ $why }). Inícielo o mire su registro.
cli-serve-kept = { $id } sigue en la lista aunque su tiempo ha pasado: { $why }
    .all = Las descargas acabadas siguen por ahora en la lista: { $why }

cli-password-of = Contraseña de { $user } en { $server }:
cli-token-for = Token para { $server }:
cli-signed-in =
    .system = Sesión iniciada en { $server }. La guarda el llavero; `ashore sign-out { $server }` la olvida.
    .file = Sesión iniciada en { $server }. Aquí no funciona ningún llavero, así que se guarda en un archivo que solo usted puede leer; `ashore sign-out { $server }` la olvida.
    .memory = Sesión iniciada en { $server } mientras este { -ashore } esté en marcha.
cli-sign-in-of-link = El nombre y la contraseña del enlace se guardan para { $server }, y no en la lista; `ashore sign-out { $server }` los olvida.
cli-signed-out = Olvidado.
    .unknown = No había nada guardado para este servidor.
cli-no-sign-ins = No hay nada guardado para ningún servidor. Inicie sesión con `ashore sign-in URL --user NAME`.
cli-kept-in =
    .system = llavero
    .file = archivo
    .memory = memoria
cli-cookies-unusable = Ninguna de las cookies de { $path } se puede usar. Puede que hayan caducado.

cli-limit-set =
    .all = Todo junto está limitado a { $speed }.
    .host = Todo lo de { $host } está limitado a { $speed }.
    .download = Esta descarga está limitada a { $speed }.
cli-limit-removed =
    .all = Todo junto no tiene un límite propio.
    .host = Lo de { $host } no tiene un límite propio.
    .download = Esta descarga no tiene un límite propio.
cli-no-limits = No hay límites. `ashore limit 2M` limita todo junto a 2 MiB por segundo.
cli-limit-of =
    .all = todo
    .host = de { $host }

cli-quota-set = En la lista puede haber { $amount } de { $owner }.
cli-quota-removed = No hay ninguna cuota para { $owner }.
cli-no-quotas = No hay límites ni contenido. `ashore quota command-line 10G` pone una cuota.
cli-everybody = todos

cli-statistics-empty = Nunca se ha añadido nada. Añada algo con `ashore add URL`.
cli-statistics =
    .all = en total
    .window = ventana
    .command-line = línea de órdenes
    .feed = canales
    .clipboard = portapapeles
    .device = otros dispositivos
    .browser = navegadores
    .program = programas

cli-not-default = no es el valor predeterminado

cli-exported = Guardado en { $path }: { $downloads }, { $files }.
    .pipe = Guardado: { $downloads }, { $files }.
cli-imported = Incorporado: { $downloads }, { $files }. Lo que no está terminado está en pausa: `ashore resume` lo continúa.
cli-import-skipped = Entradas que no se pueden importar, como torrents y enlaces FTP: { $count }.

cli-find-nothing = Ninguna descarga sin acabar se llama { $name }.
cli-match-nothing = Ningún archivo de esta descarga tiene este enlace.
cli-acknowledged = Confirmado.
    .unknown = Este aviso de fin no está pendiente; no se cambió nada.
cli-cleared = Quitado de la lista: { $count } de { $owner }.
cli-reset = Cancelado: { $count } de { $owner }.
cli-owner-removed = Eliminado, con todo lo que pidió este propietario. Los archivos completos se conservan.
cli-queue-stats = total { $total }, logrados { $successes }, fallidos { $failures }

cli-doctor =
    .list = lista
    .holder = en uso por
    .copy = copia
    .file = archivo
    .step = paso
    .gate = condición
    .setting = ajuste
    .folder = carpeta
    .partial = parcial
    .orphan = huérfano
    .repaired = reparado
    .counter = contador
cli-doctor-list = { $path } (versión { $version }): { $state }
cli-doctor-sound = bien
cli-doctor-nobody = nadie
cli-doctor-partial = { $path } ({ $size }, de { $id })
cli-doctor-orphan = { $path } ({ $size }, de { $url })
cli-doctor-orphans = Un huérfano es un archivo parcial que no figura en la lista. Se conserva hasta que usted lo elimine; `ashore adopt` continúa con él.
cli-doctor-repair = Algunos contadores no concuerdan con las descargas que cuentan. `ashore doctor --repair` los vuelve a calcular.
cli-doctor-contradiction = Algunos registros se contradicen y no se puede probar cuál es el correcto. Compare los archivos con su origen, o quite las descargas y añádalas de nuevo.
cli-doctor-damage = El daño se encontró el { $moment }: { $why }.
    .undated = El daño: { $why }.
cli-adopt-nothing = No hay ningún archivo parcial sin descarga que se pueda continuar.

cli-gate =
    .bootstrap = primer inicio
    .paused = pausa
    .asleep = suspensión
    .hours = horario
    .offline = red
    .captive-portal = acceso a la red
    .metered = coste de la red
    .battery = batería
    .in-use = en uso
    .disk = espacio
    .folder = carpeta
    .quota = cuota
cli-gate-state =
    .open = abierta
    .closed = cerrada
    .unknown = desconocida

cli-step =
    .data-folder = carpeta de datos
    .ledger = lista
    .defaults = valores iniciales
    .download-folder = carpeta de descargas
    .keychain = llavero
    .notifications = notificaciones
cli-step-state =
    .done = hecho
    .not-available = no disponible aquí ({ $why })
    .failed = ha fallado y se repite ({ $why })
    .due = pendiente del próximo inicio

cli-miscount =
    .counters = { $name }: los contadores no son los de sus archivos
    .lanes = { $name }: la cola no es la de sus archivos, así que puede esperar sin motivo
    .usage = { $name }: los bytes y archivos que cuentan para su cuota no son los de sus descargas
    .name = { $name }: si el nombre está ocupado no concuerda con el estado
    .unsettled = { $name }: no queda nada por hacer y no está terminada
    .digest = { $name }: un archivo completo tiene una suma de comprobación distinta de la que dice su archivo de sumas
    .response = { $name }: un archivo está completo sin un registro de él, o al revés

cli-sync-on = La sincronización está activada. Este equipo es «{ $name }» y el servidor es { $address }.
cli-sync-key = Huella de la clave, la misma en todos sus equipos: { $fingerprint }
cli-sync-conflicts =
    { $count ->
        [one] { $count } cambio perdió frente al de otro equipo. Véalo con `ashore sync conflicts`.
        [many] { $count } de cambios perdieron frente a los de otro equipo. Véalos con `ashore sync conflicts`.
       *[other] { $count } cambios perdieron frente a los de otro equipo. Véalos con `ashore sync conflicts`.
    }
cli-sync-column =
    .collection = COLECCIÓN
    .records = AQUÍ
    .waiting = EN ESPERA
    .held = SIN LEER
    .machine = EQUIPO
    .seen = VISTO
cli-sync-words = Anote estas 24 palabras, la dirección y el número. Sin ellos no se puede recuperar la lista.
cli-sync-place = Dirección: { $address }
cli-sync-user = Número: { $uid }
cli-sync-set-up = La lista está creada. Ejecute `ashore sync invite` para obtener un enlace con el que se una el siguiente equipo.
cli-sync-joined = Este equipo se ha unido a la lista.
cli-sync-invite = Ejecute esta orden en el otro equipo antes de diez minutos. El enlace sirve una vez.
cli-sync-done = Recibido: { $received }. Enviado: { $sent }.
cli-sync-restored = El servidor había perdido una parte de la lista. Se envió de nuevo desde este equipo.
cli-sync-arrived = Otro equipo envió: { $title }
cli-sync-left = La sincronización está desactivada en este equipo. Sus descargas y archivos se conservan.
cli-sync-removed = { $machine } no puede leer nada de lo que se escriba a partir de ahora. Estas son las palabras nuevas de la lista.
cli-sync-own = este equipo
cli-sync-no-conflicts = No hay conflictos.
cli-sync-conflict = { $number }  { $title }: { $sentence }
cli-sync-resolved = Hecho. Los demás equipos reciben el cambio en la próxima sincronización.
cli-sync-dropped = Se mantiene el cambio que prevaleció.
cli-sync-trust =
    .starts = Las descargas que envía { $machine } ahora se inician sin preguntar.
    .waits = Las descargas que envía { $machine } ahora esperan hasta que usted las inicie.
cli-sync-no-others = Los demás equipos no tienen descargas.
cli-sync-sent = Enviado a { $machine }.
cli-sync-secret = Palabras o enlace (no se muestra):
cli-sync-no-sends = Este equipo no ha enviado ninguna descarga.
cli-sync-send =
    .waiting = { $title }: { $machine } aún no la ha recogido.
    .delivered = { $title }: entregada a { $machine }.
    .refused = { $title }: { $machine } no la aceptó.
    .expired = { $title }: { $machine } no estuvo encendido durante 30 días; no se entregó.
    .missed = { $title }: { $machine } la envió, pero este equipo estuvo apagado 30 días. Se puede volver a enviar desde allí.

# Browsers in `ashore browsers`.
cli-browser =
    .connected = conectado ({ $program })
    .not-connected = no conectado
    .none = no instalado
    .foreign = otro programa escribió { $path }
cli-browsers-connected = { $browser } está conectado. Instale también la extensión en el navegador.
cli-browsers-unchanged = { $browser } ya estaba conectado.
cli-browsers-disconnected = { $browser } está desconectado.
cli-browsers-nothing = { $browser } no tiene ninguna conexión que quitar.
cli-browsers-of-package = { $browser } sigue conectado por un paquete del sistema, que instaló { $path }. Para desconectarlo, quite la extensión del navegador.
cli-browsers-none = { browsers-empty }
cli-browsers-well = { $browser }: la conexión funciona y { -ashore } está en marcha.
cli-browsers-well-idle = { $browser }: la conexión funciona. { -ashore } se inicia cuando el navegador lo necesita.
cli-browsers-paired = vinculado
cli-browsers-code = Introduzca este código en la ventana emergente de la extensión en cinco minutos: { $code }
cli-browsers-unpaired = { $browser } ya no está vinculado.
cli-remote-link = Abra este enlace en el otro dispositivo en cinco minutos: { $url }
cli-remote-local = Solo este equipo puede abrir el enlace. Inicie `ashore serve` con --listen para llegar a él desde otros dispositivos.
cli-remote-none = Ningún dispositivo o programa ha iniciado sesión.
cli-remote-device = dispositivo
cli-remote-program = programa
cli-remote-signed-out = { $name } ha cerrado la sesión.
cli-remote-renewed = Se ha cerrado la sesión de todos los dispositivos.
cli-explains = `{ $command }` explica los argumentos.
