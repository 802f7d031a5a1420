# The page in a browser: signing in, the connection, this device, and the folders on the computer with { -ashore }.

remote-sign-in = Entrar no { -ashore }
    .about = Digite o token. Ou execute “ashore remote link” no computador com o { -ashore } e escaneie o código ou abra o link.
    .again = A sessão deste dispositivo terminou. O texto que você digitou na página foi mantido.
    .token = Token
    .name = Nome deste dispositivo
    .pairing = Entrando com o link…
remote-wait = Próxima tentativa possível em { $time }
remote-connecting = Conectando ao { -ashore }…
    .again = Conectando novamente…
    .now = Conectar agora
remote-lost = Conexão perdida. Próxima tentativa em { $time }.

remote-device = Este dispositivo
    .control = Este dispositivo pode fazer tudo nesta página.
    .add = Este dispositivo pode adicionar downloads e ver a lista.
    .read = Este dispositivo pode ver a lista.
    .sign-out = Sair
# Firefox on Android
remote-device-name = { $browser } no { $system }
remote-readable = Esta conexão não é criptografada. Outras pessoas na rede podem ler todos os dados, inclusive o token.
remote-install = Os navegadores só instalam esta página como aplicativo se o endereço dela começar com https.

# The settings about other devices, in the window.
remote-others = De outros dispositivos
    .allow = Permitir que outros dispositivos se conectem
    .about = Seu celular e seus outros computadores poderão então abrir esta lista em um navegador.
    .plain = Os dados trafegam sem criptografia, então ative isto apenas em uma rede confiável.
    .address = Endereço
    .copy = Copiar o endereço
    .local = Só este computador pode acessar este endereço.
    .link = Conectar um dispositivo
    .scan = Escaneie este código com o dispositivo ou abra o link nele.
    .none = Nenhum dispositivo está conectado.
    .control = Pode fazer tudo.
    .add = Pode adicionar downloads e ver a lista.
    .read = Pode ver a lista.
    .metrics = Pode ler as métricas.
    .program = Programa. { $scope }
    .seen = Último uso: { $time }
    .added = { $name } está conectado.
    .sign-out = Sair: { $name }

remote-save = Salvar neste dispositivo
# The bar at the bottom of a narrow page: list, add, settings.
remote-views = Visualizações

remote-folder-roots = Pastas disponíveis
    .above = Pasta acima
    .none = Esta pasta não contém outras pastas.
    .reading = Lendo as pastas…
    .submit = Usar esta pasta

remote-failure-lost = A conexão com o { -ashore } foi perdida. Verifique se o { -ashore } está em execução e se este dispositivo consegue alcançá-lo.
remote-failure-signed-out = Este dispositivo não está conectado à conta. Entre novamente.
remote-failure-too-large = Este texto é longo demais para ser enviado de uma vez. Divida-o em partes.
remote-failure-unavailable = Isso só é possível na janela do computador com o { -ashore }.
