add = Ajouter
add-hint = Ajouter des liens (Ctrl+N)
add-title = { empty.action }
add-links = Liens
    .hint = Collez des liens, un par ligne
add-folder = Dossier
    .hint = Votre dossier de téléchargement
add-name = Nom du fichier
    .hint = Automatique
add-set-title = Nom
    .hint = Automatique
add-checksum = Somme de contrôle
    .hint = sha-256=… (facultatif)
add-checksum-trouble = Une somme de contrôle se présente ainsi : sha-256= suivi de 64 chiffres et lettres de a à f.
add-together = Grouper
add-one-set = Un groupe
add-one-each = Séparément
add-start = Début
add-now = Maintenant
add-next = En tête de file
add-later = Ajouter en pause
add-submit =
    { $count ->
        [one] Ajouter
        [many] Ajouter { $count } de liens
       *[other] Ajouter { $count } liens
    }
add-progress = { $added } sur { $count } ajoutés
add-understood =
    { $count ->
        [one] { $count } lien trouvé
        [many] { $count } de liens trouvés
       *[other] { $count } liens trouvés
    }
add-misunderstood =
    { $count ->
        [one] { $count } ligne ignorée
        [many] { $count } de lignes ignorées
       *[other] { $count } lignes ignorées
    }
add-none-understood =
    { $count ->
        [one] Aucun lien trouvé
        [many] Aucun lien trouvé
       *[other] Aucun lien trouvé
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
add-wants-sign-in = Connexion requise. Saisissez votre nom d’utilisateur et votre mot de passe.
add-unsized = Taille inconnue
add-resumes = Reprise possible
add-begins-anew = Reprise impossible

add-answer-gone = La réponse du serveur a expiré. { -ashore } l’interrogera de nouveau.
add-is-there = Déjà dans votre liste
add-is-there-otherwise = Ressemble à un téléchargement que vous avez déjà
add-are-all-there = Tous ces liens sont déjà dans votre liste
add-are-there =
    { $count ->
        [one] { $count } de ces liens est déjà dans votre liste
        [many] { $count } de ces liens sont déjà dans votre liste
       *[other] { $count } de ces liens sont déjà dans votre liste
    }
add-are-unfinished =
    { $count ->
        [one] { $count } peut reprendre avec ce lien
        [many] { $count } peuvent reprendre avec ces liens
       *[other] { $count } peuvent reprendre avec ces liens
    }
add-repeat = Doublons
add-go-on = Reprendre l’existant
add-go-on-many = Reprendre les inachevés
add-skip = Ignorer
add-again = Télécharger de nouveau
add-taken = « { $name } » existe déjà. Le nouveau fichier sera numéroté.

add-along = Connexion, cookies et en-têtes
add-user = Nom d’utilisateur
add-password = Mot de passe
add-keep = Enregistrer dans le trousseau
add-cookies = Cookies
    .hint = nom=valeur; autre=valeur, ou les lignes d’un cookies.txt
add-headers = En-têtes
    .hint = Nom: valeur
add-headers-trouble = La ligne d’en-tête { $line } n’est pas valide. Écrivez Nom: valeur.

add-list-too-large = Ce fichier est trop grand. Utilisez ashore add -i FILE.

new-link = Changer le lien
new-folder = Changer de dossier…
relink = Changer le lien…
relink-question = Continuer avec un autre lien ?
    .body = Votre fichier partiel est conservé si le nouveau lien mène au même fichier. Sinon, le téléchargement recommence.
    .link = Nouveau lien vers le même fichier
    .submit = Utiliser ce lien
    .open = Ouvrir la page dans le navigateur
    .open-about = Ouvrez la page du lien et cliquez-y sur le fichier. Le téléchargement continue alors si l’extension a accès à tous les sites et confie chaque clic.

action-anyway = Lancer quand même
action-free-space = Ouvrir le dossier
action-sign-in = Se connecter
sign-in-question = Se connecter et réessayer ?
    .body = Votre nom d’utilisateur et votre mot de passe ne sont envoyés qu’à { $host }.
    .submit = Se connecter
