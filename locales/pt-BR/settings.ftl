settings = Configurações
settings-open = Configurações (Ctrl+,)
settings-back = Voltar à lista
settings-search = Buscar configurações
settings-nothing = Nenhuma configuração tem a ver com “{ $text }”.
settings-file = As configurações ficam neste arquivo, que também pode ser alterado à mão:
settings-reset = { $name }: voltar ao padrão
settings-percent = %
settings-unit = { $name }: unidade
    .kib = KiB
    .mib = MiB
    .gib = GiB
    .never = nunca
settings-unit-seconds =
    { $count ->
        [one] segundo
        [many] segundos
       *[other] segundos
    }
settings-unit-minutes =
    { $count ->
        [one] minuto
        [many] minutos
       *[other] minutos
    }
settings-unit-hours =
    { $count ->
        [one] hora
        [many] horas
       *[other] horas
    }
settings-unit-days =
    { $count ->
        [one] dia
        [many] dias
       *[other] dias
    }
settings-unit-weeks =
    { $count ->
        [one] semana
        [many] semanas
       *[other] semanas
    }
settings-number-wrong = Digite um número com no máximo duas casas decimais.
settings-outside = Digite um valor de { $least } a { $most }.
settings-paint = Pintar
settings-pace-full = Velocidade total
settings-pace-slow = Devagar
settings-pace-off = Parado
settings-rounded = O arquivo de configurações tem horários mais finos que meia hora. Pintar os arredonda.
settings-not-followed = Problema no arquivo de configurações: { $text }
settings-not-followed-more =
    { $count ->
        [one] Problema no arquivo de configurações: { $text } Configurações mostra mais um.
        [many] Problema no arquivo de configurações: { $text } Configurações mostra mais { $count }.
       *[other] Problema no arquivo de configurações: { $text } Configurações mostra mais { $count }.
    }
settings-cell = { $day }, { $from } a { $until }: { $pace }
settings-grid-help = As setas movem, Espaço pinta, Shift com as setas continua pintando.

settings-general = Geral
settings-folders = Pastas
settings-network = Rede
settings-browsers = Navegadores
settings-schedule = Horários
settings-notifications = Notificações
settings-power = Energia
settings-space = Espaço
settings-advanced = Avançado

setting-language = Idioma
    .about = Da janela, da bandeja e das notificações.
    .auto = Padrão do sistema
setting-parallel = Downloads simultâneos
    .about = Número de arquivos baixados ao mesmo tempo.
setting-parallel-per-host = Downloads simultâneos por servidor
    .about = Com 1, os arquivos de um servidor vêm estritamente um após o outro.
setting-order = Ordem da fila
    .about = Ordem em que os downloads na fila começam. A janela, a linha de comando e os outros programas sempre se revezam.
    .first-come = Por ordem de chegada
    .newest-first = Mais recentes primeiro
setting-forget-finished-after = Remover downloads concluídos após
    .about = Depois deste tempo, os downloads concluídos saem da lista. Os arquivos são mantidos. Com “{ settings-unit.never }”, eles permanecem na lista até você removê-los.
setting-close-to-tray = Continuar em execução ao fechar
    .about = Senão, fechar a janela encerra o { -ashore }. Os downloads em andamento continuam no próximo início.
setting-start-at-login = Iniciar ao fazer login
    .about = Escondido na bandeja, para que os downloads continuem assim que você entrar.
setting-offer-copied-links = Sugerir links copiados
    .about = Quando a janela vem para a frente, e cada um só uma vez. Só então o { -ashore } lê o que você copiou, e não o envia a lugar nenhum.
setting-folder = Pasta de downloads
    .about = Os arquivos vão para cá, a menos que você escolha outra pasta.
    .hint = A pasta de downloads do ambiente
setting-folder-video = Vídeos
    .about = Uma pasta dentro da pasta de downloads, criada quando for necessária, ou o caminho completo de uma em outro lugar.
setting-folder-audio = Música e voz
    .about = Uma pasta dentro da pasta de downloads, criada quando for necessária, ou o caminho completo de uma em outro lugar.
setting-folder-pictures = Imagens
    .about = Uma pasta dentro da pasta de downloads, criada quando for necessária, ou o caminho completo de uma em outro lugar.
setting-folder-documents = Documentos
    .about = Uma pasta dentro da pasta de downloads, criada quando for necessária, ou o caminho completo de uma em outro lugar.
setting-folder-archives = Compactados
    .about = Uma pasta dentro da pasta de downloads, criada quando for necessária, ou o caminho completo de uma em outro lugar.
setting-folder-programs = Programas e imagens de disco
    .about = Uma pasta dentro da pasta de downloads, criada quando for necessária, ou o caminho completo de uma em outro lugar.
setting-folder-kind-hint = Na própria pasta de downloads
setting-connections = Conexões por arquivo
    .about = No máximo tantas, e só onde mais de uma é mais rápido.
setting-offline = Sem conexão
    .about = Esperar não custa nada. Continue se seus servidores estão em casa ou se o ambiente não conhece sua rede.
    .wait = Esperar
    .go = Continuar
setting-metered = Em redes limitadas
    .about = Na rede de um celular, por exemplo.
    .wait = Esperar outra rede
    .go = Continuar
setting-proxy = Proxy
    .about = Para tudo, como http://host:3128 ou socks5h://host:1080; “none” para nenhum.
    .hint = O que diz o ambiente
setting-no-proxy = Ignorar proxy para
    .about = Nomes e redes acessados diretamente, separados por vírgulas.
    .hint = O que diz o ambiente
setting-proxy-loopback = Proxy para esta máquina
    .about = Usar o proxy também para servidores desta máquina.
setting-local-for-programs = Permitir que programas usem a rede local
    .about = Permite que programas, feeds e outros dispositivos façam o { -ashore } baixar desta máquina e das redes ao redor dela: roteadores, servidores da casa. O que você mesmo adiciona sempre pode vir de lá.
setting-cookies = Cookies
    .about = Devolver os cookies aos servidores que os definiram, até o { -ashore } encerrar.
setting-browser-hand-over = Entregar os downloads
    .about = A extensão de um navegador entrega cada clique em um arquivo, se o { -ashore } receber o mesmo arquivo. Somente as entradas que ela adiciona aos menus do navegador funcionam em todos os casos.
    .automatic = Automaticamente
    .menu = Somente pelo menu
setting-browser-least-size = Menor arquivo
    .about = Arquivos menores ficam no navegador.
setting-browser-sites = Sites deixados com o navegador
    .about = Separados por espaços, por exemplo example.org. Um site inclui seus subdomínios.
    .none = Nenhum site
setting-browser-endings = Extensões deixadas com o navegador
    .about = Separadas por espaços, por exemplo: html js css
setting-browser-bypass-key = Tecla de desvio
    .about = Um clique com Alt deixa o download com o navegador.
setting-browser-starts-ashore = Permitir que um navegador inicie o { -ashore }
    .about = Se estiver desativado, todos os downloads ficam no navegador enquanto o { -ashore } está fechado.
setting-browser-channel = Permitir que navegadores pareados se conectem
    .about = Navegadores de Flatpak e snap não podem iniciar o { -ashore }. Eles se conectam por uma porta que só este computador alcança.
setting-hours = Horas
    .about = Escolha uma velocidade e pinte com ela. O que ficar como está vai em velocidade total.
setting-slow-speed = Velocidade nas horas lentas
    .about = Limite para todos os downloads juntos.
setting-notifications = { settings-notifications }
    .about = Com o progresso, um download que dura mais de 10 segundos tem uma notificação. A partir de 3 downloads assim, uma única notificação mostra todos.
    .calm = Progresso após 10 segundos e resultado
    .all = Progresso de cada download e resultado
    .ended = Só o resultado
    .none = Nada
setting-quiet-while-focused = Silenciar enquanto a janela está ativa
    .about = Nada é avisado enquanto esta janela está em foco, pois ela mostra o mesmo.
setting-quiet-hours = Horas de silêncio
    .about = Todos os dias, como 22:00-07:00. O que terminou nesse meio-tempo é avisado quando elas acabam.
    .hint = Nenhuma
setting-all-done = Avisar quando todos os downloads forem concluídos
    .about = Mostra uma notificação quando o último de vários downloads termina e nenhum está na fila.
setting-battery-below = Na bateria, parar abaixo de
    .about = Nada é baixado com menos carga que isto. Com 0, enquanto houver alguma.
setting-in-use = Enquanto este computador está em uso
    .about = Esperar até este computador ficar sem uso por um tempo, ou continuar durante o uso.
    .wait = Esperar
    .go = Continuar
setting-keep-awake = Impedir a suspensão durante os downloads
    .about = Enquanto há downloads em andamento, esta máquina não entra em suspensão sozinha. A tela pode se apagar.
setting-free-space-floor = Espaço livre mínimo
    .about = Nenhum download começa em uma pasta com menos espaço livre que este.
setting-attempts = Tentativas
    .about = Quantas vezes um arquivo é tentado antes de o { -ashore } desistir dele.
setting-retry-after-seconds = Espera antes da segunda tentativa
    .about = Dobra a cada tentativa seguinte, até seis horas.
setting-stall-seconds = Tempo limite sem dados
    .about = Sem um único byte por esse tempo, ela é abandonada e tentada de novo.
setting-connect-timeout-seconds = Tempo limite da conexão
    .about = Quanto um servidor pode levar para aceitar uma conexão nova.
setting-total-timeout-seconds = Tempo limite total
    .about = Limite de tempo para uma tentativa. Ao fim do tempo, o arquivo parcial é mantido. Com 0, não há limite.
setting-checkpoint-seconds = Salvar o progresso a cada
    .about = Uma queda de energia não custa mais que isto.
setting-http2 = HTTP/2
    .about = Muitos arquivos pequenos de um servidor dividem uma conexão se o servidor aceitar HTTP/2.
setting-insecure-redirects = Redirecionamentos para links inseguros
    .about = Segui-los de https para http. Qualquer um no caminho pode então ler e alterar o que vem.
setting-ca-certificate = Certificados adicionais
    .about = Um arquivo PEM de autoridades confiáveis além das do sistema.
    .hint = Nenhum
setting-user-agent = Agente de usuário
    .about = Como o { -ashore } se apresenta aos servidores.
    .hint = { -ashore } e sua versão
setting-referrer = Página de origem
    .about = Endereço de uma página da web. O { -ashore } o envia aos servidores como a página onde o link foi encontrado. Um link com sua própria página a mantém.
    .hint = Nenhuma
setting-netrc = Arquivo netrc
    .about = Suas senhas são dadas aos servidores que pedem uma.
    .hint = Nenhum
setting-keychain = Senhas e tokens
    .about = Onde ficam guardados. Só você pode ler o arquivo.
    .auto = No chaveiro do sistema, senão em um arquivo
    .system = Somente no chaveiro do sistema
    .file = Em um arquivo
    .none = Até o { -ashore } encerrar

settings-lacking-notifications = Este ambiente não mostra notificações no momento. A lista diz tudo o que elas diriam.
settings-lacking-tray = Este ambiente não tem bandeja no momento: em vez disso, uma janela fechada é minimizada.

appearance = Aparência
appearance-theme = Tema
    .about = Cores desta página. A escolha vale para este dispositivo.
    .light = Claro
    .dark = Escuro
appearance-density = Altura das linhas
    .about = Linhas compactas mostram mais downloads, cada um com uma linha de texto.
    .comfortable = Confortável
    .compact = Compacta

list = Sua lista
list-save = Exportar lista
    .about = Salva em um arquivo os links, nomes, pastas e resultados de todos os downloads. O arquivo não contém senhas, cookies ou tokens, nem os arquivos baixados.
    .choose = Salvar em um arquivo…
list-take-in = Importar lista
    .about = Adiciona os downloads de uma lista que o { -ashore } salvou, aqui ou em outro computador. Os downloads inacabados são adicionados em pausa. Os que já estão na lista não mudam.
    .choose = Escolher um arquivo…
list-saved = A lista está salva em { $path }. Downloads nela: { $count }.
list-saved-without-headers = Arquivos cujos cabeçalhos foram omitidos porque podem ser secretos: { $count }.
list-taken-in = A lista foi importada. Downloads novos: { $count }. Os inacabados estão em pausa.
list-taken-in-nothing = O arquivo não contém downloads novos.
list-taken-in-known = Downloads que já estavam na lista: { $count }.
list-taken-in-elsewhere = Downloads que vão para a pasta usual porque a deles não pode ser usada aqui: { $count }.
list-taken-in-without-headers = Arquivos cujos cabeçalhos não estão nela porque podem ser secretos: { $count }. Onde um servidor sentir falta deles, entre na conta.

# The browsers, and their connection with { -ashore }.
browsers-connected = Conectado
    .package = Conectado pelo pacote do { -ashore }
    .none = Não conectado
browsers-empty = Nenhum navegador foi encontrado. Inicie um navegador uma vez e tente novamente.
browsers-extension = Um navegador conectado entrega seus downloads assim que a extensão está instalada.
browsers-connect = Conectar
    .label = Conectar o { $browser }
browsers-disconnect = Desconectar
    .label = Desconectar o { $browser }
browsers-check = Verificar de novo
browsers-pair = Parear um navegador
browsers-paired = Pareado
    .remove = Remover o { $browser }
    .added = O { $browser } está pareado.
browsers-code = Digite este código no pop-up da extensão:
    .rest = Válido por { $time }

synonyms-parallel = simultâneos, paralelo, ao mesmo tempo
synonyms-connections = threads, segmentos, partes, dividir
synonyms-startup = inicialização automática, iniciar com o sistema
synonyms-clipboard = área de transferência, copiar, colar, monitorar
synonyms-category = categoria, categorias, tipos de arquivo
synonyms-tray = minimizar, segundo plano, ocultar, bandeja
synonyms-metered = móvel, celular, dados móveis, franquia
synonyms-quiet = não perturbe, não incomodar, silencioso
synonyms-speed = largura de banda, limite, limitar
synonyms-backup = backup, cópia de segurança, restaurar, exportar
synonyms-remote = celular, telefone, tablet, remoto, código QR, navegador, web, aria2
synonyms-appearance = modo escuro, noite, cor, densidade, linhas
synonyms-folder = local, diretório, caminho, destino, salvar em
synonyms-cleanup = histórico, limpar, apagar, excluir
synonyms-notify = alertas, avisos, pop-ups, mensagens
synonyms-sleep = suspensão, suspender, hibernar, protetor de tela
synonyms-space = disco, armazenamento, reserva
synonyms-retries = repetir, nova tentativa, reconectar
synonyms-schedule = agendador, agenda, planejador, temporizador
synonyms-certificate = SSL, TLS, HTTPS, autoridade
synonyms-browser = extensão, complemento, integração, Chrome, Firefox, Edge
synonyms-proxy = SOCKS, VPN, túnel
synonyms-password = credenciais, login, conta, segredos
