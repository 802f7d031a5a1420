tray-open = Abrir { -ashore }
tray-quit = Salir
tray-clipboard = Añadir desde el portapapeles
tray-shut = No se puede abrir la lista

note-show = Mostrar
note-details = Detalles
note-sent = { $amount } enviados
note-done = Descarga completada
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
note-many-running =
    { $count ->
        [one] 1 descarga en curso
        [many] { $count } de descargas en curso
       *[other] { $count } descargas en curso
    }
note-and-more = y { $count } más
note-all-done = Todas las descargas completadas
    .body = Terminadas: { $count }. Ninguna en cola.
note-all-ended = Todas las descargas han acabado
    .body = Terminadas: { $count }; con error: { $failed }. La lista dice por qué.
note-in-tray = { -ashore } se ejecuta en segundo plano
    .body = Las descargas continúan. Abra { -ashore } desde su icono del panel, o ciérrelo allí.
note-group = { -ashore } - { $owner }
note-group-command-line = { -ashore } - línea de órdenes

ask-open = ¿Abrir este archivo?
    .body = { $name } puede ejecutar algo en este equipo. Ábralo solo si sabe de dónde viene.
ask-folder = Elegir una carpeta
ask-file = Elegir un archivo
ask-save-list = { list-save }
ask-list = Elegir una lista exportada

ask-server = ¿Tener el servidor de sincronización en este equipo?
    .body = Este equipo guarda entonces la lista cifrada, y sus otros equipos pueden acceder a él por la red. A continuación se muestran las palabras de recuperación.
    .yes = Tenerlo aquí
ask-set-up = ¿Crear una lista?
    .body = { -ashore } crea una lista cifrada en { $server } y muestra las 24 palabras de recuperación.
    .yes = Crear
ask-join = ¿Unirse a la lista?
    .body = Este equipo envía su lista de descargas, cifrada, a { $server }. Todos los equipos de esa lista pueden leerla. Únase solo a una lista propia.
    .yes = Unirse
ask-words = ¿Mostrar las palabras de recuperación?
    .body = Quien conozca las 24 palabras, la dirección y el número puede leer la lista. Asegúrese de que no haya nadie más mirando.
    .yes = Mostrar
ask-invite = ¿Añadir un equipo?
    .body = { -ashore } muestra un enlace. El equipo que lo abra primero puede leer la lista. El enlace es válido durante diez minutos.
    .yes = Mostrar el enlace
ask-devices = ¿Permitir que se conecten otros dispositivos?
    .body = Los dispositivos de su red podrán abrir esta lista después de iniciar sesión. Los datos se transmiten sin cifrar, así que hágalo solo en una red de confianza.
    .yes = Permitir
ask-device-link = ¿Iniciar sesión en otro dispositivo?
    .body = { -ashore } muestra un enlace. El dispositivo que lo abra primero podrá hacer de todo con sus descargas. El enlace es válido durante cinco minutos.
ask-remove-machine = ¿Quitar un equipo?
    .body = { $machine } no puede leer nada de lo que se escriba a partir de ahora. Sus propias descargas continúan. La lista recibe nuevas palabras de recuperación, que se muestran a continuación.
    .yes = Quitar
ask-trust = ¿Iniciar descargas sin preguntar?
    .body = Las descargas que { $machine } envíe a este equipo se inician entonces de inmediato.
    .yes = Iniciarlas
