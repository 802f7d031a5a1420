add = Adicionar
add-hint = Adicionar downloads (Ctrl+N)
add-title = Adicionar downloads
add-links = Links
    .hint = https://…  um por linha
add-folder = Pasta
    .hint = Sua pasta de downloads
add-name = Título
    .hint = Tirado do arquivo
    .hint-set = Tirado dos arquivos
add-checksum = Soma de verificação
    .hint = sha-256=… (opcional)
add-checksum-trouble = Uma soma de verificação é assim: sha-256= seguido de 64 dígitos e letras de a até f.
add-together = Adicionar como
add-one-set = Um grupo
add-one-each = Separados
add-start = Iniciar
add-now = Agora
add-later = Depois
add-submit =
    { $count ->
        [one] Adicionar
        [many] Adicionar { $count } de links
       *[other] Adicionar { $count } links
    }
add-understood =
    { $count ->
        [one] { $count } link entendido
        [many] { $count } de links entendidos
       *[other] { $count } links entendidos
    }
add-misunderstood =
    { $count ->
        [one] { $count } linha não
        [many] { $count } de linhas não
       *[other] { $count } linhas não
    }
add-none-understood =
    { $count ->
        [one] Esta linha não é um link
        [many] Nenhuma destas linhas é um link
       *[other] Nenhuma destas linhas é um link
    }
add-line-number = Linha { $number }
add-link-count =
    { $count ->
        [one] { $count } link
        [many] { $count } de links
       *[other] { $count } links
    }
add-from-to = { $first } a { $last }
add-signs-in = com login
add-and-more = e mais { $count }
add-partly = { add-partly-added } { add-partly-left } { $text }
add-partly-added =
    { $added ->
        [one] { $added } link foi adicionado.
        [many] { $added } de links foram adicionados.
       *[other] { $added } links foram adicionados.
    }
add-partly-left =
    { $count ->
        [one] O que ficou aqui não foi:
        [many] Os { $count } que ficaram aqui não foram:
       *[other] Os { $count } que ficaram aqui não foram:
    }
