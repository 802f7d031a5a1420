add = Ajouter
add-hint = Ajouter des téléchargements (Ctrl+N)
add-title = Ajouter des téléchargements
add-links = Liens
    .hint = https://…  un par ligne
add-folder = Dossier
    .hint = Votre dossier de téléchargement
add-name = Nom du fichier
    .hint = Repris du serveur
add-set-title = Titre
    .hint = Repris des fichiers
add-checksum = Somme de contrôle
    .hint = sha-256=… (facultatif)
add-checksum-trouble = Une somme de contrôle se présente ainsi : sha-256= suivi de 64 chiffres et lettres de a à f.
add-together = Ajouter comme
add-one-set = Un lot
add-one-each = Séparément
add-start = Début
add-now = Maintenant
add-next = En premier
add-later = Plus tard (en pause)
add-submit =
    { $count ->
        [one] Ajouter
        [many] Ajouter { $count } de liens
       *[other] Ajouter { $count } liens
    }
add-progress = { $added } sur { $count } ajoutés
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

add-asking = Le serveur est interrogé…
add-wants-sign-in = Le serveur demande une connexion. Renseignez-la ci-dessous, ou utilisez un lien qui porte sa propre autorisation.
add-unsized = Le serveur ne dit pas quelle est sa taille
add-resumes = peut reprendre après une interruption
add-begins-anew = recommence du début après une interruption

add-answer-gone = La réponse du serveur a expiré. { -ashore } interrogera de nouveau le serveur à l’ajout.
add-is-there = Ce lien est déjà dans la liste
add-is-there-otherwise = Un lien vers le même endroit est déjà dans la liste
add-are-all-there = Tous ces liens sont déjà dans la liste
add-are-there =
    { $count ->
        [one] { $count } de ces liens est déjà dans la liste
        [many] { $count } de ces liens sont déjà dans la liste
       *[other] { $count } de ces liens sont déjà dans la liste
    }
add-are-unfinished =
    { $count ->
        [one] { $count } d’entre eux est inachevé et peut être repris avec ce lien
        [many] { $count } d’entre eux sont inachevés et peuvent être repris avec ces liens
       *[other] { $count } d’entre eux sont inachevés et peuvent être repris avec ces liens
    }
add-repeat = Qu’en faire
add-go-on = Continuer celui de la liste
add-go-on-many = Continuer les inachevés
add-skip = Omettre
add-again = Télécharger de nouveau
add-taken = Le dossier contient déjà quelque chose du nom de { $name }. Cela reste, et ce fichier reçoit un numéro après son nom.

add-along = Connexion, cookies et en-têtes
add-user = Nom d’utilisateur
add-password = Mot de passe
add-keep = Conserver la connexion et les cookies dans le trousseau
add-cookies = Cookies
    .hint = nom=valeur; autre=valeur, ou les lignes d’un cookies.txt
add-headers = En-têtes
    .hint = Nom: valeur
add-headers-trouble = La ligne { $line } des en-têtes n’en est pas un. Un en-tête se présente ainsi : Nom: valeur.

add-list-too-large = Ce fichier est trop grand pour être une liste de liens. Une longue liste s’ajoute avec : ashore add -i FILE.

new-link = Nouveau lien
new-folder = Autre dossier
relink = Nouveau lien…
relink-question = Continuer avec un autre lien ?
    .body = { -ashore } compare le fichier partiel avec le fichier du nouveau lien. S’ils diffèrent, le téléchargement recommence.
    .link = Nouveau lien vers le même fichier
    .submit = Utiliser ce lien
    .open = Ouvrir la page dans le navigateur
    .open-about = Ouvrez la page du lien et cliquez-y sur le fichier. Le téléchargement continue alors si l’extension a accès à tous les sites et confie chaque clic.

action-anyway = Lancer quand même
action-free-space = Libérer de l’espace
action-sign-in = Se connecter
sign-in-question = Se connecter et réessayer ?
    .body = { $host } demande une connexion. Votre nom d’utilisateur et votre mot de passe ne sont envoyés qu’à ce serveur.
    .submit = Se connecter
