# The page in a browser: signing in, the connection, this device, and the folders on the computer with { -ashore }.

remote-sign-in = Iniciar sesión en { -ashore }
    .about = Introduzca el token. O ejecute «ashore remote link» en el equipo con { -ashore } y escanee el código o abra el enlace.
    .again = La sesión de este dispositivo ha terminado. El texto que escribió en la página se conserva.
    .token = Token
    .name = Nombre de este dispositivo
    .pairing = Iniciando sesión con el enlace…
remote-wait = Próximo intento posible en { $time }
remote-connecting = Conectando con { -ashore }…
    .again = Conectando de nuevo…
    .now = Conectar ahora
remote-lost = Se perdió la conexión. Próximo intento en { $time }.

remote-device = Este dispositivo
    .control = Este dispositivo puede hacer todo lo que ofrece esta página.
    .add = Este dispositivo puede añadir descargas y ver la lista.
    .read = Este dispositivo puede ver la lista.
    .sign-out = Cerrar sesión
# Firefox on Android
remote-device-name = { $browser } en { $system }
remote-readable = Esta conexión no está cifrada. Otros en la red pueden leer todos los datos, incluido el token.
remote-install = Los navegadores instalan esta página como aplicación solo si su dirección empieza por https.

# The settings about other devices, in the window.
remote-others = Desde otros dispositivos
    .allow = Permitir que se conecten otros dispositivos
    .about = Su teléfono y sus otros equipos podrán abrir esta lista en un navegador.
    .plain = Los datos se transmiten sin cifrar, así que actívelo solo en una red de confianza.
    .address = Dirección
    .copy = Copiar la dirección
    .local = Solo este equipo puede acceder a esta dirección.
    .link = Conectar un dispositivo
    .scan = Escanee este código con el dispositivo o abra el enlace en él.
    .none = Ningún dispositivo ha iniciado sesión.
    .control = Puede hacer de todo.
    .add = Puede añadir descargas y ver la lista.
    .read = Puede ver la lista.
    .metrics = Puede leer las métricas.
    .program = Programa. { $scope }
    .seen = Último uso: { $time }
    .added = { $name } ha iniciado sesión.
    .sign-out = Cerrar sesión: { $name }

remote-save = Guardar en este dispositivo
# The bar at the bottom of a narrow page: list, add, settings.
remote-views = Vistas

remote-folder-roots = Carpetas disponibles
    .above = Carpeta superior
    .none = Esta carpeta no contiene otras carpetas.
    .reading = Leyendo las carpetas…
    .submit = Usar esta carpeta

remote-failure-lost = Se perdió la conexión con { -ashore }. Compruebe que { -ashore } está en marcha y que este dispositivo puede alcanzarlo.
remote-failure-signed-out = Este dispositivo no ha iniciado sesión. Inicie sesión de nuevo.
remote-failure-too-large = Este texto es demasiado largo para enviarlo de una vez. Divídalo en partes.
remote-failure-unavailable = Esto solo es posible en la ventana del equipo con { -ashore }.
