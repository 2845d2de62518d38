"""Rules of thumb in French, written by hand."""

from parley.connectors.demo.consortium.topic import Topic

FRENCH: tuple[Topic, ...] = (
    Topic(
        "le déménagement de systèmes",
        r"sites?(?: web)?|serveurs?|hébergeurs?|hébergement|migr\w+|bases? de données|cloud|sauvegardes?|domaines?|logiciels?",
        (
            "Convenez d'abord de ce qui doit continuer à marcher le jour du changement : cette liste tranchera les disputes.",
            "Dressez l'inventaire de tout ce qui dépend de l'ancien lieu, comme le courrier, les certificats et les tâches planifiées, avant de rien déplacer.",
            "Déplacez cette semaine une petite partie sans importance : elle montre plus qu'une réunion de plus.",
            "Nommez une personne qui peut arrêter le changement : une responsabilité partagée n'est à personne la nuit.",
            "Faites une sauvegarde complète et restaurez-la une fois ailleurs : une sauvegarde jamais essayée n'est qu'un espoir.",
            "Gardez l'ancien lieu en marche à côté du nouveau pendant un temps : le retour reste alors un petit pas.",
        ),
    ),
    Topic(
        "le sommeil et le repos",
        r"dormir|dors|sommeil|fatigu\w+|stress|insomnie|repos\w*",
        (
            "Dites ce qui doit aller mieux le jour, non combien d'heures il faut : c'est à cela que servent les nuits.",
            "Fixez d'abord l'heure du lever et laissez suivre celle du coucher : le matin règle l'horloge.",
            "Éloignez dès ce soir l'écran et le café : c'est facile à essayer et facile à défaire.",
            "Réglez avec ceux qui partagent la chambre ce qui vous réveille : lumière, bruit et chaleur se changent à peu de frais.",
            "Voyez un médecin si cela dure des semaines : de mauvaises nuits peuvent cacher ce qu'aucune habitude ne guérit.",
            "Notez soirées et nuits en quelques mots : après deux semaines, on voit quelle habitude coûte le sommeil.",
        ),
    ),
    Topic(
        "la santé et l'entraînement",
        r"marathon|courir|course|sport|entraîn\w+|maigrir|régime|santé|forme",
        (
            "Fixez un but mesurable en quelques semaines : sans lui, chaque mauvais jour ressemble à un échec.",
            "Bâtissez d'abord une base régulière et augmentez par petits pas : la plupart des blessures viennent du trop d'un coup.",
            "Commencez par une séance trop courte pour être sautée : la régularité bat l'héroïsme.",
            "Faites-le avec quelqu'un ou dites à quelqu'un le jour et l'heure : la compagnie sauve plus de projets que la volonté.",
            "Arrêtez à la douleur et voyez un médecin avant un début intense : je ne sais rien du corps en question.",
            "Tenez un court journal de ce qui a été fait et ressenti : en quelques semaines, il montre ce qui aide vraiment.",
        ),
    ),
    Topic(
        "les équipes",
        r"équipes?|réunions?|projets?|télétravail|bureau|collègues?|entreprises?|patron\w*|employés?|clients?|semaine de quatre jours",
        (
            "Mettez-vous d'accord sur ce qu'est un bon résultat avant de parler des moyens : la moitié des désaccords s'arrête là.",
            "Écrivez qui décide, qui est consulté et qui est informé : puis travaillez dans cet ordre.",
            "Réduisez le premier pas pour qu'il tienne en une semaine : un petit résultat convainc plus qu'un plan.",
            "Interrogez ceux qui devront le porter avant de décider : ils connaissent l'obstacle que le plan oublie.",
            "Fixez d'avance le signe qui vous ferait arrêter : après coup, chacun trouve une raison de continuer.",
            "Faites le point ensemble après un mois et changez une chose : les équipes progressent par petites corrections.",
        ),
    ),
    Topic(
        "l'apprentissage",
        r"apprendre|apprentissage|étudi\w+|examens?|cours|langues?|piano|guitare|école|vocabulaire|espagnol|anglais|allemand",
        (
            "Dites ce que vous voulez savoir faire dans trois mois : cela montre quelle moitié de la matière laisser de côté.",
            "Parcourez les bases dans l'ordre avant les astuces : les lacunes du début coûtent cher plus tard.",
            "Commencez aujourd'hui par un quart d'heure par jour : l'habitude compte plus que le plan.",
            "Trouvez quelqu'un qui apprend avec vous ou vous corrige : seul, les fautes deviennent des habitudes.",
            "Testez-vous sans regarder : relire donne l'impression de savoir, et ce n'est pas savoir.",
            "Expliquez chaque morceau à voix haute : là où vous butez se trouve la prochaine lecture.",
        ),
    ),
    Topic(
        "une décision",
        r"",
        (
            "Écrivez ce qui devrait être vrai pour que chaque côté ait raison : souvent, un seul point peut se vérifier.",
            "Comparez dans l'ordre le coût de l'essai, de l'échec et du retour.",
            "Essayez le côté qui peut s'essayer en une semaine : ce qu'on apprend décide mieux que la réflexion.",
            "Demandez à ceux qui devront vivre avec le résultat : ils voient des coûts que celui qui décide ne voit pas.",
            "Regardez ce qui ne peut pas se défaire et attendez pour cette part : une décision tardive coûte, une décision définitive coûte plus.",
            "Demandez à quelqu'un de chaque côté ce qu'il referait : deux récits honnêtes valent dix avis.",
        ),
        general=True,
    ),
    Topic(
        "une façon de faire",
        r"",
        (
            "Dites à quoi vous verrez que c'est fini : un but visible garde le travail court.",
            "Divisez en premier pas, pas risqué et dernier pas, et préparez ces trois-là.",
            "Faites aujourd'hui le plus petit morceau utile : il montre ce que le plan a oublié.",
            "Trouvez quelqu'un qui l'a déjà fait et demandez-lui la seule chose qu'il changerait.",
            "Essayez tôt et en petit la partie la plus risquée : la surprise tardive est la plus chère.",
            "Notez après chaque pas ce qui a marché : la deuxième fois, les notes paient.",
        ),
        general=True,
    ),
    Topic(
        "une explication",
        r"",
        (
            "Une bonne explication de {subject} dit ce qui en fait partie, ce qui n'en fait pas partie, et donne un exemple.",
            "Allez du visible au mécanisme, puis à l'exception : dans cet ordre, on suit presque tout.",
            "Un bon ouvrage de référence lu d'abord épargne une soirée de pages éparses.",
            "Demandez à quelqu'un du métier ce que les débutants comprennent de travers.",
            "Vérifiez chaque nom, chaque date et chaque chiffre dans une seconde source : je n'en ai pas ici.",
            "Expliquez-le à voix haute à quelqu'un : là où vous butez, il faut chercher.",
        ),
        general=True,
    ),
    Topic(
        "une question ouverte",
        r"",
        (
            "Fixez d'abord le sens des mots qui portent la question : {subject} peut s'entendre de plusieurs façons.",
            "Séparez le connu, le supposé et le souhaité, et parcourez-les dans cet ordre.",
            "Cherchez le seul fait qui changerait la réponse : il passe avant le reste.",
            "Demandez qui la réponse concerne : ces personnes entendent peut-être autre chose.",
            "Cherchez le meilleur argument contre la première idée : ce qui lui résiste est à garder.",
            "Prenez un seul exemple et suivez-le jusqu'au bout : les réponses générales cachent leurs failles.",
        ),
        general=True,
    ),
)
"""The topics in the order in which they are looked for; the general ones come last."""
