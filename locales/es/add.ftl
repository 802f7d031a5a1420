add = Añadir
add-hint = Añadir descargas (Ctrl+N)
add-title = Añadir descargas
add-links = Enlaces
    .hint = https://…  uno en cada línea
add-folder = Carpeta
    .hint = Su carpeta de descargas
add-name = Nombre del archivo
    .hint = Se toma del servidor
add-set-title = Título
    .hint = Se toma de los archivos
add-checksum = Suma de verificación
    .hint = sha-256=… (opcional)
add-checksum-trouble = Una suma de verificación es así: sha-256= seguido de 64 cifras y letras de la a a la f.
add-together = Añadir como
add-one-set = Un grupo
add-one-each = Por separado
add-start = Empezar
add-now = Ahora
add-next = A continuación
add-later = Más tarde (en pausa)
add-submit =
    { $count ->
        [one] Añadir
        [many] Añadir { $count } de enlaces
       *[other] Añadir { $count } enlaces
    }
add-progress = { $added } de { $count } añadidos
add-understood =
    { $count ->
        [one] 1 enlace reconocido
        [many] { $count } de enlaces reconocidos
       *[other] { $count } enlaces reconocidos
    }
add-misunderstood =
    { $count ->
        [one] 1 línea no
        [many] { $count } de líneas no
       *[other] { $count } líneas no
    }
add-none-understood =
    { $count ->
        [one] Esta línea no es un enlace
        [many] Ninguna de estas líneas es un enlace
       *[other] Ninguna de estas líneas es un enlace
    }
add-line-number = Línea { $number }
add-link-count =
    { $count ->
        [one] 1 enlace
        [many] { $count } de enlaces
       *[other] { $count } enlaces
    }
add-from-to = { $first } a { $last }
add-signs-in = con inicio de sesión
add-and-more = y { $count } más
add-partly = { add-partly-added } { add-partly-left } { $text }
add-partly-added =
    { $added ->
        [one] Se ha añadido 1 enlace.
        [many] Se han añadido { $added } de enlaces.
       *[other] Se han añadido { $added } enlaces.
    }
add-partly-left =
    { $count ->
        [one] El que queda aquí no:
        [many] Los { $count } que quedan aquí no:
       *[other] Los { $count } que quedan aquí no:
    }

add-asking = Preguntando al servidor…
add-wants-sign-in = El servidor pide iniciar sesión. Rellene los datos abajo o use un enlace que lleve su propio permiso.
add-unsized = El servidor no dice qué tamaño tiene
add-resumes = puede continuar tras una interrupción
add-begins-anew = empieza de nuevo tras una interrupción

add-answer-gone = La respuesta del servidor ha caducado. { -ashore } preguntará de nuevo al servidor al añadir el enlace.
add-is-there = Este enlace ya está en la lista
add-is-there-otherwise = Un enlace al mismo sitio ya está en la lista
add-are-all-there = Todos estos enlaces ya están en la lista
add-are-there =
    { $count ->
        [one] 1 de estos enlaces ya está en la lista
        [many] { $count } de estos enlaces ya están en la lista
       *[other] { $count } de estos enlaces ya están en la lista
    }
add-are-unfinished =
    { $count ->
        [one] 1 de ellos está sin terminar y puede reanudarse con este enlace
        [many] { $count } de ellos están sin terminar y pueden reanudarse con estos enlaces
       *[other] { $count } de ellos están sin terminar y pueden reanudarse con estos enlaces
    }
add-repeat = Qué hacer con ellos
add-go-on = Continuar con la de la lista
add-go-on-many = Continuar los que no han terminado
add-skip = Omitir
add-again = Descargar de nuevo
add-taken = En la carpeta ya hay algo llamado { $name }. Se queda, y este archivo recibe un número detrás de su nombre.

add-along = Inicio de sesión, cookies y cabeceras
add-user = Usuario
add-password = Contraseña
add-keep = Guardar el inicio de sesión y las cookies en el llavero
add-cookies = Cookies
    .hint = nombre=valor; otro=valor, o las líneas de un cookies.txt
add-headers = Cabeceras
    .hint = Nombre: valor
add-headers-trouble = La línea { $line } de las cabeceras no es una cabecera. Una cabecera es así: Nombre: valor.

add-list-too-large = Este archivo es demasiado grande para ser una lista de enlaces. Una lista larga se puede añadir con: ashore add -i FILE.

new-link = Enlace nuevo
new-folder = Otra carpeta
relink = Enlace nuevo…
relink-question = ¿Continuar con otro enlace?
    .body = { -ashore } compara el archivo parcial con el archivo del enlace nuevo. Si difieren, la descarga comienza de nuevo.
    .link = Enlace nuevo al mismo archivo
    .submit = Usar este enlace
    .open = Abrir la página en el navegador
    .open-about = Abra la página del enlace y haga clic allí en el archivo. La descarga continúa entonces si la extensión tiene acceso a todos los sitios y entrega cada clic.

action-anyway = Bajar igualmente
action-free-space = Liberar espacio
action-sign-in = Iniciar sesión
sign-in-question = ¿Iniciar sesión y volver a intentarlo?
    .body = { $host } pide iniciar sesión. Su nombre de usuario y su contraseña se envían solo a este servidor.
    .submit = Iniciar sesión
