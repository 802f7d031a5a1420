extension-name = { -ashore }: gerenciador de downloads
extension-description = Entrega os downloads do navegador ao { -ashore }. O navegador mantém cada download até o { -ashore } ter o arquivo.

extension-menu =
    .link = Baixar o link com o { -ashore }
    .image = Baixar a imagem com o { -ashore }
    .media = Baixar o arquivo de mídia com o { -ashore }
    .selection = Baixar os links da seleção com o { -ashore }…
    .page = Baixar todos os links com o { -ashore }…

extension-state =
    .running = Conectado
    .idle = Conectado. O { -ashore } inicia com o próximo download.
    .missing = O { -ashore } não foi encontrado
    .missing-cure = Instale o { -ashore } e conecte este navegador nas configurações dele. Até lá, todos os downloads ficam no navegador.

extension-pair = Parear este navegador
    .why = Se este navegador for de Flatpak ou snap, digite o código que o { -ashore } mostra nas configurações, em “{ settings-browsers }”.
    .code = Código do { -ashore }
    .wrong = Um código tem oito letras e dígitos. Digite-o de novo.
    .absent = O { -ashore } não responde. Ative “{ setting-browser-channel }” nas configurações dele e crie um novo código.
    .closed = Este navegador está pareado com o { -ashore }, mas o { -ashore } não responde. Inicie o { -ashore }.

extension-site = Deixar os downloads deste site com o navegador
extension-site-refused = O { -ashore } não pôde receber os dois últimos downloads de { $site }. Eles ficam no navegador até { $date }.
extension-site-again = Usar o { -ashore } de novo
extension-bypass = Mantenha Alt pressionada ao clicar em um link para deixar o download com o navegador.
extension-bypass-access = A tecla Alt funciona depois que o acesso a todos os sites é permitido.

extension-kept = Deixado com o navegador: { $name }
extension-why =
    .type = Páginas, scripts e estilos ficam no navegador.
    .ending = Arquivos com esta extensão ficam no navegador.
    .small = O arquivo é menor que o limite das configurações.
    .method = A página enviou um formulário, e formulários não são repetidos.
    .encoded = O servidor comprime este arquivo, por isso o tamanho não pode ser comparado.
    .danger = O navegador alerta sobre este arquivo, por isso você decide ali se o mantém.
    .scheme = A própria página criou este arquivo.
    .extension = Outra extensão iniciou este download.
    .menu-only = Os downloads são entregues somente pelo menu.
    .bypass = A tecla Alt estava pressionada.
    .site = Os downloads deste site ficam com o navegador.
    .site-refused = O { -ashore } não pôde receber os dois últimos downloads deste site.
    .no-access = Sem acesso a todos os sites, este arquivo não pode ser comparado.
    .no-head = O navegador não informou a resposta do servidor, por isso este arquivo não pode ser comparado.
    .too-many = Mais de 10 downloads deste site, ou 30 no total, começaram em um minuto sem um clique.
    .received = O navegador já havia recebido o arquivo inteiro antes de o { -ashore } responder.
    .host = O { -ashore } não foi encontrado. Instale-o e conecte este navegador nas configurações dele.
    .failed = A conexão com o { -ashore } terminou sem resposta.
    .silent = O { -ashore } não respondeu a tempo.
    .no-links = Esta página não contém links que possam ser lidos.
    .links-left-out = A página tem links demais para uma só mensagem, por isso faltam os últimos.
    .unknown = O { -ashore } não informou o motivo. Atualize o { -ashore } e esta extensão.

extension-all-links = Adicionar todos os links…
extension-media = Mídia desta página
extension-media-stream = Lista de uma transmissão
extension-media-add = Adicionar { $name }
extension-added = Adicionado

extension-mode =
    .automatic-hint = Os arquivos em que você clica vão para o { -ashore }, se ele receber o mesmo arquivo.
    .menu-hint = Clique com o botão direito em um link e escolha o { -ashore }. Todo o resto fica no navegador.
extension-least =
    .hint = Em MiB. Arquivos menores ficam no navegador, porque ele os baixa na hora.
extension-sites =
    .remove = Usar o { -ashore } para { $site } de novo
    .add = Adicionar um site, como example.com
    .trouble = Este não é o nome de um site.
extension-access = Acesso a todos os sites
    .given = Permitido. O { -ashore } recebe arquivos dos sites em que você entrou.
    .missing = Não permitido. O { -ashore } não pode receber arquivos dos sites em que você entrou.
    .allow = Permitir o acesso
    .revoke = Remover o acesso
extension-connection = Conexão
    .version = { -ashore } { $version }

extension-welcome = Os downloads agora vão para o { -ashore }
    .body = Clique em um link como sempre. O navegador mantém o download até o { -ashore } ter o mesmo arquivo, e assim nenhum download se perde.
extension-welcome-access = Permitir o acesso a todos os sites?
    .why = O { -ashore } então baixa com os seus cookies, para que os sites em que você entrou lhe enviem o mesmo arquivo que ao navegador.
    .what = A extensão lê o cabeçalho de cada resposta e os cookies de um download, e reconhece cliques com a tecla Alt. Ela não lê páginas, e envia dados somente ao { -ashore } neste computador.
    .without = Sem acesso, os downloads são entregues somente pelo menu.
    .given = O acesso está permitido. Tudo está pronto.
    .refused = Você pode permitir o acesso mais tarde nas configurações desta extensão.
