add = Añadir
add-hint = Añadir descargas (Ctrl+N)
add-title = Añadir descargas
add-links = Enlaces
    .hint = https://…  uno en cada línea
add-folder = Carpeta
    .hint = Su carpeta de descargas
add-name = Título
    .hint = Se toma del archivo
    .hint-set = Se toma de los archivos
add-checksum = Suma de verificación
    .hint = sha-256=… (opcional)
add-checksum-trouble = Una suma de verificación es así: sha-256= seguido de 64 cifras y letras de la a a la f.
add-together = Añadir como
add-one-set = Un grupo
add-one-each = Por separado
add-start = Empezar
add-now = Ahora
add-later = Más tarde
add-submit =
    { $count ->
        [one] Añadir
        [many] Añadir { $count } de enlaces
       *[other] Añadir { $count } enlaces
    }
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
