search = Buscar
search-hint = Buscar descargas (Ctrl+F)
search-clear = Borrar la búsqueda
filters = Mostrar
filters-wide = Mostrar la barra lateral
filter-all = Todas
filter-running = En curso
filter-waiting = En cola
filter-paused = En pausa
filter-done = Terminadas
filter-failed = Fallidas
filter-cancelled = Canceladas
kinds = Tipos de archivo
kind-video = Vídeo
kind-music = Audio
kind-picture = Imágenes
kind-document = Documentos
kind-archive = Comprimidos
kind-program = Programas
kind-other = Otros
sort-by = Ordenar por
sorted-by = Orden: { $name }
    .reversed = Orden: { $name }, invertido
sort-newest = Más recientes primero
sort-name = Nombre
sort-size = Tamaño
sort-progress = Progreso
sort-speed = { details-speed }
sort-left = Tiempo restante
sort-reverse = Invertir el orden
column-added = { about-created }
column-left = Restante
columns = Columnas
in-turn = Orden de la cola
dense = Filas compactas
chosen =
    { $count ->
        [one] 1 seleccionada
        [many] { $count } seleccionadas
       *[other] { $count } seleccionadas
    }
downloads = Descargas
reading = Cargando…
reading-file = { reading }
read-again = Intentar de nuevo
list-failed = No se ha podido leer la lista
more = Más
close = Cerrar
cancel = Cancelar
choose = Elegir…

totals-slow-hours = horas lentas

row-sending = Enviando { $part }
row-connecting = Conectando
row-stalled = sin datos
row-failed-files =
    { $count ->
        [one] 1 con error
        [many] { $count } con error
       *[other] { $count } con error
    }
row-failed-files-because = { row-failed-files }: { $why }
row-paused-with-everything = En pausa (todo en pausa)
row-paused-at-percent = En pausa al { percent }
row-paused-at = En pausa con { $amount }
row-not-started = sin empezar
row-waits-because = En cola: { $why }
row-waits-slots = En cola: { n-files } a la vez
row-waits-server = En cola: { $count } a la vez desde { $host }
row-tries = Reintentando
row-tries-because = Reintentando: { $why }
row-tries-in = Reintento en { $time }
row-tries-in-because = Reintento en { $time }: { $why }
row-done = Terminada { $moment }
row-verified = verificada
row-size-unknown = tamaño desconocido
row-cancelled = Cancelada
row-awaits-link = Haga clic en el archivo en el navegador. El clic continúa esta descarga.
row-awaits-link-other = El clic en el navegador fue en otro archivo ({ $name }), que es una descarga aparte.
row-sign-in-again = El servidor rechaza esta descarga. Inicie sesión otra vez en el navegador y haga clic allí en el enlace.
row-cancelled-at = Cancelada { $moment }
row-files-kept = se conservan { files-of }
row-kept = se conservan { $amount }
row-all-failed =
    { $count ->
        [one] Ha fallado 1 archivo: { $why }
        [many] Han fallado los { $count } de archivos: { $why }
       *[other] Han fallado los { $count } archivos: { $why }
    }
row-some-failed = Con error { files-of }: { $why }

retry-failed = Reintentar
try-now = Intentar ahora
start-now = Iniciar ahora
remove = Quitar
to-the-top = Mover al principio
to-the-end = Mover al final
copy-link = Copiar enlace
copy-links = Copiar enlaces
copy-command = Copiar como cURL
cancel-asking = Cancelar la descarga…
remove-from-list = Quitar de la lista
remove-from-list-asking = Quitar de la lista…
remove-with-files-asking = Eliminar archivos…
rename = Cambiar el nombre en la lista…
rename-field = Nombre en la lista
files-show = Mostrar los archivos
files-hide = Ocultar los archivos
drag = Arrastrar para cambiar el orden (Alt+Arriba, Alt+Abajo)
progress-of = Progreso de { $title }
action-on = { $action }: { $title }

many-pause = Pausar { n-downloads-object }
many-resume = Reanudar { n-downloads-object }
many-start = Iniciar { n-downloads-object } ahora
many-top = Mover { n-downloads-object } al principio
many-end = Mover { n-downloads-object } al final
many-retry = Reintentar { n-downloads-object }
many-copy = Copiar los enlaces de { n-downloads }
many-cancel = Cancelar { n-downloads-object }…
many-remove = Quitar { n-downloads-object }
many-remove-asking = Quitar { n-downloads-object }…
many-remove-files-asking = Eliminar los archivos de { n-downloads-object }…

empty = Pegue un enlace para empezar
    .body = Copie la dirección de un archivo y pulse Ctrl+V en cualquier parte de esta ventana. También pueden ser muchos enlaces a la vez: uno en cada línea.
    .action = Añadir enlaces
    .after = Puede cerrar esta ventana. Las descargas continúan en segundo plano.
    .drop = También puede soltar enlaces o archivos con enlaces en esta ventana.
    .browsers = Conecte su navegador en los ajustes, y { -ashore } recibirá sus descargas.
drop-here = Suelte aquí enlaces o archivos con enlaces
nothing-found = No se ha encontrado nada
    .search = Ninguna descarga contiene «{ $text }».
    .kind = No hay nada del tipo «{ $kind }».
    .all-kinds = Mostrar todos los tipos
nothing-all = No hay nada en la lista.
nothing-running = No hay descargas en curso.
nothing-waiting = La cola está vacía.
nothing-paused = Ninguna descarga está en pausa.
nothing-done = No hay descargas terminadas.
nothing-failed = No hay descargas fallidas.
nothing-cancelled = No se ha cancelado ninguna descarga.

remove-question =
    { $count ->
        [one] ¿Quitar de la lista?
        [many] ¿Quitar { n-downloads-object } de la lista?
       *[other] ¿Quitar { n-downloads-object } de la lista?
    }
    .keeps = Los archivos descargados se quedan donde están.
    .files = Mover también los archivos a la papelera
    .deletes =
        { $count ->
            [one] La descarga también se quita de la lista.
            [many] Las descargas también se quitan de la lista.
           *[other] Las descargas también se quitan de la lista.
        }
    .submit =
        { $count ->
            [one] Quitar
            [many] Quitar { n-downloads-object }
           *[other] Quitar { n-downloads-object }
        }
    .title-files = ¿Mover los archivos a la papelera?
    .submit-files = Quitar y mover archivos a la papelera
remove-loses-all =
    { $count ->
        [one] Se eliminarán los datos parciales de esta descarga.
        [many] Se eliminarán los datos parciales de estas descargas.
       *[other] Se eliminarán los datos parciales de estas descargas.
    }
remove-loses-some =
    { $count ->
        [one] 1 de ellas no está terminada. Se eliminarán sus datos parciales.
        [many] { $count } de ellas no están terminadas. Se eliminarán sus datos parciales.
       *[other] { $count } de ellas no están terminadas. Se eliminarán sus datos parciales.
    }
cancel-question =
    { $count ->
        [one] ¿Cancelar esta descarga?
        [many] ¿Cancelar { n-downloads-object }?
       *[other] ¿Cancelar { n-downloads-object }?
    }
    .body =
        { $count ->
            [one] Se eliminarán sus archivos parciales. Los archivos terminados se conservan.
            [many] Se eliminarán sus archivos parciales. Los archivos terminados se conservan.
           *[other] Se eliminarán sus archivos parciales. Los archivos terminados se conservan.
        }
    .submit =
        { $count ->
            [one] Cancelar la descarga
            [many] Cancelar { n-downloads-object }
           *[other] Cancelar { n-downloads-object }
        }
    .keep = Seguir descargando

notices = Mensajes
notice-dismiss = Ocultar
notice-copied =
    { $count ->
        [one] Enlace copiado.
        [many] { $count } de enlaces copiados.
       *[other] { $count } enlaces copiados.
    }
notice-command-copied = Copiado como cURL.
    .without = Copiado como cURL, sin estas cabeceras, porque pueden ser secretas: { $headers }
notice-again-without = «{ $title }» se descarga de nuevo, sin estas cabeceras, porque pueden ser secretas: { $headers }
notice-not-copied = No se han podido copiar los enlaces. El escritorio no lo permite en este momento.
notice-not-for-all = No se ha hecho con { $refused } de { n-downloads }: { $text }
notice-offered =
    { $count ->
        [one] Ha copiado un enlace. ¿Añadirlo?
        [many] Ha copiado { $count } de enlaces. ¿Añadirlos?
       *[other] Ha copiado { $count } enlaces. ¿Añadirlos?
    }
notice-removed =
    { $count ->
        [one] Quitada de la lista: { $title }
        [many] Se han quitado { $count } de descargas de la lista.
       *[other] Se han quitado { $count } descargas de la lista.
    }
notice-files-go = Los archivos van a la papelera en unos segundos.
notice-undo = Deshacer
notice-undo-hint = Deshacer (Ctrl+Z)
notice-back =
    { $count ->
        [one] «{ $title }» restaurada
        [many] { $count } de descargas restauradas
       *[other] { $count } descargas restauradas
    }
notice-are-next =
    { $count ->
        [one] 1 descarga es la siguiente.
        [many] { $count } de descargas son las siguientes.
       *[other] { $count } descargas son las siguientes.
    }
notice-are-last =
    { $count ->
        [one] 1 descarga movida al final
        [many] { $count } de descargas movidas al final
       *[other] { $count } descargas movidas al final
    }
notice-is-next = «{ $title }» es la siguiente.
notice-is-last = «{ $title }» movida al final
notice-is-number = «{ $title }» es la número { $number } de { $count }.
notice-was-waiting = «{ $title }» ya estaba en la lista. Es la siguiente.
notice-was-running = «{ $title }» ya está en curso.

keys = Atajos de teclado
keys-hint = Atajos de teclado (F1)
keys-choosing = Seleccionar
keys-doing = Descargas seleccionadas
keys-queue = Orden de la cola
keys-anywhere = En cualquier parte
keys-go = Recorrer la lista
keys-choose-more = Seleccionar más, o hacer clic con Mayús
keys-choose-everything = Seleccionar todo
keys-choose-one = Volver a una sola
keys-open = Abrir el archivo, o mostrar los archivos de un grupo
keys-files = Mostrar u ocultar los archivos de un grupo
keys-details = Detalles de la descarga
keys-pause = Pausar o reanudar
keys-copy = Copiar los enlaces
keys-rename = Cambiar el nombre en la lista
keys-remove = Quitar de la lista
keys-remove-files = Eliminar archivos
keys-menu = Abrir el menú con todas las acciones
keys-move = Un puesto arriba o abajo
keys-move-far = Mover al principio o al final
keys-paste = Añadir los enlaces del portapapeles
keys-add = { empty.action }
keys-search = Buscar
keys-undo = Recuperar lo último que se quitó
keys-settings = Abrir los ajustes, o volver a la lista
keys-keys = Este resumen
keys-close = Cerrar la ventana; las descargas continúan
keys-quit = Salir de { -ashore }

key-ctrl = Ctrl
key-alt = Alt
key-shift = Mayús
key-space = Espacio
key-up = Arriba
key-down = Abajo
key-left = Izquierda
key-right = Derecha
key-page-up = Re Pág
key-page-down = Av Pág
key-home = Inicio
key-end = Fin
key-enter = Intro
key-escape = Esc
key-delete = Supr
key-menu = Menú

afterwards-is = { afterwards }: { $then }
limit-is = Límite de velocidad: { $limit }
limit-other = Otro…
limit-asking = { limit }…
limit-field = Límite
    .hint = { limit.none }
    .wrong = Escriba un número o deje el campo vacío.
    .submit = Fijar límite

limit-unit = Unidad
