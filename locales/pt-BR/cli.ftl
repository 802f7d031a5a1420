cli-state =
    .pending = pendente
    .running = em andamento
    .waiting = na fila
    .paused = em pausa
    .done = concluído
    .aborted = cancelado
    .failed = com falha

cli-column =
    .id = ID
    .state = ESTADO
    .progress = FEITO
    .size = TAMANHO
    .title = TÍTULO
    .used = USADO
    .most = DE
    .files = ARQUIVOS
    .owner = PARA
    .added = NOVOS
    .succeeded = FEITOS
    .failed = FALHAS
    .retried = REPETIDOS
    .speed = VELOCIDADE
    .left = RESTA

cli-queued = aguardando a vez
cli-everything-paused = tudo está em pausa; `ashore resume` continua
cli-next-try = { $why } Próxima tentativa às { $time }
cli-redirected = redirecionado para { $url }
cli-under-way = em andamento
cli-milliseconds = { $count } ms
cli-unknown-time = um momento desconhecido
cli-optional = opcional
cli-no-file = nenhum arquivo chegou
cli-checked =
    .digest = soma de verificação correta ({ $kind })
    .digest-of-unknown-kind = soma de verificação correta
    .on-resume = tamanho correto, comparado ao retomar
    .size-unknown = tamanho desconhecido, sem soma de verificação para comparar
    .unverified = tamanho correto, não verificado: sem soma de verificação para comparar
    .none = não verificado

cli-list-empty = { nothing-all } Adicione algo com `ashore add URL`.
cli-all-paused = Tudo está em pausa.
cli-paused = Em pausa.
cli-all-resumed = Tudo continua.
cli-resumed = Retomado.
cli-cancelled = Cancelado. Os arquivos completos são mantidos.
cli-relinked = O link foi substituído. O download continua com o novo link e mantém os bytes que já tem.
cli-ended-already = Este download já tinha terminado; nada foi alterado.
cli-folder-changed = Os arquivos estão agora em { $path }.
cli-nothing-to-retry = Nada falhou neste download.
cli-retried =
    { $count ->
        [one] Um arquivo é tentado de novo.
        [many] { $count } de arquivos são tentados de novo.
       *[other] { $count } arquivos são tentados de novo.
    }
cli-removed = Removido da lista.
cli-first = Este download é o próximo.
cli-moved = Movido.
cli-changed = Alterado.
cli-nothing-runs = Nenhum programa em execução faz este download agora: abra a janela ou inicie `ashore serve`.
cli-still-paused = Tudo está em pausa, então nenhum download avança. `ashore resume` sem id retoma tudo.
cli-watch-more = e mais { $count }
cli-watch-end = Ctrl-C fecha esta lista. Os downloads continuam.

cli-field =
    .id = id
    .own-name = nome próprio
    .owner = pedido por
    .state = estado
    .failure = motivo
    .folder = pasta
    .page = página
    .created = criado
    .settled = terminado
    .expires = fica até

cli-added = { $links } na lista, como { $downloads }.
cli-add-moved = Isto já está na lista. Agora está no topo; --again adiciona mais uma vez.
    .some = Alguns destes links já estavam na lista. Agora estão no topo; --again os adiciona mais uma vez.
cli-add-running = Isto já está em andamento. --again adiciona mais uma vez.
    .some = Alguns destes links já estão em andamento. --again os adiciona mais uma vez.
cli-add-netrc = Um arquivo netrc é lido pelo { -ashore } que faz o download. Indique o arquivo nas configurações: netrc = "~/.netrc".
cli-add-stopped = O que { $list } tem antes da linha { $line } está na lista: { $links }, como { $downloads }. O resto não.
cli-add-continue = Continue a partir daí com: { $command }

cli-get-options-unused = Outro { -ashore } baixa isto, e valem as configurações dele: --parallel e --connections não têm efeito.
cli-get-removed = Este download foi removido da lista.
cli-get-known = Isto já está na lista e não está concluído. O download continua.
cli-get-others =
    { $count ->
        [one] Um outro download ainda não está concluído. `ashore serve` continua a lista.
        [many] Outros { $count } de downloads ainda não estão concluídos. `ashore serve` continua a lista.
       *[other] Outros { $count } downloads ainda não estão concluídos. `ashore serve` continua a lista.
    }
cli-get-summary = { $files }, { $size }, em { $path }
cli-get-stopped = Interrompido; tudo o que chegou foi mantido ({ $size }).
    .next = Continue com `{ $get }`, ou em segundo plano com `{ $serve }`.
cli-get-left = O download continua sem você.
    .next = Acompanhe-o com `{ $get }`, pause-o com `{ $pause }`.

cli-serve-ready = O { -ashore } está pronto e trabalha em { $path }. Ctrl-C o encerra; tudo é mantido.
    .short = O { -ashore } está pronto.
cli-serve-remote = Outros dispositivos podem abrir { $url }
cli-serve-plain = Toda a rede pode ler o tráfego com outros dispositivos, porque ele não tem TLS. Use um proxy com TLS e --public-url.
cli-serve-stopped = Encerrado; tudo é mantido.
cli-healthy = O { -ashore } está em execução e pronto.
    .not = O { -ashore } não está pronto em { $place } ({ $why }). Inicie-o ou veja o registro dele.
cli-serve-kept = { $id } fica na lista embora seu tempo tenha passado: { $why }
    .all = Os downloads terminados ficam por enquanto na lista: { $why }

cli-password-of = Senha de { $user } em { $server }:
cli-token-for = Token para { $server }:
cli-signed-in =
    .system = Conectado a { $server }. O chaveiro guarda o acesso; `ashore sign-out { $server }` o esquece.
    .file = Conectado a { $server }. Nenhum chaveiro funciona aqui, então o acesso fica em um arquivo que só você pode ler; `ashore sign-out { $server }` o esquece.
    .memory = Conectado a { $server } enquanto este { -ashore } estiver em execução.
cli-sign-in-of-link = O nome e a senha do link ficam guardados para { $server }, e não na lista; `ashore sign-out { $server }` os esquece.
cli-signed-out = Esquecido.
    .unknown = Nada estava guardado para este servidor.
cli-no-sign-ins = Nada está guardado para nenhum servidor. Entre com `ashore sign-in URL --user NAME`.
cli-kept-in =
    .system = chaveiro
    .file = arquivo
    .memory = memória
cli-cookies-unusable = Nenhum dos cookies em { $path } pode ser usado. Talvez tenham expirado.

cli-limit-set =
    .all = Tudo junto está limitado a { $speed }.
    .host = Tudo o que vem de { $host } está limitado a { $speed }.
    .download = Este download está limitado a { $speed }.
cli-limit-removed =
    .all = Tudo junto não tem limite próprio.
    .host = O que vem de { $host } não tem limite próprio.
    .download = Este download não tem limite próprio.
cli-no-limits = Nada está limitado. `ashore limit 2M` limita tudo junto a 2 MiB por segundo.
cli-limit-of =
    .all = tudo
    .host = de { $host }

cli-quota-set = A lista pode ter { $amount } de { $owner }.
cli-quota-removed = Não há cota para { $owner }.
cli-no-quotas = Nada está limitado, e não há nada. `ashore quota command-line 10G` define uma cota.
cli-everybody = todos

cli-statistics-empty = Nada foi adicionado até hoje. Adicione algo com `ashore add URL`.
cli-statistics =
    .all = no total
    .window = janela
    .command-line = linha de comando
    .feed = feeds
    .clipboard = área de transferência
    .device = outros dispositivos
    .browser = navegadores
    .program = programas

cli-not-default = não é o padrão

cli-exported = Salvo em { $path }: { $downloads }, { $files }.
    .pipe = Salvo: { $downloads }, { $files }.
cli-imported = Incorporado: { $downloads }, { $files }. O que não está concluído está em pausa: `ashore resume` continua.
cli-import-skipped = Entradas que não podem ser importadas, como torrents e links FTP: { $count }.

cli-find-nothing = Nenhum download inacabado se chama { $name }.
cli-match-nothing = Nenhum arquivo deste download tem este link.
cli-acknowledged = Confirmado.
    .unknown = Este aviso de fim não está pendente; nada foi alterado.
cli-cleared = Retirado da lista: { $count } de { $owner }.
cli-reset = Cancelado: { $count } de { $owner }.
cli-owner-removed = Removido, com tudo o que este proprietário pediu. Os arquivos completos ficam.
cli-queue-stats = total { $total }, êxitos { $successes }, falhas { $failures }

cli-doctor =
    .list = lista
    .holder = em uso por
    .copy = cópia
    .file = arquivo
    .step = etapa
    .gate = condição
    .setting = ajuste
    .folder = pasta
    .partial = parcial
    .orphan = órfão
    .repaired = reparado
    .counter = contador
cli-doctor-list = { $path } (versão { $version }): { $state }
cli-doctor-sound = em ordem
cli-doctor-nobody = ninguém
cli-doctor-partial = { $path } ({ $size }, de { $id })
cli-doctor-orphan = { $path } ({ $size }, de { $url })
cli-doctor-orphans = Um órfão é um arquivo parcial que não está na lista. Ele é mantido até que você o remova; `ashore adopt` continua com ele.
cli-doctor-repair = Alguns contadores não conferem com os downloads que contam. `ashore doctor --repair` os recalcula.
cli-doctor-contradiction = Alguns registros se contradizem, e não se pode provar qual está certo. Compare os arquivos com a origem, ou remova os downloads e adicione-os de novo.
cli-doctor-damage = O dano foi encontrado em { $moment }: { $why }.
    .undated = O dano: { $why }.
cli-adopt-nothing = Não há arquivo parcial sem download que possa ser continuado.

cli-gate =
    .bootstrap = primeiro início
    .paused = pausa
    .asleep = suspensão
    .hours = horários
    .offline = rede
    .captive-portal = acesso à rede
    .metered = custo da rede
    .battery = bateria
    .in-use = em uso
    .disk = espaço livre
    .folder = pasta
    .quota = cota
cli-gate-state =
    .open = aberta
    .closed = fechada
    .unknown = desconhecida

cli-step =
    .data-folder = pasta de dados
    .ledger = lista
    .defaults = valores iniciais
    .download-folder = pasta de downloads
    .keychain = chaveiro
    .notifications = notificações
cli-step-state =
    .done = feito
    .not-available = não disponível aqui ({ $why })
    .failed = falhou e será repetido ({ $why })
    .due = previsto para o próximo início

cli-miscount =
    .counters = { $name }: os contadores não são os dos seus arquivos
    .lanes = { $name }: a fila não é a dos seus arquivos, então o download pode esperar sem motivo
    .usage = { $name }: os bytes e arquivos que contam para a cota não são os dos seus downloads
    .name = { $name }: se o nome está ocupado não confere com o estado
    .unsettled = { $name }: não há mais nada a fazer, e não está terminado
    .digest = { $name }: um arquivo completo tem outra soma de verificação que a do seu arquivo de somas
    .response = { $name }: um arquivo está completo sem registro dele, ou o contrário

cli-sync-on = A sincronização está ativada. Esta máquina é “{ $name }”, e o servidor é { $address }.
cli-sync-key = Impressão digital da chave, a mesma em todas as suas máquinas: { $fingerprint }
cli-sync-conflicts =
    { $count ->
        [one] { $count } alteração perdeu para a de outra máquina. Veja `ashore sync conflicts`.
        [many] { $count } de alterações perderam para as de outra máquina. Veja `ashore sync conflicts`.
       *[other] { $count } alterações perderam para as de outra máquina. Veja `ashore sync conflicts`.
    }
cli-sync-column =
    .collection = COLEÇÃO
    .records = AQUI
    .waiting = EM ESPERA
    .held = NÃO LIDO
    .machine = MÁQUINA
    .seen = VISTA
cli-sync-words = Anote estas 24 palavras, o endereço e o número. Sem eles, não é possível recuperar a lista.
cli-sync-place = Endereço: { $address }
cli-sync-user = Número: { $uid }
cli-sync-set-up = A lista está criada. Execute `ashore sync invite` para obter um link com o qual a próxima máquina entra.
cli-sync-joined = Esta máquina entrou na lista.
cli-sync-invite = Execute este comando na outra máquina em até dez minutos. O link funciona uma vez.
cli-sync-done = Recebido: { $received }. Enviado: { $sent }.
cli-sync-restored = O servidor tinha perdido uma parte da lista. Ela foi enviada de novo desta máquina.
cli-sync-arrived = Outra máquina enviou: { $title }
cli-sync-left = A sincronização está desativada nesta máquina. Os downloads e arquivos dela ficam.
cli-sync-removed = { $machine } não consegue ler nada do que for escrito a partir de agora. Estas são as novas palavras da lista.
cli-sync-own = esta máquina
cli-sync-no-conflicts = Não há conflitos.
cli-sync-conflict = { $number }  { $title }: { $sentence }
cli-sync-resolved = Feito. As outras máquinas recebem a alteração na próxima sincronização.
cli-sync-dropped = A alteração que prevaleceu permanece.
cli-sync-trust =
    .starts = Os downloads que { $machine } envia agora começam sem perguntar.
    .waits = Os downloads que { $machine } envia agora esperam até você iniciá-los.
cli-sync-no-others = As outras máquinas não têm downloads.
cli-sync-sent = Enviado para { $machine }.
cli-sync-secret = Palavras ou link (não aparece):
cli-sync-no-sends = Esta máquina não enviou nenhum download.
cli-sync-send =
    .waiting = { $title }: { $machine } ainda não o buscou.
    .delivered = { $title }: entregue a { $machine }.
    .refused = { $title }: { $machine } não o aceitou.
    .expired = { $title }: { $machine } não foi ligada por 30 dias; isto não foi entregue.
    .missed = { $title }: { $machine } o enviou, mas esta máquina ficou desligada por 30 dias. Pode ser enviado de novo de lá.

# Browsers in `ashore browsers`.
cli-browser =
    .connected = conectado ({ $program })
    .not-connected = não conectado
    .none = não instalado
    .foreign = outro programa escreveu { $path }
cli-browsers-connected = O { $browser } está conectado. Instale também a extensão no navegador.
cli-browsers-unchanged = O { $browser } já estava conectado.
cli-browsers-disconnected = O { $browser } está desconectado.
cli-browsers-nothing = O { $browser } não tem conexão para remover.
cli-browsers-of-package = O { $browser } continua conectado por um pacote do sistema, que instalou { $path }. Para desconectá-lo, remova a extensão do navegador.
cli-browsers-none = { browsers-empty }
cli-browsers-well = { $browser }: a conexão funciona, e o { -ashore } está em execução.
cli-browsers-well-idle = { $browser }: a conexão funciona. O { -ashore } inicia quando o navegador precisa dele.
cli-browsers-paired = pareado
cli-browsers-code = Digite este código no pop-up da extensão em até cinco minutos: { $code }
cli-browsers-unpaired = O { $browser } não está mais pareado.
cli-remote-link = Abra este link no outro dispositivo em até cinco minutos: { $url }
cli-remote-local = Somente esta máquina pode abrir o link. Inicie `ashore serve` com --listen para alcançá-lo de outros dispositivos.
cli-remote-none = Nenhum dispositivo ou programa está conectado.
cli-remote-device = dispositivo
cli-remote-program = programa
cli-remote-signed-out = { $name } foi desconectado.
cli-remote-renewed = Todos os dispositivos foram desconectados.
cli-explains = `{ $command }` explica os argumentos.
