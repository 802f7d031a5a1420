sync = Sincronización
    .about = Una sola lista en todos sus equipos, cifrada y sin cuenta.
    .open = Abrir
sync-is-off = La sincronización está desactivada
sync-is-on = La sincronización está activada

sync-begin = ¿Cómo quiere empezar?
sync-way-server = Tener el servidor en este equipo
    .about = Crea una lista nueva. Los demás equipos llegan a este por su red, así que elija uno que esté encendido a menudo.
    .submit = Iniciar y crear
sync-way-link = Usar un enlace
    .about = Se une a la lista de otro equipo o crea una lista nueva en un servidor.
    .submit = Continuar
sync-way-words = Recuperar con 24 palabras
    .about = Para una lista que ya no tiene ningún equipo. Necesita la dirección, el número y las palabras que anotó.
    .submit = Recuperar
sync-step = Paso { $step } de { $count }
sync-go-back = Atrás
sync-name = Nombre de este equipo
    .hint = Por ejemplo, Portátil
    .about = Sus demás equipos muestran este nombre.
sync-link = Enlace
    .joins = Este enlace se une a la lista de otro equipo.
    .joins-list =
        { $past ->
            [one] ¿Unirse a la lista de { $machine } ({ n-downloads }, { $past } anterior)?
            [many] ¿Unirse a la lista de { $machine } ({ n-downloads }, { $past } anteriores)?
           *[other] ¿Unirse a la lista de { $machine } ({ n-downloads }, { $past } anteriores)?
        }
    .sets-up = Este enlace crea una lista nueva en un servidor.
    .join = Unirse a la lista
    .set-up = Crear la lista
sync-address = Dirección del servidor
sync-number = Número
sync-working = Contactando con el servidor…
sync-joined = Este equipo se ha unido a la lista. Sus descargas aparecen en sus demás equipos.

sync-write-down = La sincronización está activada. Anote estas 24 palabras, la dirección y el número. Sin ellos no se puede recuperar nada.
sync-write-down-new = { $machine } no puede leer nada nuevo. Anote las palabras nuevas.
sync-words = Palabras de recuperación
    .count = { $count } de 24 palabras
    .show = Mostrar las 24 palabras
    .explained = Quien tenga estas palabras, la dirección y el número puede leer la lista. Guárdelos en un lugar seguro.
    .written = Las he anotado

sync-state = Este equipo
sync-last = Última sincronización
    .never = Todavía no
sync-reading = Leyendo { $received } de { $total }
    .title = Primera sincronización
sync-clock =
    .ahead = El reloj de este equipo va adelantado { $time }. La sincronización usa el reloj del servidor. Ponga en hora el reloj de este equipo.
    .behind = El reloj de este equipo va atrasado { $time }. La sincronización usa el reloj del servidor. Ponga en hora el reloj de este equipo.
sync-server = Servidor
sync-fingerprint = Huella de la clave
    .about = Es la misma en todos los equipos de esta lista. Compárela si duda de que un equipo se haya unido a la correcta.
sync-now = Sincronizar ahora
    .running = Sincronizando…
sync-done = Recibido: { $received }. Enviado: { $sent }.
sync-done-nothing = Todo estaba al día.
sync-restored = El servidor había perdido una parte de la lista. Se envió de nuevo desde este equipo.
sync-restoration =
    { $count ->
        [one] El servidor volvió al estado del { $day }. Desde aquí se restauró { $count } entrada que había perdido.
        [many] El servidor volvió al estado del { $day }. Desde aquí se restauraron { $count } de entradas que había perdido.
       *[other] El servidor volvió al estado del { $day }. Desde aquí se restauraron { $count } entradas que había perdido.
    }
    .emptied =
        { $count ->
            [one] El servidor había perdido la lista. Desde aquí se restauró { $count } entrada.
            [many] El servidor había perdido la lista. Desde aquí se restauraron { $count } de entradas.
           *[other] El servidor había perdido la lista. Desde aquí se restauraron { $count } entradas.
        }
sync-since =
    .time = desde las { $when }
    .weekday = desde el { $when }
    .day = desde el { $when }
sync-silent = El servidor de sincronización no responde { $since }.
    .continues = { sync-silent } Aquí todo continúa.
    .waiting =
        { sync-silent } { $count ->
            [one] Aquí todo continúa; { $count } cambio espera.
            [many] Aquí todo continúa; { $count } de cambios esperan.
           *[other] Aquí todo continúa; { $count } cambios esperan.
        }
sync-space = El servidor está lleno ({ $used } de { $total }).
    .waiting =
        { $count ->
            [one] El servidor está lleno ({ $used } de { $total }); { $count } cambio espera.
            [many] El servidor está lleno ({ $used } de { $total }); { $count } de cambios esperan.
           *[other] El servidor está lleno ({ $used } de { $total }); { $count } cambios esperan.
        }
sync-arrived = Otro equipo envió «{ $title }».
sync-waiting =
    { $count ->
        [one] { $count } cambio espera su envío.
        [many] { $count } de cambios esperan su envío.
       *[other] { $count } cambios esperan su envío.
    }
sync-shared = Qué se comparte
sync-column =
    .what = Tipo
    .here = Aquí
    .there = En el servidor
    .waiting = En espera
    .held = Sin leer
sync-collection =
    .clients = Equipos
    .downloads = Descargas
    .parts = Listas largas de enlaces
    .history = Descargas anteriores
    .settings = Ajustes
    .sends = Descargas en camino
sync-held = Un registro no se lee si se alteró en el servidor, procede de un { -ashore } más nuevo o tiene un valor que este equipo rechaza. Esos registros se quedan en el servidor tal como están.
sync-newer-machine = { $machine } tiene un { -ashore } más nuevo. Lo que escribió en un formato nuevo espera a que se actualice este equipo; el resto continúa.
clear-history = Borrar el historial antiguo…
clear-history-question = ¿Olvidar las descargas anteriores en todos los equipos?
    .about = Sus equipos dejan de avisar de que un enlace ya se descargó. No se quita ninguna descarga ni ningún archivo.
    .choice = Descargas anteriores que se olvidan
    .month = De hace más de 30 días
    .year = De hace más de un año
    .all = Todas
    .submit = Olvidar
    .done = Las descargas anteriores se han olvidado aquí. Los demás equipos las olvidan en su próxima sincronización.
sync-off = Desactivar la sincronización…
sync-off-question = ¿Desactivar la sincronización en este equipo?
    .body = Las descargas y los archivos de este equipo se conservan. Las descargas de los demás equipos desaparecen de esta ventana.
    .submit = Desactivar
    .server = El servidor de este equipo sigue funcionando para los demás. Deténgalo en esta vista si ningún equipo lo necesita.

own-server = Este equipo tiene el servidor
    .address = Dirección
    .runs = El servidor está en marcha.
    .stopped = El servidor no está en marcha.
    .asleep = Mientras este equipo está suspendido o apagado, los demás guardan sus cambios y los envían más tarde.
    .firewall = Si otro equipo no puede llegar a él, permita las conexiones TCP entrantes al puerto { $port } en el cortafuegos de este equipo.
    .start = Iniciar
    .stop = Detener…
own-server-question = ¿Detener el servidor?
    .body = Sus equipos no pueden sincronizar hasta que el servidor vuelva a estar en marcha. No se borra nada.
    .submit = Detener

machines = Equipos
    .own = este equipo
    .seen = Visto por última vez: { $when }
    .trust = Iniciar sus descargas sin preguntar
    .trust-of = Iniciar las descargas de { $machine } sin preguntar
    .add = Añadir un equipo…
    .remove = Quitar…
    .remove-of = Quitar { $machine }
machines-unseen = No se sabe cuándo se vio por última vez
machines-rename = Cambiar el nombre de este equipo
    .open = Cambiar nombre…
    .submit = Cambiar nombre
machines-invite = Añadir un equipo
    .about = En el otro equipo, abra Sincronización, elija «{ sync-way-link }» e introduzca este enlace.
    .link = Enlace
    .code = Código QR del enlace
    .copy = Copiar enlace
    .until = El enlace sirve una vez, hasta: { $time }.
    .late = El enlace es demasiado antiguo. Cree uno nuevo.
    .again = Enlace nuevo

conflicts = Conflictos
    .about = Dos equipos cambiaron lo mismo a la vez y solo puede aplicarse un cambio. El otro se guarda 30 días.
    .yours = Lo suyo, «{ $losing }», perdió frente a «{ $winning }».
    .theirs = «{ $losing }» de { $machine } perdió frente a «{ $winning }».
    .removed = { $machine } la cambió mientras otro equipo la quitaba. Está quitada.
    .removed-by = { $machine } la cambió mientras { $remover } la quitaba. Está quitada.
    .removed-yours = Este equipo la cambió mientras { $remover } la quitaba. Está quitada.
    .removed-here = { $machine } la cambió mientras este equipo la quitaba. Está quitada.
    .kept = La lista compartida ya no tenía esta descarga, pero este equipo aún la tenía. La descarga se queda en ambos lugares.
    .request = Los enlaces de { $machine } perdieron frente a otros.
    .take-value = Usar «{ $value }»
    .keep-value = Conservar «{ $value }»
    .take-links = Usar los enlaces de { $machine }
    .keep-links = Conservar los otros enlaces
    .fetch = Descargar aquí
    .keep-removed = Dejarla quitada
    .remove = Quitarla
    .keep-download = Conservarla
    .action-on = { $action }: { $title }
conflict-field =
    .title = Nombre
    .requested = Pausar o reanudar
    .home = Equipo
    .request = Enlaces
    .removed = Retirada
    .choice = Ajuste
conflict-value =
    .run = reanudar
    .paused = pausar
    .removed = quitar
    .default = el valor predeterminado
    .on = activado
    .off = desactivado

others = Otros equipos
    .short = Otros equipos
    .empty = Los demás equipos no tienen descargas
    .empty-about = Las descargas que añada allí aparecen aquí. Puede pausarlas allí o descargarlas aquí.
    .running = { $machine } la está descargando
    .paused = En pausa en { $machine }
    .queued = En espera en { $machine }
    .done = Terminada en { $machine }
    .failed = Falló en { $machine }: { $why }
    .failed-plain = Falló en { $machine }
    .incomplete = Aquí solo se muestra, porque tiene demasiados enlaces
others-requested =
    .run = Reanudación solicitada
    .paused = Pausa solicitada
    .removed = Retirada solicitada
others-action =
    .pause = Pausar allí
    .resume = Reanudar allí
    .fetch = Descargar también aquí
    .move = Traer aquí
    .remove = Quitar allí…
others-more = Mostrar { $count } más
others-remove-question = ¿Quitarla de { $machine }?
    .body = { $machine } la quita de su lista en la próxima sincronización. Los archivos que ya están completos allí se conservan.
    .submit = Quitar allí
others-fetched = Este equipo también descarga «{ $title }».
others-moved = Este equipo sigue con «{ $title }». { $machine } la pausa.

send-to = Enviar a…
    .many = Enviar { n-downloads-object } a…
    .question = Enviar a otro equipo
    .about = El otro equipo hace la descarga por sí mismo. Aquí no cambia nada. No se envían inicios de sesión ni cookies.
    .sent = «{ $title }» se envió a { $machine }.
    .sent-many = Enviado a { $machine }: { n-downloads-object }.
    .alone = El otro equipo hace la descarga por sí mismo, en su propia carpeta. No se envían inicios de sesión ni cookies.
    .on = Descargar en
    .here = Este equipo
    .gone = { $machine } ya no está en la lista. Elija otro equipo.
sends = Enviado a otros equipos
    .missed = No recibido en este equipo
sends-state =
    .waiting = { $machine } aún no la ha recogido
    .delivered = Entregada a { $machine }
    .refused = { $machine } no la aceptó
    .expired = { $machine } no estuvo encendido durante 30 días; no se entregó.
    .missed = Enviada por { $machine } mientras este equipo estuvo apagado 30 días. Se puede volver a enviar desde allí.
sent-by = Enviado por { $machine }
    .start = Empezar
    .always = Empezar siempre las descargas que envía { $machine }
add-past = { $machine } descargó esto el { $day }.
    .title = { $machine } descargó «{ $title }» el { $day }.
