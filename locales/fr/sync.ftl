sync = Synchronisation
    .about = Une seule liste sur toutes vos machines, chiffrée et sans compte.
    .open = Ouvrir
sync-is-off = La synchronisation est désactivée
sync-is-on = La synchronisation est activée

sync-begin = Comment voulez-vous commencer ?
sync-way-server = Garder le serveur sur cette machine
    .about = Crée une nouvelle liste. Les autres machines joignent celle-ci par votre réseau ; choisissez donc une machine souvent allumée.
    .submit = Démarrer et créer
sync-way-link = Utiliser un lien
    .about = Rejoint la liste d’une autre machine, ou crée une nouvelle liste sur un serveur.
    .submit = Continuer
sync-way-words = Récupérer avec 24 mots
    .about = Pour une liste qu’aucune machine n’a plus. Il vous faut l’adresse, le numéro et les mots que vous avez notés.
    .submit = Récupérer
sync-step = Étape { $step } sur { $count }
sync-go-back = Retour
sync-name = Nom de cette machine
    .hint = Par exemple, Portable
    .about = Vos autres machines affichent ce nom.
sync-link = Lien
    .joins = Ce lien rejoint la liste d’une autre machine.
    .joins-list =
        { $past ->
            [one] Rejoindre la liste de { $machine } ({ n-downloads }, { $past } passé) ?
            [many] Rejoindre la liste de { $machine } ({ n-downloads }, { $past } passés) ?
           *[other] Rejoindre la liste de { $machine } ({ n-downloads }, { $past } passés) ?
        }
    .sets-up = Ce lien crée une nouvelle liste sur un serveur.
    .join = Rejoindre la liste
    .set-up = Créer la liste
sync-address = Adresse du serveur
sync-number = Numéro
sync-working = Connexion au serveur…
sync-joined = Cette machine a rejoint la liste. Ses téléchargements apparaissent sur vos autres machines.

sync-write-down = La synchronisation est activée. Notez ces 24 mots, l’adresse et le numéro. Sans eux, rien ne peut être récupéré.
sync-write-down-new = { $machine } ne peut rien lire de nouveau. Notez les nouveaux mots.
sync-words = Mots de récupération
    .count = { $count } mots sur 24
    .show = Afficher les 24 mots
    .explained = Toute personne qui a ces mots, l’adresse et le numéro peut lire la liste. Gardez-les en lieu sûr.
    .written = Je les ai notés

sync-state = Cette machine
sync-last = Dernière synchronisation
    .never = Pas encore
sync-reading = Lecture de { $received } sur { $total }
    .title = Première synchronisation
sync-clock =
    .ahead = L’horloge de cette machine avance de { $time }. La synchronisation utilise l’horloge du serveur. Réglez l’horloge de cette machine.
    .behind = L’horloge de cette machine retarde de { $time }. La synchronisation utilise l’horloge du serveur. Réglez l’horloge de cette machine.
sync-server = Serveur
sync-fingerprint = Empreinte de la clé
    .about = Elle est la même sur toutes les machines de cette liste. Comparez-la si vous doutez qu’une machine ait rejoint la bonne.
sync-now = Synchroniser maintenant
    .running = Synchronisation…
sync-done = Reçu : { $received }. Envoyé : { $sent }.
sync-done-nothing = Tout était à jour.
sync-restored = Le serveur avait perdu une partie de la liste. Elle a été renvoyée depuis cette machine.
sync-restoration =
    { $count ->
        [one] Le serveur est revenu à l’état du { $day }. { $count } entrée qu’il avait perdue a été restaurée d’ici.
        [many] Le serveur est revenu à l’état du { $day }. { $count } d’entrées qu’il avait perdues ont été restaurées d’ici.
       *[other] Le serveur est revenu à l’état du { $day }. { $count } entrées qu’il avait perdues ont été restaurées d’ici.
    }
    .emptied =
        { $count ->
            [one] Le serveur avait perdu la liste. { $count } entrée a été restaurée d’ici.
            [many] Le serveur avait perdu la liste. { $count } d’entrées ont été restaurées d’ici.
           *[other] Le serveur avait perdu la liste. { $count } entrées ont été restaurées d’ici.
        }
sync-since =
    .time = depuis { $when }
    .weekday = depuis { $when }
    .day = depuis le { $when }
sync-silent = Le serveur de synchronisation ne répond plus { $since }.
    .continues = { sync-silent } Tout continue ici.
    .waiting =
        { sync-silent } { $count ->
            [one] Tout continue ici ; { $count } changement attend.
            [many] Tout continue ici ; { $count } de changements attendent.
           *[other] Tout continue ici ; { $count } changements attendent.
        }
sync-space = Le serveur est plein ({ $used } sur { $total }).
    .waiting =
        { $count ->
            [one] Le serveur est plein ({ $used } sur { $total }) ; { $count } changement attend.
            [many] Le serveur est plein ({ $used } sur { $total }) ; { $count } de changements attendent.
           *[other] Le serveur est plein ({ $used } sur { $total }) ; { $count } changements attendent.
        }
sync-arrived = Une autre machine a envoyé « { $title } ».
sync-waiting =
    { $count ->
        [one] { $count } changement attend son envoi.
        [many] { $count } de changements attendent leur envoi.
       *[other] { $count } changements attendent leur envoi.
    }
sync-shared = Ce qui est partagé
sync-column =
    .what = Type
    .here = Ici
    .there = Sur le serveur
    .waiting = En attente
    .held = Non lu
sync-collection =
    .clients = Machines
    .downloads = Téléchargements
    .parts = Longues listes de liens
    .history = Téléchargements passés
    .settings = Réglages
    .sends = Téléchargements en route
sync-held = Un enregistrement n’est pas lu s’il a été modifié sur le serveur, s’il vient d’un { -ashore } plus récent, ou s’il a une valeur que cette machine refuse. Ces enregistrements restent tels quels sur le serveur.
sync-newer-machine = { $machine } a un { -ashore } plus récent. Ce qui y a été écrit sous une forme nouvelle attend la mise à jour de cette machine ; le reste continue.
clear-history = Effacer l’historique ancien…
clear-history-question = Oublier les téléchargements passés sur toutes les machines ?
    .about = Vos machines n’indiquent plus qu’un lien a déjà été téléchargé. Aucun téléchargement ni aucun fichier n’est retiré.
    .choice = Téléchargements passés à oublier
    .month = De plus de 30 jours
    .year = De plus d’un an
    .all = Tous
    .submit = Oublier
    .done = Les téléchargements passés sont oubliés ici. Les autres machines suivent à leur prochaine synchronisation.
sync-off = Désactiver la synchronisation…
sync-off-question = Désactiver la synchronisation sur cette machine ?
    .body = Les téléchargements et les fichiers de cette machine restent. Les téléchargements des autres machines disparaissent de cette fenêtre.
    .submit = Désactiver
    .server = Le serveur de cette machine continue de fonctionner pour les autres. Arrêtez-le dans cette vue si aucune machine n’en a besoin.

own-server = Cette machine garde le serveur
    .address = Adresse
    .runs = Le serveur fonctionne.
    .stopped = Le serveur ne fonctionne pas.
    .asleep = Pendant que cette machine est en veille ou éteinte, les autres gardent leurs changements et les envoient plus tard.
    .firewall = Si une autre machine ne peut pas le joindre, autorisez les connexions TCP entrantes vers le port { $port } dans le pare-feu de cette machine.
    .start = Démarrer
    .stop = Arrêter…
own-server-question = Arrêter le serveur ?
    .body = Vos machines ne peuvent pas se synchroniser tant que le serveur ne fonctionne pas. Rien n’est supprimé.
    .submit = Arrêter

machines = Machines
    .own = cette machine
    .seen = Vue pour la dernière fois : { $when }
    .trust = Démarrer ses téléchargements sans question
    .trust-of = Démarrer les téléchargements de { $machine } sans question
    .add = Ajouter une machine…
    .remove = Retirer…
    .remove-of = Retirer { $machine }
machines-unseen = Date de la dernière apparition inconnue
machines-rename = Renommer cette machine
    .open = Renommer…
    .submit = Renommer
machines-invite = Ajouter une machine
    .about = Sur l’autre machine, ouvrez Synchronisation, choisissez « { sync-way-link } » et saisissez ce lien.
    .link = Lien
    .code = Code QR du lien
    .copy = Copier le lien
    .until = Le lien sert une seule fois, jusqu’à { $time }.
    .late = Le lien est trop ancien. Créez-en un nouveau.
    .again = Nouveau lien

conflicts = Conflits
    .about = Deux machines ont modifié la même chose en même temps, et un seul changement peut s’appliquer. L’autre est gardé 30 jours.
    .yours = Le vôtre, « { $losing } », a cédé devant « { $winning } ».
    .theirs = « { $losing } » de { $machine } a cédé devant « { $winning } ».
    .removed = { $machine } l’a modifié pendant qu’une autre machine le retirait. Il est retiré.
    .removed-by = { $machine } l’a modifié pendant que { $remover } le retirait. Il est retiré.
    .removed-yours = Cette machine l’a modifié pendant que { $remover } le retirait. Il est retiré.
    .removed-here = { $machine } l’a modifié pendant que cette machine le retirait. Il est retiré.
    .kept = La liste partagée n’avait plus ce téléchargement, mais cette machine l’avait encore. Le téléchargement reste aux deux endroits.
    .request = Les liens de { $machine } ont cédé devant d’autres liens.
    .take-value = Prendre « { $value } »
    .keep-value = Garder « { $value } »
    .take-links = Prendre les liens de { $machine }
    .keep-links = Garder les autres liens
    .fetch = Télécharger ici
    .keep-removed = Le laisser retiré
    .remove = Le retirer
    .keep-download = Le garder
    .action-on = { $action } : { $title }
conflict-field =
    .title = Nom
    .requested = Pause ou reprise
    .home = Machine
    .request = Liens
    .removed = Retrait
    .choice = Réglage
conflict-value =
    .run = reprendre
    .paused = mettre en pause
    .removed = retirer
    .default = la valeur par défaut
    .on = activé
    .off = désactivé

others = Autres machines
    .short = Autres machines
    .empty = Les autres machines n’ont pas de téléchargements
    .empty-about = Les téléchargements que vous y ajoutez apparaissent ici. Vous pouvez les mettre en pause là-bas, ou les télécharger ici.
    .running = { $machine } le télécharge
    .paused = En pause sur { $machine }
    .queued = En attente sur { $machine }
    .done = Terminé sur { $machine }
    .failed = Échec sur { $machine } : { $why }
    .failed-plain = Échec sur { $machine }
    .incomplete = Seulement affiché ici, car il a trop de liens
others-requested =
    .run = Reprise demandée
    .paused = Pause demandée
    .removed = Retrait demandé
others-action =
    .pause = Mettre en pause là-bas
    .resume = Reprendre là-bas
    .fetch = Télécharger aussi ici
    .move = Déplacer ici
    .remove = Retirer là-bas…
others-more = En afficher { $count } de plus
others-remove-question = Le retirer de { $machine } ?
    .body = { $machine } le retire de sa liste à la prochaine synchronisation. Les fichiers qui y sont complets restent.
    .submit = Retirer là-bas
others-fetched = Cette machine télécharge aussi « { $title } ».
others-moved = Cette machine continue « { $title } ». { $machine } le met en pause.

send-to = Envoyer à…
    .many = Envoyer { n-downloads-object } à…
    .question = Envoyer à une autre machine
    .about = L’autre machine télécharge elle-même. Rien ne change ici. Les identifiants et les cookies ne sont pas envoyés.
    .sent = « { $title } » a été envoyé à { $machine }.
    .sent-many = Envoyé à { $machine } : { n-downloads-object }.
    .alone = L’autre machine télécharge elle-même, dans son propre dossier. Les identifiants et les cookies ne sont pas envoyés.
    .on = Télécharger sur
    .here = Cette machine
    .gone = { $machine } n’est plus dans la liste. Choisissez une autre machine.
sends = Envoyés à d’autres machines
    .missed = Manqué sur cette machine
sends-state =
    .waiting = { $machine } ne l’a pas encore récupéré
    .delivered = Remis à { $machine }
    .refused = { $machine } ne l’a pas accepté
    .expired = { $machine } n’a pas été allumée pendant 30 jours ; il n’a pas été remis.
    .missed = Envoyé par { $machine } alors que cette machine est restée éteinte pendant 30 jours. Il peut être renvoyé de là-bas.
sent-by = Envoyé par { $machine }
    .start = Démarrer
    .always = Toujours démarrer les téléchargements que { $machine } envoie
add-past = { $machine } a téléchargé ceci le { $day }.
    .title = { $machine } a téléchargé « { $title } » le { $day }.
