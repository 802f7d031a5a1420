search = Rechercher
search-hint = Rechercher un téléchargement (Ctrl+F)
search-clear = Effacer la recherche
filters = Afficher
filters-wide = Liste de filtres large
filter-all = Tous
filter-running = En cours
filter-waiting = En attente
filter-done = Terminés
filter-failed = Échoués
filter-cancelled = Annulés
kinds = Types de fichiers
kind-video = Vidéos
kind-music = Audio
kind-picture = Images
kind-document = Documents
kind-archive = Archives
kind-program = Programmes
kind-other = Autres
sort-by = Trier par
sorted-by = Tri : { $name }
sort-newest = Plus récents d’abord
sort-name = Nom
sort-size = Taille
sort-progress = Progression
sort-speed = { details-speed }
sort-left = Temps restant
column-added = { about-created }
columns = Colonnes
in-turn = Ordre de la file d’attente
dense = Lignes compactes
chosen =
    { $count ->
        [one] { $count } sélectionné
        [many] { $count } sélectionnés
       *[other] { $count } sélectionnés
    }
downloads = Téléchargements
reading = Lecture de la liste
reading-file = Lecture
read-again = Réessayer
list-failed = La liste n’a pas pu être lue
more = Plus
close = Fermer
cancel = Annuler
choose = Choisir…

totals-slow-hours = heures lentes

row-sending = Envoi : { $part }
row-connecting = Connexion
row-stalled = à l’arrêt
row-failed-files =
    { $count ->
        [one] { $count } échoué
        [many] { $count } échoués
       *[other] { $count } échoués
    }
row-failed-files-because = { row-failed-files } : { $why }
row-paused-with-everything = En pause avec tout le reste
row-paused-at-percent = En pause à { percent }
row-paused-at = En pause à { $amount }
row-not-started = pas encore commencé
row-waits-because = En attente : { $why }
row-waits-slots = En file d’attente : { n-files } à la fois
row-waits-server = En file d’attente : { $count } à la fois depuis { $host }
row-tries = Nouvel essai
row-tries-because = Nouvel essai : { $why }
row-tries-in = Nouvel essai dans { $time }
row-tries-in-because = Nouvel essai dans { $time } : { $why }
row-done = Terminé { $moment }
row-verified = vérifié
row-size-unknown = taille inconnue
row-cancelled = Annulé
row-awaits-link = Cliquez sur le fichier dans le navigateur. Le clic poursuit ce téléchargement.
row-awaits-link-other = Le clic dans le navigateur concernait un autre fichier ({ $name }), qui est un téléchargement à part.
row-sign-in-again = Le serveur refuse ce téléchargement. Reconnectez-vous dans le navigateur et cliquez-y sur le lien.
row-cancelled-at = Annulé { $moment }
row-files-kept = { files-of } conservés
row-kept = { $amount } conservés
row-all-failed =
    { $count ->
        [one] { $count } fichier a échoué : { $why }
        [many] Les { $count } de fichiers ont échoué : { $why }
       *[other] Les { $count } fichiers ont échoué : { $why }
    }
row-some-failed = Échec pour { files-of } : { $why }

retry-failed = Réessayer
try-now = Réessayer
start-now = Démarrer maintenant
remove = Retirer
to-the-top = Au début
to-the-end = À la fin
copy-link = Copier le lien
copy-links = Copier les liens
cancel-asking = Annuler le téléchargement…
remove-from-list = Retirer de la liste
remove-from-list-asking = Retirer de la liste…
remove-with-files-asking = Retirer avec les fichiers…
rename = Renommer dans la liste
rename-field = Titre dans la liste
files-show = Afficher les fichiers
files-hide = Masquer les fichiers
drag = Faire glisser pour changer l’ordre (Alt+Haut, Alt+Bas)
progress-of = Progression de { $title }
action-on = { $action } : { $title }

many-pause = Mettre en pause { n-downloads-object }
many-resume = Reprendre { n-downloads-object }
many-start = Démarrer { n-downloads-object } maintenant
many-top = Mettre { n-downloads-object } au début
many-end = Mettre { n-downloads-object } à la fin
many-retry = Réessayer { n-downloads-object }
many-copy = Copier les liens de { n-downloads }
many-cancel = Annuler { n-downloads-object }…
many-remove = Retirer { n-downloads-object }
many-remove-asking = Retirer { n-downloads-object }…
many-remove-files-asking = Retirer { n-downloads-object } avec les fichiers…

empty = Collez un lien pour commencer
    .body = Copiez l’adresse d’un fichier et appuyez sur Ctrl+V n’importe où dans cette fenêtre. Plusieurs liens à la fois conviennent aussi : un par ligne.
    .action = Ajouter des liens
    .after = Vous pouvez fermer la fenêtre pendant les téléchargements. { -ashore } continue et vous prévient quand ils sont là.
nothing-found = Rien trouvé
    .search = Aucun téléchargement ici ne contient « { $text } ».
    .kind = Il n’y a rien ici du type « { $kind } ».
    .all-kinds = Afficher tous les types
nothing-all = La liste est vide.
nothing-running = Rien n’est en cours pour le moment.
nothing-waiting = Rien n’attend son tour ni ne vous attend.
nothing-done = Rien n’est encore arrivé.
nothing-failed = Rien n’a échoué.
nothing-cancelled = Aucun téléchargement n’a été annulé.

remove-question =
    { $count ->
        [one] Retirer de la liste ?
        [many] Retirer { n-downloads-object } de la liste ?
       *[other] Retirer { n-downloads-object } de la liste ?
    }
    .keeps = Les fichiers téléchargés restent où ils sont.
    .files = Supprimer aussi les fichiers téléchargés
    .deletes = Les fichiers téléchargés vont à la corbeille.
    .submit =
        { $count ->
            [one] Retirer
            [many] Retirer { n-downloads-object }
           *[other] Retirer { n-downloads-object }
        }
    .submit-files = Retirer et supprimer les fichiers
remove-loses-all =
    { $count ->
        [one] Il n’est pas terminé. Ce qui est arrivé jusqu’ici est abandonné.
        [many] Ils ne sont pas terminés. Ce qui est arrivé jusqu’ici est abandonné.
       *[other] Ils ne sont pas terminés. Ce qui est arrivé jusqu’ici est abandonné.
    }
remove-loses-some =
    { $count ->
        [one] { $count } d’entre eux n’est pas terminé. Ce qui est arrivé jusqu’ici est abandonné.
        [many] { $count } d’entre eux ne sont pas terminés. Ce qui est arrivé jusqu’ici est abandonné.
       *[other] { $count } d’entre eux ne sont pas terminés. Ce qui est arrivé jusqu’ici est abandonné.
    }
cancel-question =
    { $count ->
        [one] Annuler ce téléchargement ?
        [many] Annuler { n-downloads-object } ?
       *[other] Annuler { n-downloads-object } ?
    }
    .body =
        { $count ->
            [one] Il s’arrête, et ce qui est arrivé de fichiers inachevés est abandonné. Les fichiers terminés restent où ils sont.
            [many] Ils s’arrêtent, et ce qui est arrivé de fichiers inachevés est abandonné. Les fichiers terminés restent où ils sont.
           *[other] Ils s’arrêtent, et ce qui est arrivé de fichiers inachevés est abandonné. Les fichiers terminés restent où ils sont.
        }
    .submit =
        { $count ->
            [one] Annuler le téléchargement
            [many] Annuler { n-downloads-object }
           *[other] Annuler { n-downloads-object }
        }
    .keep = Continuer à télécharger

notices = Messages
notice-dismiss = Masquer
notice-copied =
    { $count ->
        [one] Lien copié.
        [many] { $count } de liens copiés.
       *[other] { $count } liens copiés.
    }
notice-not-copied = Les liens n’ont pas pu être copiés. Le bureau ne le permet pas pour le moment.
notice-not-for-all = Cela n’a pas été fait pour { $refused } sur { n-downloads } : { $text }
notice-offered =
    { $count ->
        [one] Vous avez copié un lien. L’ajouter ?
        [many] Vous avez copié { $count } de liens. Les ajouter ?
       *[other] Vous avez copié { $count } liens. Les ajouter ?
    }
notice-removed =
    { $count ->
        [one] Retiré de la liste : { $title }
        [many] { $count } de téléchargements ont été retirés de la liste.
       *[other] { $count } téléchargements ont été retirés de la liste.
    }
notice-files-go = Les fichiers vont à la corbeille dans quelques secondes.
notice-undo = Annuler
notice-undo-hint = Le reprendre (Ctrl+Z)
notice-back =
    { $count ->
        [one] « { $title } » est de retour.
        [many] { $count } de téléchargements sont de retour.
       *[other] { $count } téléchargements sont de retour.
    }
notice-are-next =
    { $count ->
        [one] { $count } téléchargement passe en premier.
        [many] { $count } de téléchargements passent en premier.
       *[other] { $count } téléchargements passent en premier.
    }
notice-are-last =
    { $count ->
        [one] { $count } téléchargement passe après tout le reste.
        [many] { $count } de téléchargements passent après tout le reste.
       *[other] { $count } téléchargements passent après tout le reste.
    }
notice-is-next = « { $title } » passe en premier.
notice-is-last = « { $title } » passe après tout le reste.
notice-is-number = « { $title } » est le numéro { $number } sur { $count }.
notice-was-waiting = « { $title } » était déjà dans la liste. Il passe en premier.
notice-was-running = « { $title } » est déjà en cours.

keys = Touches
keys-hint = Touches (F1)
keys-choosing = Sélectionner
keys-doing = Avec la sélection
keys-queue = Ordre de la file d’attente
keys-anywhere = Partout
keys-go = Parcourir la liste
keys-choose-more = Sélectionner plus, ou cliquer avec Maj
keys-choose-everything = Tout sélectionner
keys-choose-one = Revenir à un seul
keys-open = Ouvrir le fichier, ou afficher les fichiers d’un lot
keys-files = Afficher ou masquer les fichiers d’un lot
keys-details = Détails du téléchargement
keys-pause = Mettre en pause ou reprendre
keys-copy = Copier les liens
keys-rename = Renommer dans la liste
keys-remove = Retirer de la liste
keys-remove-files = Retirer avec les fichiers
keys-menu = Ouvrir le menu de toutes les actions
keys-move = Une place vers le haut ou le bas
keys-move-far = Au début ou à la fin
keys-paste = Ajouter les liens du presse-papiers
keys-add = Ajouter des téléchargements
keys-search = Rechercher
keys-undo = Revenir sur le dernier retrait
keys-settings = Ouvrir les réglages, ou revenir à la liste
keys-keys = Cet aperçu
keys-close = Fermer la fenêtre ; les téléchargements continuent
keys-quit = Quitter { -ashore }

key-ctrl = Ctrl
key-alt = Alt
key-shift = Maj
key-space = Espace
key-up = Haut
key-down = Bas
key-left = Gauche
key-right = Droite
key-page-up = Page préc.
key-page-down = Page suiv.
key-home = Début
key-end = Fin
key-enter = Entrée
key-escape = Échap
key-delete = Suppr
key-menu = Menu

afterwards-is = { afterwards } : { $then }
limit-is = Limite de vitesse : { $limit }
limit-other = Autre…
limit-asking = { limit }…
limit-field = Kilooctets par seconde
    .hint = { limit.none }
    .wrong = Saisissez un nombre entier, ou rien pour aucune limite.
    .submit = Fixer la limite
