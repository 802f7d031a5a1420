statistics = Statistiques
    .back = Retour à la liste
    .reading = { reading }
statistics-in-all = En tout
    .about = Les téléchargements qui ont quitté la liste sont comptés aussi.

statistics-received = reçus
statistics-sent = { $amount } envoyés
statistics-arrived =
    { $count ->
        [one] fichier arrivé
        [many] de fichiers arrivés
       *[other] fichiers arrivés
    }
statistics-added =
    { $count ->
        [one] sur { $count } ajouté
        [many] sur { $count } ajoutés
       *[other] sur { $count } ajoutés
    }
statistics-succeeded = réussis
statistics-nothing-ended = Rien n’a encore pris fin
statistics-none-failed = Aucun échec
statistics-failed =
    { $count ->
        [one] { $count } échoué
        [many] { $count } échoués
       *[other] { $count } échoués
    }
statistics-none = –

statistics-days = Les { $count } derniers jours
    .about = Un téléchargement compte pour le jour où il a été ajouté.
    .choose = Ce qui est arrivé, pour chacun des { $count } derniers jours
statistics-day = Jour
statistics-today = Aujourd’hui
statistics-whole = Tous ces jours
statistics-nothing = Rien n’a été ajouté
statistics-nothing-came = De ce qui a été ajouté pendant ces jours, rien n’est arrivé.
statistics-said = { $day } : { $what }
statistics-column-received = Reçu
statistics-column-files = Fichiers arrivés
statistics-column-failed = Échoués

statistics-from = Ajouté depuis
    .window = Cette fenêtre
    .command-line = La ligne de commande
    .feed = Flux
    .clipboard = Le presse-papiers
    .device = Autres appareils
    .browser = Navigateurs
    .program = Programmes
statistics-empty = Encore rien à compter
    .body = Dès que vous aurez ajouté un téléchargement, cette page montrera la quantité de données reçues pour les téléchargements de chaque jour. Elle montrera aussi où les téléchargements ont été ajoutés, par exemple dans cette fenêtre ou dans un navigateur.
