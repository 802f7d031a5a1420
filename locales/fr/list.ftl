search = Rechercher
search-hint = Rechercher un téléchargement (Ctrl+F)
search-clear = Effacer la recherche
filters = Afficher
filters-wide = Afficher le panneau latéral
filter-all = Tous
filter-running = En cours
filter-waiting = En attente
filter-paused = En pause
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
    .reversed = Tri : { $name }, inversé
sort-newest = Plus récents d’abord
sort-name = Nom
sort-size = Taille
sort-progress = Progression
sort-speed = { details-speed }
sort-left = Temps restant
sort-reverse = Inverser l’ordre
column-added = { about-created }
column-left = Restant
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
reading = Chargement…
reading-file = { reading }
read-again = Réessayer
list-failed = La liste n’a pas pu être lue
more = Plus
close = Fermer
cancel = Annuler
choose = Choisir…

totals-slow-hours = heures lentes

row-sending = Envoi : { $part }
row-connecting = Connexion
row-stalled = aucune donnée
row-failed-files =
    { $count ->
        [one] { $count } échoué
        [many] { $count } échoués
       *[other] { $count } échoués
    }
row-failed-files-because = { row-failed-files } : { $why }
row-paused-with-everything = En pause (tout est en pause)
row-paused-at-percent = En pause à { percent }
row-paused-at = En pause à { $amount }
row-not-started = pas encore commencé
row-waits-because = En attente : { $why }
row-waits-slots = En file d’attente : { n-files } à la fois
row-waits-server = En file d’attente : { $count } à la fois depuis { $host }
row-tries = Nouvelle tentative
row-tries-because = Nouvelle tentative : { $why }
row-tries-in = Nouvelle tentative dans { $time }
row-tries-in-because = Nouvelle tentative dans { $time } : { $why }
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
to-the-top = Placer au début
to-the-end = Placer à la fin
copy-link = Copier le lien
copy-links = Copier les liens
copy-command = Copier comme cURL
cancel-asking = Annuler le téléchargement…
remove-from-list = Retirer de la liste
remove-from-list-asking = Retirer de la liste…
remove-with-files-asking = Supprimer les fichiers…
rename = Renommer dans la liste…
rename-field = Nom dans la liste
files-show = Afficher les fichiers
files-hide = Masquer les fichiers
drag = Faire glisser pour changer l’ordre (Alt+Haut, Alt+Bas)
progress-of = Progression de { $title }
action-on = { $action } : { $title }

many-pause = Mettre en pause { n-downloads-object }
many-resume = Reprendre { n-downloads-object }
many-start = Démarrer { n-downloads-object } maintenant
many-top = Placer { n-downloads-object } au début
many-end = Placer { n-downloads-object } à la fin
many-retry = Réessayer { n-downloads-object }
many-copy = Copier les liens de { n-downloads }
many-cancel = Annuler { n-downloads-object }…
many-remove = Retirer { n-downloads-object }
many-remove-asking = Retirer { n-downloads-object }…
many-remove-files-asking = Supprimer les fichiers de { n-downloads-object }…

empty = Collez un lien pour commencer
    .body = Copiez l’adresse d’un fichier et appuyez sur Ctrl+V n’importe où dans cette fenêtre. Plusieurs liens à la fois conviennent aussi : un par ligne.
    .action = Ajouter des liens
    .after = Vous pouvez fermer cette fenêtre. Les téléchargements continuent en arrière-plan.
    .drop = Vous pouvez aussi déposer dans cette fenêtre des liens ou des fichiers qui en contiennent.
    .browsers = Connectez votre navigateur dans les réglages, et { -ashore } recevra ses téléchargements.
drop-here = Déposez ici des liens ou des fichiers qui en contiennent
nothing-found = Rien trouvé
    .search = Aucun téléchargement ici ne contient « { $text } ».
    .kind = Il n’y a rien ici du type « { $kind } ».
    .all-kinds = Afficher tous les types
nothing-all = La liste est vide.
nothing-running = Aucun téléchargement en cours.
nothing-waiting = La file d’attente est vide.
nothing-paused = Aucun téléchargement n’est en pause.
nothing-done = Aucun téléchargement terminé.
nothing-failed = Aucun téléchargement en échec.
nothing-cancelled = Aucun téléchargement n’a été annulé.

remove-question =
    { $count ->
        [one] Retirer de la liste ?
        [many] Retirer { n-downloads-object } de la liste ?
       *[other] Retirer { n-downloads-object } de la liste ?
    }
    .keeps = Les fichiers téléchargés restent où ils sont.
    .files = Mettre aussi les fichiers à la corbeille
    .deletes =
        { $count ->
            [one] Le téléchargement est aussi retiré de la liste.
            [many] Les téléchargements sont aussi retirés de la liste.
           *[other] Les téléchargements sont aussi retirés de la liste.
        }
    .submit =
        { $count ->
            [one] Retirer
            [many] Retirer { n-downloads-object }
           *[other] Retirer { n-downloads-object }
        }
    .title-files = Mettre les fichiers à la corbeille ?
    .submit-files = Retirer et mettre à la corbeille
remove-loses-all =
    { $count ->
        [one] Les données partielles de ce téléchargement seront supprimées.
        [many] Les données partielles de ces téléchargements seront supprimées.
       *[other] Les données partielles de ces téléchargements seront supprimées.
    }
remove-loses-some =
    { $count ->
        [one] { $count } d’entre eux n’est pas terminé. Ses données partielles seront supprimées.
        [many] { $count } d’entre eux ne sont pas terminés. Leurs données partielles seront supprimées.
       *[other] { $count } d’entre eux ne sont pas terminés. Leurs données partielles seront supprimées.
    }
cancel-question =
    { $count ->
        [one] Annuler ce téléchargement ?
        [many] Annuler { n-downloads-object } ?
       *[other] Annuler { n-downloads-object } ?
    }
    .body =
        { $count ->
            [one] Ses fichiers partiels seront supprimés. Les fichiers terminés sont conservés.
            [many] Leurs fichiers partiels seront supprimés. Les fichiers terminés sont conservés.
           *[other] Leurs fichiers partiels seront supprimés. Les fichiers terminés sont conservés.
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
notice-command-copied = Copié comme cURL.
    .without = Copié comme cURL, sans ces en-têtes, car ils peuvent être secrets : { $headers }
notice-again-without = « { $title } » est téléchargé de nouveau, sans ces en-têtes, car ils peuvent être secrets : { $headers }
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
notice-undo-hint = Annuler le retrait (Ctrl+Z)
notice-back =
    { $count ->
        [one] « { $title } » restauré
        [many] { $count } de téléchargements restaurés
       *[other] { $count } téléchargements restaurés
    }
notice-are-next =
    { $count ->
        [one] { $count } téléchargement passe en premier.
        [many] { $count } de téléchargements passent en premier.
       *[other] { $count } téléchargements passent en premier.
    }
notice-are-last =
    { $count ->
        [one] { $count } téléchargement placé à la fin
        [many] { $count } de téléchargements placés à la fin
       *[other] { $count } téléchargements placés à la fin
    }
notice-is-next = « { $title } » passe en premier.
notice-is-last = « { $title } » placé à la fin
notice-is-number = « { $title } » est le numéro { $number } sur { $count }.
notice-was-waiting = « { $title } » était déjà dans la liste. Il passe en premier.
notice-was-running = « { $title } » est déjà en cours.

keys = Raccourcis clavier
keys-hint = Raccourcis clavier (F1)
keys-choosing = Sélectionner
keys-doing = Téléchargements sélectionnés
keys-queue = Ordre de la file d’attente
keys-anywhere = Partout
keys-go = Parcourir la liste
keys-choose-more = Sélectionner plus, ou cliquer avec Maj
keys-choose-everything = Tout sélectionner
keys-choose-one = Revenir à un seul
keys-open = Ouvrir le fichier, ou afficher les fichiers d’un groupe
keys-files = Afficher ou masquer les fichiers d’un groupe
keys-details = Détails du téléchargement
keys-pause = Mettre en pause ou reprendre
keys-copy = Copier les liens
keys-rename = Renommer dans la liste
keys-remove = Retirer de la liste
keys-remove-files = Supprimer les fichiers
keys-menu = Ouvrir le menu de toutes les actions
keys-move = Une place vers le haut ou le bas
keys-move-far = Placer au début ou à la fin
keys-paste = Ajouter les liens du presse-papiers
keys-add = { empty.action }
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
limit-field = Limite
    .hint = { limit.none }
    .wrong = Saisissez un nombre, ou laissez le champ vide.
    .submit = Fixer la limite

limit-unit = Unité
