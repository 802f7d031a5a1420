help-headings =
    .usage = Uso:
    .commands = Comandos
    .arguments = Argumentos
    .options = Opções
    .run = Para esta execução
    .everywhere = Em todos os comandos
help-notes =
    .default = [padrão: { $value }]
    .env = [variável de ambiente: { $name }]
    .values = [valores possíveis: { $values }]
    .value-list = Valores possíveis:
    .aliases = [também: { $names }]
help-value-names =
    .address = ENDEREÇO
    .algorithm = ALGORITMO
    .change = MUDANÇA
    .command = COMANDO
    .days = DIAS
    .dir = PASTA
    .file = ARQUIVO
    .host = SERVIDOR
    .kind = TIPO
    .link = LINK
    .machine = MÁQUINA
    .method = MÉTODO
    .name = NOME
    .number = NÚMERO
    .options = OPÇÕES
    .owner = DONO
    .password = SENHA
    .path = CAMINHO
    .search = BUSCA
    .seconds = SEGUNDOS
    .size = TAMANHO
    .source = ORIGEM
    .speed = VELOCIDADE
    .text = TEXTO
    .time = TEMPO
    .title = TÍTULO
    .user = USUÁRIO
    .value = VALOR

help-arguments =
    .names = Nomes que `ashore browsers` mostra, como firefox; sem nome, todos os navegadores que você tem
    .data_dir = Pasta da lista [padrão: ashore na pasta de dados XDG, ~/.local/share/ashore]
    .owner = Agir por este dono, como um programa ou um feed: os downloads de outros donos não são mostrados nem alterados
    .json = Escrever JSON em stdout, um objeto por linha
    .quiet = Escrever somente os erros
    .verbose = Escrever um registro em stderr; repita para mais detalhes. RUST_LOG tem precedência
    .urls = Links (http ou https). `get` também aceita o id de um download da lista. Um arquivo que termina em .meta4 ou .metalink é lido como com --metalink. Colchetes e chaves representam vários links: page-[001:120].jpg, [a:f], {"{"}one,two{"}"}
    .input = Ler links de um arquivo, ou de stdin com "-", um por linha. Os links podem estar dentro de outro texto, ter espelhos depois de uma tabulação, e abaixo deles linhas como "  out=NAME", como em uma lista para o aria2. Linhas vazias e as que começam com # ou ; são puladas; uma linha que não é um link é informada e deixada de fora. Os links do arquivo vêm depois dos da linha de comando. Com mais de 100.000 links, ou mais de 10 MiB deles, `add` cria vários downloads e escreve o id de cada um assim que ele está na lista; `get` sempre cria um só
    .dir = Pasta em que os arquivos são salvos; ela precisa existir [padrão: a pasta atual]
    .output = Nome do arquivo, para um único link; uma pasta na frente dele é relativa a --dir [padrão: o nome que o servidor dá]
    .title = Título na lista e nas notificações [padrão: formado a partir dos links]
    .description = Texto que descreve o download, mostrado com o título
    .icon = Arquivo de imagem mostrado ao lado do título; se vários tamanhos são dados, o mais adequado é usado
    .download_total = Tamanho máximo de todos os arquivos juntos, em bytes; se for ultrapassado, o download falha
    .source = Origem do download: command-line, feed, clipboard, device ou program. Só os downloads que você mesmo inicia podem acessar a sua rede local
    .deliver = Guardar o aviso de fim até que um programa do dono o confirme, mesmo que nenhum tenha se conectado ainda
    .id = unique_id do download, pelo menos os 4 primeiros caracteres, ou o nome dado por `--id`
    .headers = Cabeçalho a enviar com cada requisição; pode ser dado várias vezes. Os cabeçalhos são guardados na lista, exceto Authorization e Cookie, que são guardados para o servidor deles como com `ashore sign-in`. Com @ARQUIVO, os cabeçalhos são lidos de ARQUIVO, um por linha, para que a lista de processos não os mostre
    .optional = Os links depois desta opção podem falhar sem que o download falhe; se nenhum link vem depois dela, ela vale para todos
    .method = GET, HEAD, POST, PUT, PATCH ou DELETE, os quatro últimos com ou sem --upload-file [padrão: GET, ou PUT com --upload-file]
    .upload_file = Arquivo a enviar como conteúdo de cada requisição
    .user = Fazer login no servidor dos links com este usuário; sem senha, o Ashore pergunta por ela. A senha é guardada no chaveiro do sistema, para que o download possa continuar depois de um reinício: veja `ashore sign-in`. Se nem esta opção nem --user-file é dada, ASHORE_USER é usada para links de um único servidor
    .user_file = Como --user, mas lido da primeira linha de um arquivo, ou de stdin com "-"; a lista de processos não o mostra
    .netrc = Enviar as senhas de ~/.netrc aos servidores que as pedem, enquanto este Ashore estiver em execução
    .netrc_file = Como --netrc, mas com outro arquivo
    .cookies = Enviar os cookies de um arquivo cookies.txt (o formato do curl e de extensões de navegadores) aos servidores a que eles pertencem. O Ashore guarda uma cópia que só você pode ler
    .user_agent = Agente de usuário a enviar no lugar do do Ashore
    .referrer = Página em que os links estavam. Os servidores do site dessa página recebem o endereço completo; os outros, só o nome do site
    .checksums = Soma de verificação esperada do arquivo, para um único link: sha-256=HEX, ou sha-512, sha-1, md5. Pode ser dada uma vez por algoritmo
    .mirrors = Outro endereço do mesmo arquivo, para um único link; pode ser dado várias vezes, o melhor primeiro
    .size = Tamanho do arquivo em bytes, para um único link; um arquivo de outro tamanho é recusado
    .metalink = Baixar os arquivos de um Metalink como um só download, dos espelhos dele e com as somas de verificação dele. Dê um arquivo, ou "-" para stdin
    .curl = Baixar o link de um comando para cURL, Wget ou PowerShell, como os navegadores o copiam, com os cabeçalhos, o nome do arquivo e o login do comando. Um comando com uma opção que o Ashore não conhece é recusado, e a opção é indicada. Com "-", o comando é lido de stdin
    .literal = Não interpretar colchetes e chaves nos links
    .skip_existing = Pular arquivos que já estão na pasta: um arquivo inalterado que a lista tem para o mesmo link, ou um arquivo que tem o tamanho informado pelo servidor e não é mais antigo que o do servidor
    .paused = Não iniciar, e sim esperar por `ashore resume`
    .ignore_when_paused = Não adicionar nada se todos os downloads estão pausados
    .first = Colocar o download antes de todos os que aguardam [padrão: conforme a configuração "order"]
    .last = Colocar o download depois de todos os que aguardam
    .now = Iniciar imediatamente: se não há vaga livre, o último download em andamento cede a sua e mantém cada byte
    .until = O único link começa uma série numerada: o último número do link conta até N, e cada página é baixada depois que a anterior está completa
    .parts = O único link leva a uma lista de links, um por linha, como em uma playlist: esses links também são baixados
    .at_once = Número máximo de links dessa lista baixados ao mesmo tempo, de 1 a 64; com 1, eles são baixados um após o outro, em ordem
    .keep_for = Quanto tempo o download fica na lista depois que você foi notificado do fim dele: 90s, 30m, 12h, 7d, 4w [padrão: a configuração "forget-finished-after"]
    .takes_files = Mover os arquivos para a lixeira quando o download é removido da lista automaticamente; os arquivos que você alterou ficam
    .proxy = Proxy para todas as transferências, como http://host:3128 ou socks5h://host:1080; "none" para nenhum. Com @ARQUIVO, o proxy é lido da primeira linha de ARQUIVO, para que a lista de processos não o mostre [padrão: as configurações, ou http_proxy, https_proxy, all_proxy e no_proxy]
    .ca_certificate = Confiar nos certificados deste arquivo PEM, além dos do sistema
    .allow_insecure_redirects = Seguir redirecionamentos de HTTPS para HTTP; a transferência pode então ser lida e alterada no caminho
    .connect_timeout = Segundos de espera até que um servidor aceite uma conexão [padrão: 15, ou a configuração]
    .total_timeout = Duração máxima de uma tentativa para um arquivo, em segundos; os bytes recebidos são mantidos [padrão: sem limite]
    .ids = unique_ids dos downloads, ou pelo menos os 4 primeiros caracteres
    .files = Mover também os arquivos baixados para a lixeira, exceto os que foram substituídos ou alterados depois do download
    .url = Servidor, ou qualquer link para ele
    .name = Nome desta máquina [padrão: o nome de host dela]
    .link = Link, como o servidor ou outra máquina o escreveu; sem ele, o link é lido de stdin
    .device = Nome ou id da máquina
    .help = Mostrar a ajuda
    .help-short = Mostrar a ajuda (mais detalhes com '--help')
    .help-long = Mostrar a ajuda (resumo com '-h')
    .version = Mostrar a versão

help = Gerenciador de downloads
    .long =
        { help }.

        O Ashore baixa arquivos por HTTP e HTTPS, mantém cada byte mesmo com travamentos e quedas de energia, e continua de onde parou.
    .after =
        Exemplos:
          ashore get https://example.org/debian.iso     baixar aqui, e esperar
          ashore get -d ~/Music -i links.txt            muitos arquivos como um só download
          ashore get --checksum sha-256=9f86... URL     aceitar somente estes bytes
          ashore serve &                                baixar em segundo plano
          id=$(ashore add URL)                          colocar na lista, e seguir em frente
          ashore show $id                               o que aconteceu com ele
          ashore sign-in https://example.org --user me  para tudo o que vem de lá
          ashore list --json | jq -r .title             para programas

        Um só programa por vez trabalha na lista: a janela, `ashore serve` ou `ashore get`. Enquanto um deles está em execução, qualquer outro `ashore` fala com ele; senão, ele mesmo abre a lista por um momento. Nada é baixado duas vezes porque dois programas estão em execução.

        Códigos de saída:
          0    tudo feito
          1    parte falhou (falhas de arquivos opcionais não contam)
          2    os argumentos não fazem sentido
          3    sem acesso: a lista não pode ser aberta, ou o programa que a mantém aberta não responde
          4    recusado: um link, uma pasta ou um id que o Ashore não aceita
          130  interrompido; tudo é mantido

        Os resultados vão para stdout, e as frases para pessoas para stderr. Com --json, um comando que falha também escreve {"{"}"error": {"{"}"code": ..., "text": ...{"}"}{"}"} em stdout. Se NO_COLOR está definida, não há cores.
help-get = Baixar, e esperar até que o download esteja completo
    .long =
        { help-get }

        Se nenhum Ashore está em execução, o próprio `get` baixa, e outros programas podem acompanhar o download. Senão, `get` entrega os links ao Ashore em execução e acompanha o download. Ctrl-C mantém cada byte; `ashore get ID`, ou o mesmo comando de novo, continua.

        No fim, stdout tem uma linha para cada arquivo, e stderr uma frase para cada arquivo que falhou. Com --json, stdout tem cada evento deste download assim que ele ocorre e, na última linha, o objeto que `ashore show ID --json` escreve.
    .id = O seu próprio nome para o download, que todos os outros comandos aceitam no lugar do id. Só um download ativo pode ter um mesmo nome
    .connections = Número máximo de conexões por arquivo, de 1 a 64 [padrão: 8, ou a configuração]
    .parallel = Número máximo de arquivos ao mesmo tempo, de 1 a 64, no total e por servidor [padrão: 4 e 2, ou as configurações]
    .after =
        Exemplos:
          ashore get URL -o debian.iso             nunca sobre um arquivo: "debian (1).iso"
          ashore get URL1 URL2 --optional URL3     pronto quando os dois primeiros estão lá
          ashore get -i - {"<"} links.txt              um link por linha
          ashore get debian.meta4                  o que um Metalink descreve
          ashore get URL --mirror URL2             o mesmo arquivo de qualquer um dos dois
          ashore get URL URL.sha256                verificado com o arquivo de somas ao lado
          ashore get -i links.txt --parallel 16    dezesseis arquivos de uma vez
          ashore get --upload-file a.pdf URL       enviar um arquivo, e guardar a resposta
          ashore get 1b9d6bcd                      continuar um download da lista
help-add = Adicionar links à lista sem esperar pelos downloads
    .long =
        { help-add }

        Escreve somente o unique_id; com --json, o registro. Os links são baixados pela janela, por `ashore serve` ou pelo próximo Ashore em execução.
    .id = { help-get.id }
    .again = Adicionar o download mesmo que um idêntico e inacabado esteja na lista. Sem esta opção, o download existente vai para o topo
    .to = Enviar o download a esta máquina da lista compartilhada em vez de adicioná-lo aqui; veja `ashore sync devices`
help-serve = Baixar sem janela, até Ctrl-C ou SIGTERM
    .long =
        { help-serve }

        Escreve uma linha quando o Ashore está pronto. Com --json: {"{"}"ready": true, "data_dir": ..., "socket": ...{"}"}.
    .remote = Servir a página a outros dispositivos, sem --listen somente na porta 6800 desta máquina
    .listen = Endereço em que servir a página, como 0.0.0.0:6800, ou unix: e o caminho de um soquete; repita para mais
    .allow_host = Outro nome pelo qual navegadores podem se dirigir a esta máquina, como nas.local; repita para mais
    .allow_origin = Origem de uma página ou extensão que pode enviar solicitações, além da página do Ashore; repita para mais
    .trusted_proxy = Endereço ou rede de um proxy cujo X-Forwarded-For informa o endereço de um cliente; repita para mais
    .public_url = Endereço da página atrás de um proxy, para links; com https://, só páginas carregadas com TLS podem entrar
    .base_path = Caminho da página, se não for o caminho de --public-url
    .root = Pasta que outros dispositivos podem escolher, além das pastas de download das configurações; repita para mais
    .aria2 = Downloads que os programas feitos para aria2 podem acessar. Um programa precisa de um token de `ashore remote token --name`
    .aria2-off = Nenhum download: a interface fica fechada
    .aria2-own = Downloads que esses programas adicionaram
    .aria2-all = Todos os downloads; os de outros podem ser lidos, pausados e continuados, mas não removidos
    .aria2_may_stop = Permitir que os programas feitos para aria2 encerrem o Ashore com a chamada `shutdown`
help-list = Mostrar a lista, os mais novos primeiro
    .search = Mostrar somente os downloads cujo título, links ou nomes de arquivos contêm este texto
    .active = Mostrar somente os downloads que ainda não terminaram: em andamento, aguardando ou pausados
    .settled = Mostrar somente os downloads que terminaram
    .failed = Mostrar somente os downloads com um arquivo que falhou definitivamente; `ashore retry` tenta o arquivo de novo
    .limit = Mostrar no máximo N downloads
help-watch = Mostrar os downloads ativos com a velocidade deles, até Ctrl-C. Com --json, mostrar o registro com a velocidade a cada mudança
help-show = Mostrar todos os detalhes de um download
    .id = unique_id do download, ou pelo menos os 4 primeiros caracteres
    .attempts = Abaixo de cada arquivo, listar cada tentativa de baixá-lo: início, duração, bytes recebidos e o motivo pelo qual ela terminou. Com --json, cada registro tem essas tentativas como `tries`
help-open = Abrir um arquivo baixado com o programa padrão dele, ou a pasta de um download com vários arquivos
    .folder = Abrir a pasta em vez do arquivo
help-pause = Pausar downloads e manter cada byte
    .ids = unique_ids dos downloads, ou pelo menos os 4 primeiros caracteres [padrão: todos]
help-resume = Continuar downloads pausados
    .ids = { help-pause.ids }
help-cancel = Cancelar downloads definitivamente, e manter os arquivos completos
help-retry = Tentar de novo os arquivos que falharam, e iniciar imediatamente as tentativas previstas
    .dir = Pasta para os arquivos que ainda não estão completos, se a pasta do próprio download não pode mais ser usada
help-remove = Remover downloads da lista; os ativos são cancelados antes
help-first = Mover downloads para o começo da fila
help-move = Mover downloads para outro lugar da fila
    .before = Colocar logo antes deste download
    .last = Colocar depois de todos os outros downloads
help-move-to = Mover os arquivos dos downloads para outra pasta; os downloads em andamento continuam lá
    .dir = Pasta para os arquivos que ainda não estão completos
help-relink = Substituir o link de um arquivo que não está completo, e manter os bytes que ele tem
    .url = Novo link para o mesmo arquivo
    .file = Número do arquivo, como `ashore show` o mostra; necessário só se vários arquivos não estiverem completos
help-change = Mudar como um download é mostrado: título, descrição e ícone
    .title = Novo título
    .description = Nova descrição
    .icon = Novo arquivo de imagem, mostrado ao lado do título; se vários tamanhos são dados, o mais adequado é usado
help-match = Descobrir qual arquivo de um download tem um certo link
    .long =
        { help-match }

        Escreve o número do arquivo, o estado dele e o link; com --json, o registro. Não escreve nada se nenhum arquivo do download tem o link.
    .url = Link a procurar
    .all = Escrever todos os arquivos encontrados, e não só o primeiro
    .ignore_search = Ignorar o ponto de interrogação e tudo depois dele ao comparar links
    .ignore_method = Encontrar requisições de qualquer método
    .method = Método da requisição [padrão: GET]
help-ids = Listar os nomes que `--id` deu aos seus downloads ativos ou, com --owner, aos downloads ativos desse dono
help-find = Escrever o id do download ativo que tem este nome de `--id`
    .name = Nome que `--id` deu ao download
help-owed = Listar os downloads terminados cujo fim ainda não foi confirmado
    .long =
        { help-owed }

        Com --owner, lista os downloads desse dono; senão, aqueles de cujo fim você ainda não foi notificado. Escreve unique_id, número do aviso de fim e título; com --json, o registro.
help-acknowledge = Confirmar o fim de um download de um dono, para que não seja avisado de novo
    .event_number = Número do aviso de fim: `event_number` [padrão: o último]
help-clear = Remover todos os downloads adicionados pela linha de comando ou, com --owner, todos os desse dono
    .long =
        { help-clear }

        Os downloads ativos são cancelados antes. Os arquivos completos são mantidos, a menos que --files seja dada.
help-reset = Cancelar todos os downloads ativos adicionados pela linha de comando ou, com --owner, todos os desse dono
    .long =
        { help-reset }

        Os downloads ficam na lista, e os arquivos completos são mantidos.
help-queue-stats = Contar todos os arquivos que já foram pedidos, deram certo ou falharam, de todos os donos ou, com --owner, de um
help-remove-owner = Remover um dono e todos os downloads dele
    .long =
        { help-remove-owner }

        Os downloads dele são parados, e o fim deles não é avisado. Os arquivos completos são mantidos.
    .name = Nome do dono
help-limit = Limitar a velocidade das transferências
    .long =
        { help-limit }

        Um limite vale imediatamente, também para transferências em andamento, e fica até ser removido. Se vários limites valem para uma transferência, conta o mais baixo; downloads que dividem um limite recebem partes iguais dele. Sem velocidade, os limites atuais são mostrados.
    .speed = Bytes por segundo, de 1K a 10G (K, M e G são potências de 1.024; kB, MB e GB, de 1.000); "none" ou 0 remove o limite
    .host = Limitar o tráfego com este servidor: downloads dele ou através dele, e envios para ele. Dê o nome como em um link. Subdomínios são outros servidores
    .id = Limitar os arquivos de um download: o unique_id dele, ou pelo menos os 4 primeiros caracteres
    .after =
        Exemplos:
          ashore limit 2M                          tudo junto, 2 MiB por segundo
          ashore limit 500K --host example.org     o que vem de lá
          ashore limit 1M --id 1b9d6bcd            um download
          ashore limit none                        tudo de novo tão rápido quanto possível
          ashore limit                             o que está limitado
help-sign-in = Guardar uma senha ou um token para um servidor, e enviá-lo com cada requisição a esse servidor
    .long =
        { help-sign-in }

        A senha ou o token é perguntado, ou lido da primeira linha de stdin. O chaveiro do sistema o guarda ou, se nenhum chaveiro funciona, um arquivo que só você pode ler. Uma senha é usada só para o esquema, o servidor e a porta do link, e nunca é enviada a outro lugar. Sem link, mostra os servidores com um login guardado, e onde cada um está guardado.
    .user = Nome de usuário para o login
    .token = Fazer login com um token de portador, como muitos serviços os emitem
help-sign-out = Apagar a senha ou o token guardado de um servidor
help-quota = Limitar quanto da lista um dono ou um tipo de arquivo pode usar
    .long =
        { help-quota }

        Cada download da lista conta, completo ou não; remover um download libera a parte dele. Um download sem espaço na cota aguarda com cada byte mantido, e continua sozinho quando há espaço. Sem quantidade, o uso e os limites são mostrados.
    .quota_owner = Dono: "window", "command-line" ou o nome de um programa; "all" para todos juntos
    .size = Número máximo de bytes (K, M e G são potências de 1.024; kB, MB e GB, de 1.000); "none" remove a cota, inclusive a de arquivos
    .files = Número máximo de arquivos
    .category = Contar somente arquivos deste tipo: video, music, picture, document, archive, program ou other
    .after =
        Exemplos:
          ashore quota                             quanto há, e de quem
          ashore quota my-program 10G              o que esse programa pediu, 10 GiB ao todo
          ashore quota my-program --files 1000     e não mais que mil arquivos
          ashore quota all 50G --category video    filmes, não importa quem os pediu
          ashore quota my-program none             tanto quanto houver
help-statistics = Contar todos os downloads já adicionados: completos, com falha, e os bytes deles
    .long =
        { help-statistics }

        Os arquivos e os tamanhos deles são contados por origem, no total, e pelo dia em que foram adicionados. Um arquivo que não está completo nem falhou ainda está na lista, foi cancelado ou foi removido. Remover um download não muda nenhum dos números.
    .days = Número de dias a listar separadamente
help-settings = Mostrar as configurações, ou mudar uma
    .long =
        { help-settings }

        Uma mudança vale imediatamente e é guardada em `ashore.toml`, na pasta de dados; esse arquivo também pode ser editado à mão.
    .name = Nome da configuração; sem nome, todas são mostradas
    .value = Novo valor, como no arquivo de configurações, mas sem aspas; uma configuração de horários aceita qualquer número de linhas
    .default = Voltar a configuração ao padrão
    .after =
        Exemplos:
          ashore settings                          cada configuração e o valor dela
          ashore settings hours                    para que ela serve
          ashore settings parallel 8               oito arquivos de uma vez, a partir de agora
          ashore settings hours 'mon-fri 08:00-18:00 slow' 'sat 00:00-24:00 off'
          ashore settings parallel --default       como é quando ninguém diz nada
help-events = Escrever cada evento do Ashore em execução, um objeto JSON por linha
help-doctor = Verificar a lista, as cópias dela e os arquivos parciais
    .long =
        { help-doctor }

        Se a lista está danificada ao ser aberta, ela é posta de lado e a cópia mais recente é restaurada; `doctor` informa o resultado. Contadores que não conferem com os downloads que contam são informados, e recalculados com --repair. Nada mais é alterado. O código de saída é 1 se a lista está danificada ou inconsistente.
    .repair = Recalcular contadores que não conferem com os downloads que contam
help-adopt = Adicionar à lista arquivos parciais sem download, e continuá-los
    .long =
        { help-adopt }

        `ashore doctor` lista esses arquivos. Escreve o unique_id de cada download novo; com --json, o registro. Sem argumentos, todos os arquivos parciais que podem ser continuados são adicionados.
    .partials = Caminhos de arquivos parciais, ou os oito dígitos nos nomes deles
help-export = Exportar a lista para um arquivo, sem segredos
    .long =
        { help-export }

        O arquivo tem links, nomes, pastas, somas de verificação, o resultado de cada arquivo e como ele foi verificado, limites e cotas: um objeto JSON por linha, como docs/export.md descreve. Senhas, cookies, tokens e os próprios arquivos baixados não estão incluídos.
    .file = Arquivo a escrever; "-" para stdout
    .force = Substituir um arquivo existente
    .to = Nome do programa que recebe o arquivo em vez do Ashore; o aria2 recebe um arquivo de sessão com os downloads incompletos
help-import = Importar uma lista exportada
    .long =
        { help-import }

        Downloads inacabados são importados pausados: nada começa sozinho. Downloads que já estão na lista não são alterados. Um arquivo incompleto, ou com uma linha inválida, é recusado, e nada dele é importado.
    .file = Arquivo que `ashore export` escreveu; "-" para stdin
    .from = Nome do programa que escreveu o arquivo em vez do Ashore; seus downloads são importados pausados e mantêm seus GIDs
    .unchecked = Importar o arquivo mesmo que tenha sido alterado depois da exportação
help-sync = Compartilhar uma lista criptografada de downloads entre as suas máquinas; sem comando, mostrar o estado da sincronização
    .long =
        { help-sync }

        Um servidor de sincronização guarda a lista (veja `ashore sync-server --help`); ele só fica sabendo de tamanhos e horários. Cada download é feito por uma máquina; as outras o veem e podem comandá-lo. Os arquivos nunca são transferidos.
    .after =
        Exemplos:
          ashore-sync-server invite                escreve um link de configuração, no servidor
          ashore sync setup LINK                   cria a lista, e escreve as 24 palavras dela
          ashore sync invite                       escreve um link para a próxima máquina
          ashore sync join LINK                    nessa máquina
          ashore sync others                       downloads das outras máquinas
          ashore sync ask 6b3f pause               pausa um deles lá
          ashore add URL --to Laptop               baixa um link em outra máquina
help-sync-status = Mostrar se a sincronização está ligada, o que aguarda, e por que a última falhou
help-sync-now = Sincronizar agora
help-sync-setup = Criar uma lista em um servidor, e escrever as 24 palavras de recuperação dela
help-sync-join = Entrar na lista de outra máquina
help-sync-recover = Entrar em uma lista com as palavras de recuperação dela, por exemplo depois que todas as máquinas se perderam
    .long =
        { help-sync-recover }

        As palavras são lidas do terminal, ou de stdin, para que nenhuma lista de processos as mostre.
    .address = Endereço do servidor, como foi escrito com as palavras: HOST:PORTA#IMPRESSÃO
    .uid = Número que foi escrito com as palavras
help-sync-invite = Escrever um link com que uma máquina pode entrar, uma vez, dentro de dez minutos
help-sync-devices = Listar as máquinas da lista
help-sync-remove = Remover uma máquina da lista, e escrever as novas palavras de recuperação
    .long =
        { help-sync-remove }

        A máquina não pode ler nada do que for escrito a partir daí. O que ela já leu, ela mantém.
help-sync-trust = Deixar uma máquina iniciar downloads aqui sem perguntar
    .not = Voltar a perguntar antes que downloads desta máquina comecem
help-sync-words = Escrever as palavras de recuperação da lista
help-sync-conflicts = Listar mudanças que perderam para as de outra máquina, ou resolver uma
    .number = Número do conflito a resolver
    .take = Usar o outro valor no lugar do atual
    .drop = Manter o valor atual
help-sync-others = Listar os downloads das outras máquinas
help-sync-ask = Pedir a outra máquina uma mudança no download dela, ou assumir o download
    .id = Id do download, como `ashore sync others` o escreve, ou os primeiros caracteres dele
    .change = A mudança
    .change-pause = Pausá-lo lá
    .change-resume = Continuá-lo lá
    .change-remove = Removê-lo da lista lá; os arquivos dele ficam
    .change-move-here = Baixá-lo nesta máquina em vez de lá
    .change-fetch-here = Baixá-lo também nesta máquina
help-sync-send = Enviar um download desta máquina a outra
    .id = { help-show.id }
help-sync-sends = Listar os downloads que esta máquina enviou a outras, se foram entregues, e os que esta máquina perdeu
help-sync-rename = Dar a esta máquina outro nome, que as outras máquinas mostram
    .name = Novo nome
help-sync-clear-history = Esquecer downloads passados, em todas as máquinas e no servidor, por exemplo para liberar espaço lá
    .keep = Manter os downloads passados dos últimos DIAS dias; 0 esquece todos
help-sync-leave = Desligar a sincronização nesta máquina; downloads e arquivos ficam
help-browsers = Conectar navegadores, para que a extensão deles entregue downloads ao Ashore; sem comando, listar os navegadores
    .after =
        Exemplos:
          ashore browsers                          os navegadores, e quais estão conectados
          ashore browsers connect                  conecta todos
          ashore browsers connect firefox          conecta o Firefox
          ashore browsers disconnect firefox       desconecta o Firefox
          ashore browsers doctor                   testa cada conexão
          ashore browsers pair                     mostra um código que pareia um navegador
help-browsers-list = Listar os navegadores e se estão conectados
help-browsers-connect = Permitir que a extensão de um navegador entregue downloads ao Ashore
    .long =
        { help-browsers-connect }

        Grava um pequeno arquivo na pasta do navegador. Um arquivo que outro programa gravou ali nunca é alterado. A extensão em si é instalada no navegador.
help-browsers-disconnect = Remover o arquivo que `connect` gravou
help-browsers-doctor = Testar a conexão de cada navegador conectado como o navegador a usaria
    .long =
        { help-browsers-doctor }

        O código de saída é 1 se uma conexão não funciona.
help-browsers-pair = Mostrar um código que pareia um navegador de Flatpak ou snap
    .long =
        { help-browsers-pair }

        Esse navegador não pode iniciar programas. Ative primeiro a configuração browser-channel. O código é digitado no pop-up da extensão e vale uma vez, por cinco minutos.
help-browsers-unpair = Remover navegadores pareados
    .names = Nomes de navegadores pareados conforme `ashore browsers`
help-remote = Conectar e desconectar outros dispositivos e programas; sem comando, listá-los
    .after =
        Exemplos:
          ashore remote                                   os dispositivos e programas conectados
          ashore remote link                              um link e um código QR para um dispositivo
          ashore remote token                             o token para entrar
          ashore remote token --name sonarr --scope add   um token para um programa
          ashore remote sign-out Phone                    desconecta um dispositivo
help-remote-link = Escrever um link que conecta um dispositivo
    .long =
        { help-remote-link }

        O link funciona uma vez, por cinco minutos. Em um terminal, ele também aparece como código QR. `ashore serve --remote` precisa estar em execução.
    .scope = Permissão do dispositivo: tudo, adicionar e ler, ou somente ler
help-remote-token = Escrever o token com que um dispositivo entra
    .long =
        { help-remote-token }

        Com --name, emite um token para um programa e o escreve somente desta vez.
    .name = Nome de um programa que recebe um token próprio
    .scope = Permissão do programa: tudo, adicionar e ler, somente ler, ou somente métricas
    .renew = Substituir o token e desconectar todos os dispositivos
help-remote-list = Listar os dispositivos e programas conectados
help-remote-sign-out = Desconectar dispositivos ou programas
    .names = Nomes conforme `ashore remote list`
help-healthy = Verificar se o Ashore está em execução e pronto
    .long =
        { help-healthy }

        Feito para contêineres e scripts. O código de saída é 0 se o Ashore está pronto, e 1 se não está.
    .url = Perguntar ao servidor para outros dispositivos neste endereço, como http://127.0.0.1:6800, em vez do soquete
help-sync-server = Executar o servidor de sincronização, um programa separado; veja `ashore sync-server --help`
    .arguments = Comando e opções do servidor de sincronização
help-help = Mostrar esta ajuda ou a dos comandos indicados
    .subcommand = Mostrar a ajuda destes comandos
