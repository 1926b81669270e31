"""What the headings of the Italian rulebooks say, in English; catalogues translate these."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.wording.sentences import Sentence, sentence

HEADINGS: Mapping[str, Sentence] = MappingProxyType(
    {
        "Acquedotti": sentence("Aqueducts"),
        "Anfiteatri": sentence("Amphitheatres"),
        "Avanzamento degli operai": sentence("Advancing the workers"),
        "Calcolo del punteggio degli acquedotti chiusi": sentence("Scoring closed aqueducts"),
        "Chiusura con provvedimenti costruttivi": sentence("Closing by building"),
        "Chiusura spontanea di un acquedotto proprio": sentence("Closing an aqueduct of one's own"),
        "Completamento cantiere": sentence("Completing a site"),
        "Conclusione del gioco": sentence("End of the game"),
        "Conclusione del gioco e calcolo finale": sentence("End of the game and final scoring"),
        "Costruttori della riserva": sentence("Builders in reserve"),
        "Costruzione della città": sentence("Building the city"),
        "Descrizione": sentence("Description"),
        "Disposizione dei costruttori": sentence("Placing the builders"),
        "Espandere gli acquedotti": sentence("Extending aqueducts"),
        "Fase di costruzione": sentence("Building phase"),
        "Fase di sviluppo": sentence("Development phase"),
        "Fase finale": sentence("Final phase"),
        "Fine del gioco": sentence("End of the game"),
        "Fontane": sentence("Fountains"),
        "Gioca una tessera Quartiere": sentence("Play a ward tile"),
        "Giocata di un turno": sentence("Playing a turn"),
        "Il gioco": sentence("The game"),
        "Il punteggio": sentence("Scoring"),
        "L'ultimo giro": sentence("The last round"),
        "La carrozza arriva a Roma": sentence("The carriage arrives in Rome"),
        "Le aste": sentence("Auctions"),
        "Monete": sentence("Coins"),
        "Movimento delle carrozze": sentence("Moving the carriages"),
        "Obbligo di svolgimento del turno": sentence("A turn must be played"),
        "Pescare tessere": sentence("Drawing tiles"),
        "Podi dei vincitori": sentence("Winners' podiums"),
        "Ponti": sentence("Bridges"),
        "Posizionamento delle piastrelle": sentence("Placing tiles"),
        "Preparativi": sentence("Preparations"),
        "Preparazione": sentence("Set-up"),
        "Punteggio finale": sentence("Final scoring"),
        "Regole di costruzione": sentence("Building rules"),
        "Regole riguardo i permessi": sentence("Rules for permits"),
        "Regole sulle carte": sentence("Rules for cards"),
        "Richiamare un magistrato": sentence("Recalling a magistrate"),
        "Selezione degli operai": sentence("Choosing workers"),
        "Selezione degli operai e del costruttore adeguato": sentence("Choosing workers and the right builder"),
        "Spazi Ponte": sentence("Bridge spaces"),
        "Spostamento del costruttore": sentence("Moving the builder"),
        "Sviluppo dell'acquedotto": sentence("Developing the aqueduct"),
        "Svolgimento del gioco": sentence("Course of the game"),
        "Tesoreria": sentence("Treasury"),
        "Tipi di piastrine non più presenti": sentence("Kinds of tiles that have run out"),
        "Uso di Imperium": sentence("Using Imperium"),
    }
)
"""heading as it is printed -> what it says"""
