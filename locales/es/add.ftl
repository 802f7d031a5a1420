add = Añadir
add-hint = Añadir enlaces (Ctrl+N)
add-title = { empty.action }
add-links = Enlaces
    .hint = Pegue enlaces, uno por línea
add-folder = Carpeta
    .hint = Su carpeta de descargas
add-name = Nombre del archivo
    .hint = Automático
add-set-title = Nombre
    .hint = Automático
add-checksum = Suma de verificación
    .hint = sha-256=… (opcional)
add-checksum-trouble = Una suma de verificación es así: sha-256= seguido de 64 cifras y letras de la a a la f.
add-together = Agrupar
add-one-set = Un grupo
add-one-each = Por separado
add-start = Empezar
add-now = Ahora
add-next = Siguiente en la cola
add-later = Añadir en pausa
add-submit =
    { $count ->
        [one] Añadir
        [many] Añadir { $count } de enlaces
       *[other] Añadir { $count } enlaces
    }
add-progress = { $added } de { $count } añadidos
add-understood =
    { $count ->
        [one] 1 enlace encontrado
        [many] { $count } de enlaces encontrados
       *[other] { $count } enlaces encontrados
    }
add-misunderstood =
    { $count ->
        [one] 1 línea omitida
        [many] { $count } de líneas omitidas
       *[other] { $count } líneas omitidas
    }
add-none-understood =
    { $count ->
        [one] No se encontró ningún enlace
        [many] No se encontraron enlaces
       *[other] No se encontraron enlaces
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
add-wants-sign-in = Hay que iniciar sesión. Introduzca su nombre de usuario y contraseña.
add-unsized = Tamaño desconocido
add-resumes = Se puede reanudar
add-begins-anew = No se puede reanudar

add-answer-gone = La respuesta del servidor ha caducado. { -ashore } volverá a preguntar.
add-is-there = Ya está en su lista
add-is-there-otherwise = Parece una descarga que ya tiene
add-are-all-there = Todos estos enlaces ya están en su lista
add-are-there =
    { $count ->
        [one] 1 de estos enlaces ya está en su lista
        [many] { $count } de estos enlaces ya están en su lista
       *[other] { $count } de estos enlaces ya están en su lista
    }
add-are-unfinished =
    { $count ->
        [one] 1 puede reanudarse con este enlace
        [many] { $count } pueden reanudarse con estos enlaces
       *[other] { $count } pueden reanudarse con estos enlaces
    }
add-repeat = Duplicados
add-go-on = Reanudar la existente
add-go-on-many = Reanudar las inacabadas
add-skip = Omitir
add-again = Descargar de nuevo
add-taken = «{ $name }» ya existe. El archivo nuevo llevará un número.

add-along = Inicio de sesión, cookies y cabeceras
add-user = Usuario
add-password = Contraseña
add-keep = Guardar en el llavero
add-cookies = Cookies
    .hint = nombre=valor; otro=valor, o las líneas de un cookies.txt
add-headers = Cabeceras
    .hint = Nombre: valor
add-headers-trouble = La línea { $line } de las cabeceras no es válida. Use Nombre: valor.

add-list-too-large = Este archivo es demasiado grande. Use ashore add -i FILE.

new-link = Cambiar enlace
new-folder = Cambiar carpeta…
relink = Cambiar enlace…
relink-question = ¿Continuar con otro enlace?
    .body = El archivo parcial se conserva si el enlace nuevo lleva al mismo archivo. Si no, la descarga comienza de nuevo.
    .link = Enlace nuevo al mismo archivo
    .submit = Usar este enlace
    .open = Abrir la página en el navegador
    .open-about = Abra la página del enlace y haga clic allí en el archivo. La descarga continúa entonces si la extensión tiene acceso a todos los sitios y entrega cada clic.

action-anyway = Bajar igualmente
action-free-space = Abrir carpeta
action-sign-in = Iniciar sesión
sign-in-question = ¿Iniciar sesión y volver a intentarlo?
    .body = Su nombre de usuario y su contraseña se envían solo a { $host }.
    .submit = Iniciar sesión
