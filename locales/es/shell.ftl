tray-open = Abrir { -ashore }
tray-quit = Salir
tray-clipboard = Añadir desde el portapapeles
tray-shut = No se puede abrir la lista

note-show = Mostrar
note-details = Detalles
note-sent = { $amount } enviados
note-done = Terminada
note-files-left-out =
    { $count ->
        [one] 1 archivo omitido
        [many] { $count } de archivos omitidos
       *[other] { $count } archivos omitidos
    }
note-failed = No se ha podido descargar.
note-files-failed =
    { $count ->
        [one] 1 archivo con error: { $why }
        [many] { $count } de archivos con error: { $why }
       *[other] { $count } archivos con error: { $why }
    }
note-many-finished =
    { $count ->
        [one] 1 descarga terminada
        [many] { $count } de descargas terminadas
       *[other] { $count } descargas terminadas
    }
note-many-failed =
    { $count ->
        [one] 1 descarga fallida
        [many] { $count } de descargas fallidas
       *[other] { $count } descargas fallidas
    }
note-many-mixed =
    { $count ->
        [one] 1 descarga terminada, { $failed } con error
        [many] { $count } de descargas terminadas, { $failed } con error
       *[other] { $count } descargas terminadas, { $failed } con error
    }
note-and-more = y { $count } más
note-all-done = Todas las descargas están terminadas
    .body = Terminadas: { $count }. No queda nada por esperar.
note-all-ended = Todas las descargas han acabado
    .body = Terminadas: { $count }; con error: { $failed }. La lista dice por qué.
note-in-tray = { -ashore } sigue en segundo plano
    .body = Las descargas continúan. Abra { -ashore } desde su icono del panel, o ciérrelo allí.
note-group = { -ashore } - { $owner }
note-group-command-line = { -ashore } - línea de órdenes

ask-open = ¿Abrir este archivo?
    .body = { $name } puede ejecutar algo en este equipo. Ábralo solo si sabe de dónde viene.
ask-folder = Elegir una carpeta
ask-file = Elegir un archivo
ask-save-list = Guardar la lista
ask-list = Elegir una lista guardada
