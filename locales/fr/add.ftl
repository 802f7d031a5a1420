add = Ajouter
add-hint = Ajouter des téléchargements (Ctrl+N)
add-title = Ajouter des téléchargements
add-links = Liens
    .hint = https://…  un par ligne
add-folder = Dossier
    .hint = Votre dossier de téléchargement
add-name = Titre
    .hint = Repris du fichier
    .hint-set = Repris des fichiers
add-checksum = Somme de contrôle
    .hint = sha-256=… (facultatif)
add-checksum-trouble = Une somme de contrôle se présente ainsi : sha-256= suivi de 64 chiffres et lettres de a à f.
add-together = Ajouter comme
add-one-set = Un lot
add-one-each = Séparément
add-start = Début
add-now = Maintenant
add-later = Plus tard
add-submit =
    { $count ->
        [one] Ajouter
        [many] Ajouter { $count } de liens
       *[other] Ajouter { $count } liens
    }
add-understood =
    { $count ->
        [one] { $count } lien compris
        [many] { $count } de liens compris
       *[other] { $count } liens compris
    }
add-misunderstood =
    { $count ->
        [one] { $count } ligne non
        [many] { $count } de lignes non
       *[other] { $count } lignes non
    }
add-none-understood =
    { $count ->
        [one] Cette ligne n’est pas un lien
        [many] Aucune de ces lignes n’est un lien
       *[other] Aucune de ces lignes n’est un lien
    }
add-line-number = Ligne { $number }
add-link-count =
    { $count ->
        [one] { $count } lien
        [many] { $count } de liens
       *[other] { $count } liens
    }
add-from-to = { $first } à { $last }
add-signs-in = avec connexion
add-and-more =
    { $count ->
        [one] et { $count } autre
        [many] et { $count } d’autres
       *[other] et { $count } autres
    }
add-partly = { add-partly-added } { add-partly-left } { $text }
add-partly-added =
    { $added ->
        [one] { $added } lien a été ajouté.
        [many] { $added } de liens ont été ajoutés.
       *[other] { $added } liens ont été ajoutés.
    }
add-partly-left =
    { $count ->
        [one] Celui qui reste ici ne l’a pas été :
        [many] Les { $count } qui restent ici ne l’ont pas été :
       *[other] Les { $count } qui restent ici ne l’ont pas été :
    }
