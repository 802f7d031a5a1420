help-headings =
    .usage = Uso:
    .commands = Órdenes
    .arguments = Argumentos
    .options = Opciones
    .run = Para esta ejecución
    .everywhere = En todas partes
help-notes =
    .default = [predeterminado: { $value }]
    .env = [variable de entorno: { $name }]
    .values = [valores posibles: { $values }]
    .value-list = Valores posibles:
    .aliases = [también: { $names }]
help-value-names =
    .address = DIRECCIÓN
    .algorithm = ALGORITMO
    .change = CAMBIO
    .command = ORDEN
    .days = DÍAS
    .dir = CARPETA
    .file = ARCHIVO
    .host = SERVIDOR
    .kind = TIPO
    .link = ENLACE
    .machine = EQUIPO
    .method = MÉTODO
    .name = NOMBRE
    .number = NÚMERO
    .options = OPCIONES
    .owner = PROPIETARIO
    .password = CONTRASEÑA
    .path = RUTA
    .search = BÚSQUEDA
    .seconds = SEGUNDOS
    .size = TAMAÑO
    .source = ORIGEN
    .speed = VELOCIDAD
    .text = TEXTO
    .time = TIEMPO
    .title = TÍTULO
    .user = USUARIO
    .value = VALOR

help-arguments =
    .names = Nombres que muestra `ashore browsers`, como firefox; sin nombre, todos los navegadores que tenga
    .data_dir = Carpeta de la lista [predeterminado: ashore en la carpeta de datos XDG, ~/.local/share/ashore]
    .owner = Actuar por este propietario, como un programa o un canal: las descargas de otros propietarios ni se muestran ni se cambian
    .json = Escribir JSON en stdout, un objeto por línea
    .quiet = Escribir solo los errores
    .verbose = Escribir un registro en stderr; repítase para más detalle. RUST_LOG tiene prioridad
    .urls = Enlaces (http o https). `get` acepta también el id de una descarga de la lista. Un archivo que termina en .meta4 o .metalink se lee como con --metalink. Los corchetes y llaves representan varios enlaces: page-[001:120].jpg, [a:f], {"{"}one,two{"}"}
    .input = Leer enlaces de un archivo, o de stdin con "-", uno por línea. Los enlaces pueden estar dentro de otro texto, llevar espejos detrás de un tabulador, y debajo líneas como "  out=NAME", como en una lista para aria2. Las líneas vacías y las que empiezan con # o ; se omiten; de una línea que no es un enlace se avisa, y se deja fuera. Los enlaces del archivo van detrás de los de la línea de órdenes. Con más de 100.000 enlaces, o más de 10 MiB de ellos, `add` crea varias descargas y escribe el id de cada una en cuanto está en la lista; `get` crea siempre una sola
    .dir = Carpeta en la que se guardan los archivos; tiene que existir [predeterminado: la carpeta actual]
    .output = Nombre del archivo, para un único enlace; una carpeta delante es relativa a --dir [predeterminado: el nombre que da el servidor]
    .title = Título en la lista y en las notificaciones [predeterminado: se forma a partir de los enlaces]
    .description = Texto que describe la descarga y se muestra con su título
    .icon = Archivo de imagen que se muestra junto al título; si se dan varios tamaños, se usa el más adecuado
    .download_total = Tamaño máximo de todos los archivos juntos, en bytes; si se supera, la descarga falla
    .source = Origen de la descarga: command-line, feed, clipboard, device o program. Solo las descargas que inicia usted pueden acceder a su red local
    .deliver = Conservar el aviso de fin hasta que un programa del propietario lo confirme, aunque todavía no se haya conectado ninguno
    .id = unique_id de la descarga, al menos sus 4 primeros caracteres, o su nombre de `--id`
    .headers = Cabecera que se envía con cada petición; puede darse varias veces. Las cabeceras se guardan en la lista, excepto Authorization y Cookie, que se guardan para su servidor como con `ashore sign-in`. Con @ARCHIVO, las cabeceras se leen de ARCHIVO, una por línea, para que no aparezcan en la lista de procesos
    .optional = Los enlaces que siguen a esta opción pueden fallar sin que falle la descarga; si no la sigue ningún enlace, vale para todos
    .method = GET, HEAD, POST, PUT, PATCH o DELETE, los cuatro últimos con o sin --upload-file [predeterminado: GET, o PUT con --upload-file]
    .upload_file = Archivo que se envía como contenido de cada petición
    .user = Iniciar sesión en el servidor de los enlaces con este usuario; si falta la contraseña, Ashore la pregunta. La contraseña se guarda en el llavero del sistema, para que la descarga pueda continuar después de reiniciar: véase `ashore sign-in`. Si no se da ni esta opción ni --user-file, se usa ASHORE_USER para los enlaces de un único servidor
    .user_file = Como --user, pero leído de la primera línea de un archivo, o de stdin con "-"; así no aparece en la lista de procesos
    .netrc = Enviar las contraseñas de ~/.netrc a los servidores que las piden, mientras funcione este Ashore
    .netrc_file = Como --netrc, pero con otro archivo
    .cookies = Enviar las cookies de un archivo cookies.txt (el formato de curl y de las extensiones de los navegadores) a los servidores a los que pertenecen. Ashore guarda una copia que solo usted puede leer
    .user_agent = Agente de usuario que se envía en lugar del de Ashore
    .referrer = Página en la que estaban los enlaces. Los servidores del sitio de esa página reciben la dirección completa; los demás, solo el nombre del sitio
    .checksums = Suma de comprobación esperada del archivo, para un único enlace: sha-256=HEX, o sha-512, sha-1, md5. Puede darse una vez por algoritmo
    .mirrors = Otra dirección del mismo archivo, para un único enlace; puede darse varias veces, la mejor primero
    .size = Tamaño del archivo en bytes, para un único enlace; un archivo de otro tamaño se rechaza
    .metalink = Obtener los archivos de un Metalink como una sola descarga, de sus espejos y con sus sumas de comprobación. Indique un archivo, o "-" para stdin
    .curl = Obtener el enlace de una orden para cURL, Wget o PowerShell, como la copian los navegadores, con las cabeceras, el nombre de archivo y el inicio de sesión de la orden. Una orden con una opción que Ashore no admite se rechaza, y se nombra la opción. Con "-", la orden se lee de stdin
    .literal = No interpretar los corchetes y llaves de los enlaces
    .skip_existing = Omitir los archivos que ya están en la carpeta: un archivo sin cambios que la lista tiene para el mismo enlace, o un archivo del tamaño que indica el servidor y no más antiguo que el del servidor
    .paused = No iniciar, sino esperar a `ashore resume`
    .ignore_when_paused = No añadir nada si todas las descargas están en pausa
    .first = Poner la descarga delante de todas las que esperan [predeterminado: según el ajuste "order"]
    .last = Poner la descarga detrás de todas las que esperan
    .now = Iniciar de inmediato: si no hay ningún puesto libre, la última descarga en curso cede el suyo y conserva cada byte
    .until = El único enlace inicia una serie numerada: el último número del enlace cuenta hasta N, y cada página se descarga cuando la anterior está completa
    .parts = El único enlace lleva a una lista de enlaces, uno por línea, como en una lista de reproducción: también se descargan esos enlaces
    .at_once = Cuántos enlaces de esa lista se descargan a la vez como máximo, de 1 a 64; con 1 se descargan uno tras otro y en orden
    .keep_for = Cuánto tiempo queda la descarga en la lista después de que se le haya notificado su fin: 90s, 30m, 12h, 7d, 4w [predeterminado: el ajuste "forget-finished-after"]
    .takes_files = Mover los archivos a la papelera cuando la descarga se quita sola de la lista; los archivos que usted ha cambiado se conservan
    .proxy = Proxy para todas las transferencias, como http://host:3128 o socks5h://host:1080; "none" para ninguno. Con @ARCHIVO, el proxy se lee de la primera línea de ARCHIVO, para que no aparezca en la lista de procesos [predeterminado: los ajustes, o http_proxy, https_proxy, all_proxy y no_proxy]
    .ca_certificate = Confiar en los certificados de este archivo PEM, además de los del sistema
    .allow_insecure_redirects = Seguir las redirecciones de HTTPS a HTTP; la transferencia se puede entonces leer y cambiar por el camino
    .connect_timeout = Segundos que se espera a que un servidor acepte una conexión [predeterminado: 15, o el ajuste]
    .total_timeout = Duración máxima de un intento de obtener un archivo, en segundos; los bytes recibidos se conservan [predeterminado: sin límite]
    .ids = unique_id de las descargas, o al menos sus 4 primeros caracteres
    .files = Mover también a la papelera los archivos descargados, excepto los que se sustituyeron o cambiaron después de la descarga
    .url = Servidor, o cualquier enlace a él
    .name = Nombre de este equipo [predeterminado: su nombre de host]
    .link = Enlace, tal como lo escribió el servidor u otro equipo; si falta, se lee de stdin
    .device = Nombre o id del equipo
    .help = Mostrar la ayuda
    .help-short = Mostrar la ayuda (más detalles con '--help')
    .help-long = Mostrar la ayuda (resumen con '-h')
    .version = Mostrar la versión

help = Gestor de descargas
    .long =
        { help }.

        Ashore descarga archivos por HTTP y HTTPS, conserva cada byte aunque haya fallos o cortes de corriente, y continúa donde se quedó.
    .after =
        Ejemplos:
          ashore get https://example.org/debian.iso     descargarlo aquí y esperar
          ashore get -d ~/Music -i links.txt            muchos archivos como una sola descarga
          ashore get --checksum sha-256=9f86... URL     aceptar únicamente estos bytes
          ashore serve &                                descargar en segundo plano
          id=$(ashore add URL)                          ponerlo en la lista y seguir con otra cosa
          ashore show $id                               qué ha sido de ello
          ashore sign-in https://example.org --user me  para todo lo de ese servidor
          ashore list --json | jq -r .title             para programas

        Un solo programa trabaja en la lista a la vez: la ventana, `ashore serve` o `ashore get`. Mientras uno de ellos funciona, cualquier otro `ashore` habla con él; si no, abre la lista él mismo por un momento. Nada se descarga nunca dos veces porque funcionen dos programas.

        Códigos de salida:
          0    todo hecho
          1    algo ha fallado (los archivos opcionales no cuentan)
          2    los argumentos no tienen sentido
          3    no hay acceso: la lista no se puede abrir, o el programa que la tiene abierta no responde
          4    rechazado: un enlace, una carpeta o un id que Ashore no acepta
          130  interrumpido; todo se conserva

        Los resultados van a stdout, y las frases para personas a stderr. Con --json, una orden que falla escribe además {"{"}"error": {"{"}"code": ..., "text": ...{"}"}{"}"} en stdout. Si NO_COLOR está definida, no se usan colores.
help-get = Descargar y esperar hasta que la descarga esté completa
    .long =
        { help-get }

        Si no hay ningún Ashore en marcha, descarga el propio `get`, y otros programas pueden seguir la descarga. En otro caso, `get` entrega los enlaces al Ashore en marcha y sigue la descarga. Ctrl-C conserva cada byte; `ashore get ID`, o la misma orden otra vez, continúa.

        Al final, stdout tiene una línea por cada archivo, y stderr una frase por cada archivo que ha fallado. Con --json, stdout tiene cada evento de esta descarga en cuanto ocurre y, como última línea, el objeto que escribe `ashore show ID --json`.
    .id = Nombre propio para la descarga, que las demás órdenes aceptan en lugar del id. Solo una descarga activa puede tener un mismo nombre
    .connections = Número máximo de conexiones por archivo, de 1 a 64 [predeterminado: 8, o el ajuste]
    .parallel = Número máximo de archivos a la vez, de 1 a 64, en total y por servidor [predeterminado: 4 y 2, o los ajustes]
    .after =
        Ejemplos:
          ashore get URL -o debian.iso             nunca sobre un archivo: "debian (1).iso"
          ashore get URL1 URL2 --optional URL3     termina cuando están los dos primeros
          ashore get -i - {"<"} links.txt              un enlace por línea
          ashore get debian.meta4                  lo que describe un Metalink
          ashore get URL --mirror URL2             el mismo archivo de cualquiera de los dos
          ashore get URL URL.sha256                comprobado con el archivo de sumas que está al lado
          ashore get -i links.txt --parallel 16    dieciséis archivos a la vez
          ashore get --upload-file a.pdf URL       enviar un archivo y guardar la respuesta
          ashore get 1b9d6bcd                      continuar una descarga de la lista
help-add = Añadir enlaces a la lista sin esperar a las descargas
    .long =
        { help-add }

        Escribe solo el unique_id; con --json, el registro. Los enlaces los descarga la ventana, `ashore serve` o el próximo Ashore que se ponga en marcha.
    .id = { help-get.id }
    .again = Añadir la descarga aunque haya en la lista una idéntica sin terminar. Sin esta opción, la descarga existente pasa al principio
    .to = Enviar la descarga a este equipo de la lista compartida en lugar de añadirla aquí; véase `ashore sync devices`
help-serve = Descargar sin ventana, hasta Ctrl-C o SIGTERM
    .long =
        { help-serve }

        Escribe una línea cuando Ashore está listo. Con --json: {"{"}"ready": true, "data_dir": ..., "socket": ...{"}"}.
    .remote = Servir la página a otros dispositivos, sin --listen solo en el puerto 6800 de este equipo
    .listen = Dirección en la que servir la página, como 0.0.0.0:6800, o unix: y la ruta de un socket; repita para más
    .allow_host = Otro nombre con el que los navegadores pueden dirigirse a este equipo, como nas.local; repita para más
    .allow_origin = Origen de una página o extensión que puede enviar solicitudes, además de la página de Ashore; repita para más
    .trusted_proxy = Dirección o red de un proxy cuyo X-Forwarded-For indica la dirección de un cliente; repita para más
    .public_url = Dirección de la página detrás de un proxy, para enlaces; con https://, solo se aceptan inicios de sesión de páginas cargadas con TLS
    .base_path = Ruta de la página, si no es la ruta de --public-url
    .root = Carpeta que otros dispositivos pueden elegir, además de las carpetas de descarga de los ajustes; repita para más
    .aria2 = Descargas a las que pueden acceder los programas hechos para aria2. Un programa necesita un token de `ashore remote token --name`
    .aria2-off = Ninguna descarga: la interfaz está cerrada
    .aria2-own = Descargas que estos programas han añadido
    .aria2-all = Todas las descargas; las de otros se pueden leer, pausar y continuar, pero no quitar
    .aria2_may_stop = Permitir que los programas hechos para aria2 detengan Ashore con la llamada `shutdown`
help-list = Mostrar la lista, lo más nuevo primero
    .search = Mostrar solo las descargas cuyo título, enlaces o nombres de archivo contienen este texto
    .active = Mostrar solo las descargas que aún no han acabado: en curso, en espera o en pausa
    .settled = Mostrar solo las descargas que han acabado
    .failed = Mostrar solo las descargas con un archivo que ha fallado definitivamente; `ashore retry` vuelve a intentarlo
    .limit = Mostrar como máximo N descargas
help-watch = Mostrar las descargas activas con su velocidad, hasta Ctrl-C. Con --json, mostrar el registro con su velocidad en cada cambio
help-show = Mostrar todos los detalles de una descarga
    .id = unique_id de la descarga, o al menos sus 4 primeros caracteres
    .attempts = Debajo de cada archivo, mostrar cada intento de descargarlo: inicio, duración, bytes recibidos y la razón por la que terminó. Con --json, cada registro tiene estos intentos como `tries`
help-open = Abrir un archivo descargado con su programa predeterminado, o la carpeta de una descarga con varios archivos
    .folder = Abrir la carpeta en lugar del archivo
help-pause = Poner descargas en pausa y conservar cada byte
    .ids = unique_id de las descargas, o al menos sus 4 primeros caracteres [predeterminado: todas]
help-resume = Reanudar descargas en pausa
    .ids = { help-pause.ids }
help-cancel = Cancelar descargas definitivamente y conservar los archivos completos
help-retry = Volver a intentar los archivos fallidos, e iniciar de inmediato los intentos previstos
    .dir = Carpeta para los archivos que aún no están completos, si la de la descarga ya no se puede usar
help-remove = Quitar descargas de la lista; las activas se cancelan antes
help-first = Poner descargas al principio de la cola
help-move = Mover descargas a otro lugar de la cola
    .before = Poner justo delante de esta descarga
    .last = Poner detrás de todas las demás descargas
help-move-to = Mover los archivos de las descargas a otra carpeta; las descargas en curso continúan allí
    .dir = Carpeta para los archivos que aún no están completos
help-relink = Sustituir el enlace de un archivo que no está completo y conservar sus bytes
    .url = Nuevo enlace al mismo archivo
    .file = Número del archivo, como lo muestra `ashore show`; solo hace falta si varios archivos no están completos
help-change = Cambiar cómo se muestra una descarga: su título, descripción e icono
    .title = Título nuevo
    .description = Descripción nueva
    .icon = Archivo de imagen nuevo, que se muestra junto al título; si se dan varios tamaños, se usa el más adecuado
help-match = Averiguar qué archivo de una descarga tiene un enlace dado
    .long =
        { help-match }

        Escribe el número del archivo, su estado y el enlace; con --json, el registro. No escribe nada si ningún archivo de la descarga tiene el enlace.
    .url = Enlace que se busca
    .all = Escribir todos los archivos que coinciden, y no solo el primero
    .ignore_search = No tener en cuenta el signo de interrogación ni lo que sigue al comparar enlaces
    .ignore_method = Encontrar peticiones de cualquier método
    .method = Método de la petición [predeterminado: GET]
help-ids = Mostrar los nombres que `--id` dio a sus descargas activas o, con --owner, a las de ese propietario
help-find = Escribir el id de la descarga activa que tiene este nombre de `--id`
    .name = Nombre que `--id` dio a la descarga
help-owed = Mostrar las descargas acabadas cuyo fin aún no se ha confirmado
    .long =
        { help-owed }

        Con --owner, muestra las descargas de ese propietario; si no, aquellas cuyo fin aún no se le ha notificado. Escribe unique_id, número del aviso de fin y título; con --json, el registro.
help-acknowledge = Confirmar el fin de una descarga de un propietario, para que no se vuelva a avisar de él
    .event_number = Número del aviso de fin: `event_number` [predeterminado: el último]
help-clear = Quitar todas las descargas añadidas desde la línea de órdenes o, con --owner, todas las de ese propietario
    .long =
        { help-clear }

        Las descargas activas se cancelan antes. Los archivos completos se conservan, si no se da --files.
help-reset = Cancelar todas las descargas activas añadidas desde la línea de órdenes o, con --owner, todas las de ese propietario
    .long =
        { help-reset }

        Las descargas quedan en la lista, y los archivos completos se conservan.
help-queue-stats = Contar todos los archivos pedidos, logrados o fallidos alguna vez, de todos los propietarios o, con --owner, de uno
help-remove-owner = Quitar un propietario y todas sus descargas
    .long =
        { help-remove-owner }

        Sus descargas se detienen, y no se avisa de su fin. Los archivos completos se conservan.
    .name = Nombre del propietario
help-limit = Limitar la velocidad de las transferencias
    .long =
        { help-limit }

        Un límite vale de inmediato, también para las transferencias en curso, y se mantiene hasta que se quita. Si valen varios límites para una transferencia, cuenta el más bajo; las descargas que comparten un límite reciben partes iguales. Sin velocidad, se muestran los límites actuales.
    .speed = Bytes por segundo, de 1K a 10G (K, M y G son potencias de 1.024; kB, MB y GB, de 1.000); "none" o 0 quita el límite
    .host = Limitar el tráfico con este servidor: descargas de él o a través de él, y subidas a él. Escriba su nombre como en un enlace. Los subdominios son otros servidores
    .id = Limitar los archivos de una descarga: su unique_id, o al menos sus 4 primeros caracteres
    .after =
        Ejemplos:
          ashore limit 2M                          todo junto, 2 MiB por segundo
          ashore limit 500K --host example.org     lo que viene de allí
          ashore limit 1M --id 1b9d6bcd            una descarga
          ashore limit none                        todo otra vez tan rápido como se pueda
          ashore limit                             qué está limitado
help-sign-in = Guardar una contraseña o un token para un servidor y enviarlo con cada petición a ese servidor
    .long =
        { help-sign-in }

        La contraseña o el token se pregunta, o se lee de la primera línea de stdin. Lo guarda el llavero del sistema o, si ninguno funciona, un archivo que solo usted puede leer. Una contraseña se usa solo para el esquema, el servidor y el puerto del enlace, y nunca se envía a otro sitio. Sin enlace, muestra los servidores con un inicio de sesión guardado, y dónde está cada uno.
    .user = Nombre de usuario para iniciar sesión
    .token = Iniciar sesión con un token de portador, como los que dan muchos servicios
help-sign-out = Borrar la contraseña o el token guardado de un servidor
help-quota = Limitar cuánto de la lista puede usar un propietario o un tipo de archivo
    .long =
        { help-quota }

        Cuenta cada descarga de la lista, completa o no; al quitar una descarga se libera su parte. Una descarga sin sitio en su cuota espera, conserva cada byte, y continúa sola cuando hay sitio. Sin cantidad, se muestran el uso y los límites.
    .quota_owner = Propietario: "window", "command-line" o el nombre de un programa; "all" para todos juntos
    .size = Número máximo de bytes (K, M y G son potencias de 1.024; kB, MB y GB, de 1.000); "none" quita la cuota, también la de archivos
    .files = Número máximo de archivos
    .category = Contar solo los archivos de este tipo: video, music, picture, document, archive, program u other
    .after =
        Ejemplos:
          ashore quota                             cuánto hay, y de quién
          ashore quota my-program 10G              lo que pidió ese programa, 10 GiB en total
          ashore quota my-program --files 1000     y no más de mil archivos
          ashore quota all 50G --category video    películas, las pida quien las pida
          ashore quota my-program none             tanto como haya
help-statistics = Contar todas las descargas añadidas alguna vez: completas, fallidas, y sus bytes
    .long =
        { help-statistics }

        Los archivos y sus tamaños se cuentan por origen, en total, y por el día en que se añadieron. Un archivo que no está completo ni ha fallado sigue en la lista, se canceló o se quitó. Quitar una descarga no cambia ninguna de las cifras.
    .days = Número de días que se muestran por separado
help-settings = Mostrar los ajustes, o cambiar uno
    .long =
        { help-settings }

        Un cambio vale de inmediato y se guarda en `ashore.toml`, en la carpeta de datos; este archivo también se puede editar a mano.
    .name = Nombre del ajuste; sin nombre, se muestran todos
    .value = Valor nuevo, como en el archivo de ajustes pero sin comillas; un ajuste con horas admite cualquier número de líneas
    .default = Devolver el ajuste a su valor predeterminado
    .after =
        Ejemplos:
          ashore settings                          cada ajuste y su valor
          ashore settings hours                    para qué sirve
          ashore settings parallel 8               ocho archivos a la vez, desde ahora
          ashore settings hours 'mon-fri 08:00-18:00 slow' 'sat 00:00-24:00 off'
          ashore settings parallel --default       como es si nadie dice nada
help-events = Escribir cada evento del Ashore en marcha, un objeto JSON por línea
help-doctor = Comprobar la lista, sus copias y los archivos parciales
    .long =
        { help-doctor }

        Si la lista está dañada al abrirla, se aparta y se restaura su copia más reciente; `doctor` informa del resultado. De los contadores que no concuerdan con las descargas que cuentan se informa, y con --repair se vuelven a calcular. No se cambia nada más. El código de salida es 1 si la lista está dañada o es incoherente.
    .repair = Volver a calcular los contadores que no concuerdan con las descargas que cuentan
help-adopt = Añadir a la lista archivos parciales sin descarga, y continuarlos
    .long =
        { help-adopt }

        `ashore doctor` muestra esos archivos. Escribe el unique_id de cada descarga nueva; con --json, el registro. Sin argumentos, se añaden todos los archivos parciales que se pueden continuar.
    .partials = Rutas de archivos parciales, o las ocho cifras de sus nombres
help-export = Exportar la lista a un archivo, sin secretos
    .long =
        { help-export }

        El archivo tiene enlaces, nombres, carpetas, sumas de comprobación, el resultado de cada archivo y cómo se comprobó, límites y cuotas: un objeto JSON por línea, como describe docs/export.md. No incluye contraseñas, cookies, tokens ni los propios archivos descargados.
    .file = Archivo que se escribe; "-" para stdout
    .force = Sustituir un archivo existente
    .to = Nombre del programa que recibe el archivo en lugar de Ashore; aria2 recibe un archivo de sesión con las descargas incompletas
help-import = Importar una lista exportada
    .long =
        { help-import }

        Las descargas sin terminar se importan en pausa: nada se inicia solo. Las descargas que ya están en la lista no se cambian. Un archivo incompleto, o con una línea no válida, se rechaza, y no se importa nada de él.
    .file = Archivo que escribió `ashore export`; "-" para stdin
    .from = Nombre del programa que escribió el archivo en lugar de Ashore; sus descargas se importan en pausa y conservan sus GID
    .unchecked = Importar el archivo aunque se haya cambiado después de exportarlo
help-sync = Compartir una lista cifrada de descargas entre sus equipos; sin orden, mostrar el estado de la sincronización
    .long =
        { help-sync }

        Un servidor de sincronización guarda la lista (véase `ashore sync-server --help`); solo llega a saber tamaños y horas. Cada descarga la hace un equipo; los demás la ven y pueden dirigirla. Los archivos nunca se transfieren.
    .after =
        Ejemplos:
          ashore-sync-server invite                escribe un enlace de configuración, en el servidor
          ashore sync setup LINK                   crea la lista y escribe sus 24 palabras
          ashore sync invite                       escribe un enlace para el próximo equipo
          ashore sync join LINK                    en ese equipo
          ashore sync others                       descargas de los otros equipos
          ashore sync ask 6b3f pause               pone una de ellas en pausa allí
          ashore add URL --to Laptop               descarga un enlace en otro equipo
help-sync-status = Mostrar si la sincronización está activada, qué espera, y por qué falló la última
help-sync-now = Sincronizar ahora
help-sync-setup = Crear una lista en un servidor y escribir sus 24 palabras de recuperación
help-sync-join = Unirse a la lista de otro equipo
help-sync-recover = Unirse a una lista con sus palabras de recuperación, por ejemplo tras perder todos los equipos
    .long =
        { help-sync-recover }

        Las palabras se leen del terminal, o de stdin, para que no aparezcan en ninguna lista de procesos.
    .address = Dirección del servidor, como se escribió con las palabras: HOST:PUERTO#HUELLA
    .uid = Número que se escribió con las palabras
help-sync-invite = Escribir un enlace con el que un equipo puede unirse, una vez, en los próximos diez minutos
help-sync-devices = Mostrar los equipos de la lista
help-sync-remove = Quitar un equipo de la lista y escribir las nuevas palabras de recuperación
    .long =
        { help-sync-remove }

        El equipo no puede leer nada de lo que se escriba desde entonces. Lo que ya ha leído, lo conserva.
help-sync-trust = Permitir que un equipo inicie descargas aquí sin preguntar
    .not = Volver a preguntar antes de que se inicien descargas de este equipo
help-sync-words = Escribir las palabras de recuperación de la lista
help-sync-conflicts = Mostrar los cambios que perdieron frente a los de otro equipo, o resolver uno
    .number = Número del conflicto que se resuelve
    .take = Usar el otro valor en lugar del actual
    .drop = Conservar el valor actual
help-sync-others = Mostrar las descargas de los otros equipos
help-sync-ask = Pedir a otro equipo un cambio de su descarga, o hacerse cargo de la descarga
    .id = Id de la descarga, como lo escribe `ashore sync others`, o sus primeros caracteres
    .change = El cambio
    .change-pause = Ponerla en pausa allí
    .change-resume = Reanudarla allí
    .change-remove = Quitarla de la lista allí; sus archivos se conservan
    .change-move-here = Descargarla en este equipo en su lugar
    .change-fetch-here = Descargarla también en este equipo
help-sync-send = Enviar una descarga de este equipo a otro
    .id = { help-show.id }
help-sync-sends = Mostrar las descargas que este equipo envió a otros, si se entregaron, y las que este equipo se perdió
help-sync-rename = Dar a este equipo otro nombre, que mostrarán los otros equipos
    .name = Nombre nuevo
help-sync-clear-history = Olvidar descargas pasadas, en todos los equipos y en el servidor, por ejemplo para liberar espacio allí
    .keep = Conservar las descargas de los últimos DÍAS días; 0 las olvida todas
help-sync-leave = Desactivar la sincronización en este equipo; las descargas y los archivos se conservan
help-browsers = Conectar navegadores para que su extensión entregue descargas a Ashore; sin orden, mostrar los navegadores
    .after =
        Ejemplos:
          ashore browsers                          los navegadores, y cuáles están conectados
          ashore browsers connect                  los conecta todos
          ashore browsers connect firefox          conecta Firefox
          ashore browsers disconnect firefox       desconecta Firefox
          ashore browsers doctor                   prueba cada conexión
          ashore browsers pair                     muestra un código que vincula un navegador
help-browsers-list = Mostrar los navegadores y si están conectados
help-browsers-connect = Permitir que la extensión de un navegador entregue descargas a Ashore
    .long =
        { help-browsers-connect }

        Escribe un pequeño archivo en la carpeta del navegador. Nunca cambia un archivo que otro programa haya escrito allí. La extensión misma se instala en el navegador.
help-browsers-disconnect = Quitar el archivo que escribió `connect`
help-browsers-doctor = Probar la conexión de cada navegador conectado tal como la usaría el navegador
    .long =
        { help-browsers-doctor }

        El código de salida es 1 si una conexión no funciona.
help-browsers-pair = Mostrar un código que vincula un navegador de Flatpak o snap
    .long =
        { help-browsers-pair }

        Un navegador así no puede iniciar programas. Active primero el ajuste browser-channel. El código se introduce en la ventana emergente de la extensión y vale una vez, durante cinco minutos.
help-browsers-unpair = Quitar navegadores vinculados
    .names = Nombres de navegadores vinculados según `ashore browsers`
help-remote = Iniciar y cerrar la sesión de otros dispositivos y programas; sin orden, los enumera
    .after =
        Ejemplos:
          ashore remote                                   los dispositivos y programas con sesión iniciada
          ashore remote link                              un enlace y un código QR para un dispositivo
          ashore remote token                             el token para iniciar sesión
          ashore remote token --name sonarr --scope add   un token para un programa
          ashore remote sign-out Phone                    cierra la sesión de un dispositivo
help-remote-link = Escribir un enlace que inicia la sesión de un dispositivo
    .long =
        { help-remote-link }

        El enlace funciona una vez, durante cinco minutos. En un terminal también se muestra como código QR. `ashore serve --remote` debe estar en marcha.
    .scope = Permiso del dispositivo: todo, añadir y leer, o solo leer
help-remote-token = Escribir el token con el que un dispositivo inicia sesión
    .long =
        { help-remote-token }

        Con --name, emite un token para un programa y lo escribe esta única vez.
    .name = Nombre de un programa que recibe un token propio
    .scope = Permiso del programa: todo, añadir y leer, solo leer, o solo métricas
    .renew = Sustituir el token y cerrar la sesión de todos los dispositivos
help-remote-list = Enumerar los dispositivos y programas con sesión iniciada
help-remote-sign-out = Cerrar la sesión de dispositivos o programas
    .names = Nombres según `ashore remote list`
help-healthy = Comprobar que Ashore está en marcha y listo
    .long =
        { help-healthy }

        Pensado para contenedores y scripts. El código de salida es 0 si Ashore está listo y 1 si no.
    .url = Preguntar al servidor para otros dispositivos en esta dirección, como http://127.0.0.1:6800, en lugar del socket
help-sync-server = Ejecutar el servidor de sincronización, un programa aparte; véase `ashore sync-server --help`
    .arguments = Orden y opciones del servidor de sincronización
help-help = Mostrar esta ayuda o la de las órdenes indicadas
    .subcommand = Mostrar la ayuda de estas órdenes
