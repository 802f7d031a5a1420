search = Buscar
search-hint = Buscar downloads (Ctrl+F)
search-clear = Limpar a busca
filters = Mostrar
filters-wide = Mostrar barra lateral
filter-all = Todos
filter-running = Em andamento
filter-waiting = Na fila
filter-paused = Pausados
filter-done = Concluídos
filter-failed = Com falha
filter-cancelled = Cancelados
kinds = Tipos de arquivo
kind-video = Vídeo
kind-music = Áudio
kind-picture = Imagens
kind-document = Documentos
kind-archive = Compactados
kind-program = Programas
kind-other = Outros
sort-by = Ordenar por
sorted-by = Ordem: { $name }
    .reversed = Ordem: { $name }, invertida
sort-newest = Mais recentes primeiro
sort-name = Nome
sort-size = Tamanho
sort-progress = Progresso
sort-speed = { details-speed }
sort-left = Tempo restante
sort-reverse = Inverter a ordem
column-added = { about-created }
column-left = Restante
columns = Colunas
in-turn = Ordem da fila
dense = Linhas compactas
chosen =
    { $count ->
        [one] { $count } selecionado
        [many] { $count } selecionados
       *[other] { $count } selecionados
    }
downloads = Downloads
reading = Carregando…
reading-file = { reading }
read-again = Tentar de novo
list-failed = Não foi possível ler a lista
more = Mais
close = Fechar
cancel = Cancelar
choose = Escolher…

totals-slow-hours = horas lentas

row-sending = Enviando { $part }
row-connecting = Conectando
row-stalled = sem dados
row-failed-files =
    { $count ->
        [one] { $count } com falha
        [many] { $count } com falha
       *[other] { $count } com falha
    }
row-failed-files-because = { row-failed-files }: { $why }
row-paused-with-everything = Em pausa (tudo em pausa)
row-paused-at-percent = Em pausa em { percent }
row-paused-at = Em pausa em { $amount }
row-not-started = ainda não iniciado
row-waits-because = Na fila: { $why }
row-waits-slots = Na fila: { n-files } por vez
row-waits-server = Na fila: { $count } por vez de { $host }
row-tries = Nova tentativa
row-tries-because = Nova tentativa: { $why }
row-tries-in = Nova tentativa em { $time }
row-tries-in-because = Nova tentativa em { $time }: { $why }
row-done = Concluído { $moment }
row-verified = verificado
row-size-unknown = tamanho desconhecido
row-cancelled = Cancelado
row-awaits-link = Clique no arquivo no navegador. O clique continua este download.
row-awaits-link-other = O clique no navegador foi em outro arquivo ({ $name }), que é um download à parte.
row-sign-in-again = O servidor recusa este download. Entre de novo no navegador e clique no link lá.
row-cancelled-at = Cancelado { $moment }
row-files-kept = { files-of } mantidos
row-kept = { $amount } mantidos
row-all-failed =
    { $count ->
        [one] { $count } arquivo falhou: { $why }
        [many] Todos os { $count } de arquivos falharam: { $why }
       *[other] Todos os { $count } arquivos falharam: { $why }
    }
row-some-failed = Falha em { files-of }: { $why }

retry-failed = Tentar de novo
try-now = Tentar agora
start-now = Iniciar agora
remove = Remover
to-the-top = Mover para o início
to-the-end = Mover para o fim
copy-link = Copiar link
copy-links = Copiar links
copy-command = Copiar como cURL
cancel-asking = Cancelar download…
remove-from-list = Remover da lista
remove-from-list-asking = Remover da lista…
remove-with-files-asking = Excluir arquivos…
rename = Renomear na lista…
rename-field = Nome na lista
files-show = Mostrar arquivos
files-hide = Ocultar arquivos
drag = Arraste para mudar a ordem (Alt+Acima, Alt+Abaixo)
progress-of = Progresso de { $title }
action-on = { $action }: { $title }

many-pause = Pausar { n-downloads-object }
many-resume = Retomar { n-downloads-object }
many-start = Iniciar { n-downloads-object } agora
many-top = Mover { n-downloads-object } para o início
many-end = Mover { n-downloads-object } para o fim
many-retry = Tentar { n-downloads-object } de novo
many-copy = Copiar links de { n-downloads }
many-cancel = Cancelar { n-downloads-object }…
many-remove = Remover { n-downloads-object }
many-remove-asking = Remover { n-downloads-object }…
many-remove-files-asking = Excluir os arquivos de { n-downloads-object }…

empty = Cole um link para começar
    .body = Copie o endereço de um arquivo e pressione Ctrl+V em qualquer lugar desta janela. Vários links de uma vez também servem: um por linha.
    .action = Adicionar links
    .after = Você pode fechar esta janela. Os downloads continuam em segundo plano.
    .drop = Você também pode soltar links ou arquivos com links nesta janela.
    .browsers = Conecte o seu navegador nas configurações, e o { -ashore } receberá os downloads dele.
drop-here = Solte aqui links ou arquivos com links
nothing-found = Nada encontrado
    .search = Nenhum download aqui contém “{ $text }”.
    .kind = Não há nada do tipo “{ $kind }” aqui.
    .all-kinds = Mostrar todos os tipos
nothing-all = A lista está vazia.
nothing-running = Nenhum download em andamento.
nothing-waiting = A fila está vazia.
nothing-paused = Nenhum download está pausado.
nothing-done = Nenhum download concluído.
nothing-failed = Nenhum download com falha.
nothing-cancelled = Nenhum download foi cancelado.

remove-question =
    { $count ->
        [one] Remover da lista?
        [many] Remover { n-downloads-object } da lista?
       *[other] Remover { n-downloads-object } da lista?
    }
    .keeps = Os arquivos baixados ficam onde estão.
    .files = Mover também os arquivos para a lixeira
    .deletes =
        { $count ->
            [one] O download também é removido da lista.
            [many] Os downloads também são removidos da lista.
           *[other] Os downloads também são removidos da lista.
        }
    .submit =
        { $count ->
            [one] Remover
            [many] Remover { n-downloads-object }
           *[other] Remover { n-downloads-object }
        }
    .title-files = Mover os arquivos para a lixeira?
    .submit-files = Remover e mover para a lixeira
remove-loses-all =
    { $count ->
        [one] Os dados parciais deste download serão excluídos.
        [many] Os dados parciais destes downloads serão excluídos.
       *[other] Os dados parciais destes downloads serão excluídos.
    }
remove-loses-some =
    { $count ->
        [one] { $count } deles não está concluído. Seus dados parciais serão excluídos.
        [many] { $count } deles não estão concluídos. Seus dados parciais serão excluídos.
       *[other] { $count } deles não estão concluídos. Seus dados parciais serão excluídos.
    }
cancel-question =
    { $count ->
        [one] Cancelar este download?
        [many] Cancelar { n-downloads-object }?
       *[other] Cancelar { n-downloads-object }?
    }
    .body =
        { $count ->
            [one] Seus arquivos parciais serão excluídos. Os arquivos concluídos são mantidos.
            [many] Seus arquivos parciais serão excluídos. Os arquivos concluídos são mantidos.
           *[other] Seus arquivos parciais serão excluídos. Os arquivos concluídos são mantidos.
        }
    .submit =
        { $count ->
            [one] Cancelar download
            [many] Cancelar { n-downloads-object }
           *[other] Cancelar { n-downloads-object }
        }
    .keep = Continuar baixando

notices = Mensagens
notice-dismiss = Dispensar
notice-copied =
    { $count ->
        [one] Link copiado.
        [many] { $count } de links copiados.
       *[other] { $count } links copiados.
    }
notice-command-copied = Copiado como cURL.
    .without = Copiado como cURL, sem estes cabeçalhos, porque podem ser secretos: { $headers }
notice-again-without = “{ $title }” é baixado de novo, sem estes cabeçalhos, porque podem ser secretos: { $headers }
notice-not-copied = Não foi possível copiar os links. O ambiente não permite isso no momento.
notice-not-for-all = Isto não foi feito para { $refused } de { n-downloads }: { $text }
notice-offered =
    { $count ->
        [one] Você copiou um link. Adicionar?
        [many] Você copiou { $count } de links. Adicionar?
       *[other] Você copiou { $count } links. Adicionar?
    }
notice-removed =
    { $count ->
        [one] Removido da lista: { $title }
        [many] { $count } de downloads foram removidos da lista.
       *[other] { $count } downloads foram removidos da lista.
    }
notice-files-go = Os arquivos vão para a lixeira em alguns segundos.
notice-undo = Desfazer
notice-undo-hint = Desfazer (Ctrl+Z)
notice-back =
    { $count ->
        [one] “{ $title }” restaurado
        [many] { $count } de downloads restaurados
       *[other] { $count } downloads restaurados
    }
notice-are-next =
    { $count ->
        [one] { $count } download é o próximo.
        [many] { $count } de downloads são os próximos.
       *[other] { $count } downloads são os próximos.
    }
notice-are-last =
    { $count ->
        [one] { $count } download movido para o fim
        [many] { $count } de downloads movidos para o fim
       *[other] { $count } downloads movidos para o fim
    }
notice-is-next = “{ $title }” é o próximo.
notice-is-last = “{ $title }” movido para o fim
notice-is-number = “{ $title }” é o número { $number } de { $count }.
notice-was-waiting = “{ $title }” já estava na lista. É o próximo.
notice-was-running = “{ $title }” já está em andamento.

keys = Atalhos de teclado
keys-hint = Atalhos de teclado (F1)
keys-choosing = Selecionar
keys-doing = Downloads selecionados
keys-queue = Ordem da fila
keys-anywhere = Em qualquer lugar
keys-go = Percorrer a lista
keys-choose-more = Selecionar mais, ou clicar com Shift
keys-choose-everything = Selecionar tudo
keys-choose-one = Voltar a um só
keys-open = Abrir o arquivo, ou mostrar os arquivos de um grupo
keys-files = Mostrar ou ocultar os arquivos de um grupo
keys-details = Detalhes do download
keys-pause = Pausar ou retomar
keys-copy = Copiar os links
keys-rename = Renomear na lista
keys-remove = Remover da lista
keys-remove-files = Excluir arquivos
keys-menu = Abrir o menu com todas as ações
keys-move = Uma posição acima ou abaixo
keys-move-far = Mover para o início ou para o fim
keys-paste = Adicionar os links da área de transferência
keys-add = { empty.action }
keys-search = Buscar
keys-undo = Desfazer a última remoção
keys-settings = Abrir as configurações, ou voltar à lista
keys-keys = Este resumo
keys-close = Fechar a janela; os downloads continuam
keys-quit = Sair do { -ashore }

key-ctrl = Ctrl
key-alt = Alt
key-shift = Shift
key-space = Espaço
key-up = Acima
key-down = Abaixo
key-left = Esquerda
key-right = Direita
key-page-up = Page Up
key-page-down = Page Down
key-home = Home
key-end = End
key-enter = Enter
key-escape = Esc
key-delete = Del
key-menu = Menu

afterwards-is = { afterwards }: { $then }
limit-is = Limite de velocidade: { $limit }
limit-other = Outro…
limit-asking = { limit }…
limit-field = Limite
    .hint = { limit.none }
    .wrong = Digite um número ou deixe o campo vazio.
    .submit = Definir limite

limit-unit = Unidade
