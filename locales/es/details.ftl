details = Detalles
    .of = Detalles de { $title }
    .hint = Detalles de la descarga seleccionada (I)
    .close = Cerrar los detalles
    .resize = Altura de los detalles (Arriba, Abajo)
details-files = Archivos
details-activity = Actividad
details-speed = Velocidad
details-about = Información
# A connection of a running download, with its speed.
details-connection = Conexión { $number }
    .left = faltan { $size }
    .starting = iniciando
details-connections =
    { $count ->
        [one] 1 conexión
        [many] { $count } de conexiones
       *[other] { $count } conexiones
    }
details-file-before = Archivo anterior
details-file-after = Archivo siguiente
details-copy = Copiar
details-copied = Copiado
details-not-copied = No se ha podido copiar. El escritorio no lo permite en este momento.
details-copy-activity = Copiar todo lo de esta página
details-copy-head = Copiar las cabeceras de respuesta
details-attempts = Intentos
details-no-attempts = Todavía no se ha intentado nada.
details-answer = Respuesta del servidor
details-answered = { $host } respondió «{ $status }».
details-redirects =
    { $count ->
        [one] Redirigida una vez:
        [many] Redirigida { $count } de veces:
       *[other] Redirigida { $count } veces:
    }
details-raw = Cabeceras de respuesta

attempt-number = Intento { $number }
attempt-since = desde hace { $time }
attempt-took = duró { $time }
attempt-brought = llegaron { $amount }
attempt-status = el servidor respondió { $status }
attempt-arrived = Completado, { $amount }.
attempt-running = En curso, { $amount }.
attempt-connecting = Conectando.
attempt-anew-changed = Reiniciado: el archivo del servidor ha cambiado. { $amount } descartados.
attempt-anew-no-ranges = Reiniciado: el servidor no admite reanudar. { $amount } descartados.
attempt-anew-differs = Empezó de nuevo: el servidor da otros bytes que los { $amount } que ya habían llegado.
attempt-anew-gone = Empezó de nuevo: lo que había llegado, { $amount }, se movió o se eliminó.

speed-current = Ahora
speed-mean = Media
speed-highest = Máxima
speed-not-running = no está en curso
speed-now = ahora
speed-ago = hace { $minutes } min
speed-soon = Todavía no han llegado los primeros bytes.
speed-none = La velocidad se muestra mientras está en curso y unos minutos después.
speed-sentence =
    { $minutes ->
        [one] Velocidad del último minuto: ahora { $current }, media { $mean }, máxima { $highest }.
        [many] Velocidad de los últimos { $minutes } de minutos: ahora { $current }, media { $mean }, máxima { $highest }.
       *[other] Velocidad de los últimos { $minutes } minutos: ahora { $current }, media { $mean }, máxima { $highest }.
    }
speed-sentence-not-running =
    { $minutes ->
        [one] Velocidad del último minuto: ahora no está en curso, media { $mean }, máxima { $highest }.
        [many] Velocidad de los últimos { $minutes } de minutos: ahora no está en curso, media { $mean }, máxima { $highest }.
       *[other] Velocidad de los últimos { $minutes } minutos: ahora no está en curso, media { $mean }, máxima { $highest }.
    }

about-address = Dirección
about-came-from = Dirección final
about-page = Encontrado en
about-mirrors = Réplicas
about-title = Nombre
about-files = Archivos
about-files-done = { files-of } están listos
about-file = Nombre del archivo
about-folder = Carpeta
about-size = Tamaño
about-bytes = { $amount } ({ $bytes } bytes)
about-checked = Comprobación
about-by-digest = La suma de verificación coincide
about-on-resume = El tamaño coincide; datos reanudados comprobados
about-not-verified = El tamaño coincide; sin suma de verificación
about-size-unknown = Tamaño desconocido; sin suma de verificación
about-missing = Garantías que faltan
about-missing-permissions = Este disco no guarda permisos de cada archivo: se aplican los de todo el disco.
about-missing-sync = Este disco no indica cuándo un archivo está a salvo de un corte de corriente.
about-missing-folder-sync = Este disco no indica cuándo un nombre de archivo está a salvo de un corte de corriente.
about-missing-exclusive-name = Este disco no puede impedir que otro programa tome el mismo nombre de archivo en el mismo momento.
about-missing-at-once = Este disco no puede cambiar el nombre de un archivo, así que se copió con su nombre.
about-checksum = Suma de verificación
about-expected = Esperada
about-created = Añadida
about-asked-again = Añadida de nuevo
about-finished = Terminada
about-ended = Acabada
about-expires = Saldrá de la lista
about-owner = Añadida por
about-owner-window = esta ventana
about-owner-command-line = la línea de órdenes
about-id = Identificador
about-copy-address = Copiar la dirección
about-copy-name = Copiar el nombre
about-copy-folder = Copiar la carpeta
about-copy-checksum = Copiar la suma de verificación
about-copy-id = Copiar el identificador
