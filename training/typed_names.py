"""Names of things by kind, for statements that no graph holds: from MetaQA, the union of Freebase, and lists."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path

import numpy as np

__all__ = ["new_object", "typed_names"]

_FREEBASE = {
    "people.person.nationality": ("person", "country"),
    "people.person.profession": ("person", "profession"),
    "people.person.place_of_birth": ("person", "place"),
    "people.deceased_person.place_of_death": ("person", "place"),
    "people.deceased_person.cause_of_death": ("person", "disease"),
    "people.person.religion": ("person", "religion"),
    "people.person.ethnicity": ("person", "ethnicity"),
    "people.person.spouse_s": ("person", "person"),
    "film.film.directed_by": ("film", "person"),
    "film.film.genre": ("film", "genre"),
    "film.film.produced_by": ("film", "person"),
    "film.film.featured_film_locations": ("film", "place"),
    "music.artist.track": ("person", "song"),
    "music.composer.compositions": ("person", "song"),
    "music.artist.album": ("person", "album"),
    "music.artist.label": ("person", "company"),
    "music.group_member.instruments_played": ("person", "instrument"),
    "book.written_work.author": ("book", "person"),
    "book.written_work.subjects": ("book", "topic"),
    "location.country.languages_spoken": ("country", "language"),
    "location.country.currency_used": ("country", "currency"),
    "location.country.capital": ("country", "city"),
    "location.location.containedby": ("place", "place"),
    "location.location.time_zones": ("place", "zone"),
    "base.locations.countries.continent": ("country", "continent"),
    "sports.sports_team.location": ("team", "city"),
    "sports.sports_team.championships": ("team", "event"),
    "sports.sports_championship_event.champion": ("event", "team"),
    "organization.organization.founders": ("organisation", "person"),
    "education.educational_institution.students_graduates": ("university", "person"),
    "visual_art.artwork.artist": ("artwork", "person"),
    "tv.tv_program.country_of_origin": ("show", "country"),
    "tv.tv_program.regular_cast": ("show", ""),
    "automotive.make.model_s": ("company", "vehicle"),
    "computer.software_developer.software": ("company", "game"),
    "geography.river.basin_countries": ("river", "country"),
    "military.military_person.participated_in_conflicts": ("person", "war"),
    "government.government_position_held.basic_title": ("", "office"),
    "award.award_nomination.award": ("", "award"),
}

_CLOSED = frozenset(
    """country language continent currency profession religion ethnicity genre zone instrument disease office
    topic""".split()
)

_LISTS = {
    "gender": "male; female",
    "genre": "comedy; horror; drama; thriller; western; science fiction; documentary; musical; romance; war; fantasy",
    "language": "French; Hindi; Swahili; Portuguese; Welsh; Finnish; Mandarin; Arabic; Tagalog; Dutch; Korean; Basque",
    "country": "France; Ghana; Norway; Bolivia; Vietnam; Turkey; Jordan; Chile; Iceland; Malaysia; Kenya; Romania",
    "city": "Lyon; Leipzig; Osaka; Accra; Porto; Tampa; Tbilisi; Lima; Cork; Perth; Izmir; Utrecht; Durban; Aarhus",
    "religion": "Islam; Buddhism; Hinduism; Catholicism; Judaism; Lutheranism; Sikhism; Anglicanism; Calvinism",
    "ethnicity": "Irish; Han; Basque; Jewish; Tamil; Armenian; Zulu; Scottish; Polish; Yoruba; Catalan; Maori",
    "disease": "cancer; malaria; a heart attack; tuberculosis; pneumonia; a stroke; cholera; drowning; plague; suicide",
    "continent": "Europe; Asia; Africa; North America; South America; Oceania",
    "profession": "painter; engineer; lawyer; physicist; nurse; novelist; politician; singer; footballer; architect; "
    "photographer; pilot; historian; chef; test pilot; chemist; poet; journalist; mathematician; sculptor; actor",
    "office": "prime minister; mayor; governor; president; senator; secretary of state; chancellor; ambassador; "
    "minister of finance; attorney general; bishop; member of parliament",
    "award": "Nobel Prize in Physics; Booker Prize; Order of Merit; Legion of Honour; Hugo Award; Grammy Award; "
    "Pulitzer Prize; Fields Medal; Distinguished Service Medal; Academy Award for Best Actor; Golden Globe; BAFTA",
    "instrument": "guitar; piano; violin; cello; drums; saxophone; trumpet; flute; harp; banjo; organ; clarinet",
    "sport": "football; cricket; ice hockey; basketball; rugby; volleyball; handball; baseball; water polo; tennis",
    "league": "Premier League; Serie A; Bundesliga; National Hockey League; La Liga; Eredivisie; A-League; Ligue 1; "
    "Segunda Division; Super League; Big Ten; Top 14",
    "medium": "hardcover; paperback; audio book; e-book; print; newspaper; microfilm",
    "platform": "PlayStation; Windows; Xbox; Nintendo Switch; Linux; Game Boy; Android; Amiga",
    "food": "paella; lasagne; ramen; goulash; falafel; moussaka; ceviche; tiramisu; pho; haggis; bibimbap; baklava; "
    "borscht; poutine; churros; kimchi; gumbo; risotto; samosa; tacos; sauerkraut; pavlova; ratatouille; laksa",
    "ingredient": "rice; flour; butter; tomato; garlic; onion; chicken; beef; egg; sugar; chocolate; cheese; potato; "
    "coconut milk; ginger; olive oil; shrimp; noodles; cabbage; walnut; honey; lemon; pork; cream; lentils",
    "course": "dessert; main course; starter; side dish; snack; soup; breakfast",
    "species": "lemon; tiger; barn owl; oak; salmon; honey bee; wheat; red fox; blue whale; tulip; cobra; hazel; "
    "kangaroo; garlic; oyster; penguin; maple; moose",
    "taxon": "Rosaceae; Felidae; Rutaceae; Canidae; Poaceae; Fagaceae; Amaryllidaceae; Cervidae; Strigidae; "
    "Mammalia; Carnivora; Solanaceae; Asteraceae; Salmonidae",
    "planet": "Ceres; Vesta; Europa; Titan; Pallas; Neptune; Callisto; Triton; Juno; Hygiea; Eris; Makemake; Io",
    "element": "Helium; Copper; Zinc; Radon; Iodine; Silver; Neon; Tungsten; Xenon; Gallium",
    "mission": "Apollo 12; Gemini 9; Soyuz 28; Apollo 17; Skylab 3; Voskhod 2; Mercury 6; Apollo 8; Salyut 6; Gemini 4",
    "engine": "V8; diesel; four-stroke petrol; turbocharged inline four; electric; V6; rotary; two-stroke; hybrid",
    "class": "sedan; convertible; sports car; cruiser; submarine; destroyer; station wagon; bus; locomotive; "
    "helicopter; coupe; bicycle; frigate; hatchback; fighter aircraft; pickup truck",
    "vehicle": "Baltic Star; Falcon GT; Comet 4; Meteor 75; Aurora; Nordwind; Orient 12; Silver Arrow; Caravel; Zephyr",
    "style": "Gothic; Baroque; Art Deco; Renaissance; modernist; Romanesque; neoclassical; Victorian; Brutalist; Tudor",
    "industry": "automobile; software; retail; oil; pharmaceutical; insurance; publishing; textile; banking; aviation",
    "material": "granite; marble; bronze; concrete; steel; limestone; brick; glass; oak; sandstone; iron",
    "topic": "slavery; marriage; war; space travel; ghosts; love; sailing; philosophy; revenge; religion; dragons",
    "type": "bridge; village; castle; language; comet; museum; island; river; novel; church; airline; festival; lake; "
    "university; park; crater; band; railway station; theory; programming language; volcano; magazine; mountain",
    "demonym": "Norwegians; Danes; Peruvians; Kenyans; Finns; Chileans; Turks; Vietnamese; Greeks; Scots; Swiss",
    "motto": "Truth and light; Knowledge is power; Dare to think; Through hardship to the stars; Let there be light; "
    "Wisdom and work; For the common good; Faith and reason",
    "range": "Alps; Andes; Pyrenees; Himalayas; Rocky Mountains; Carpathians; Atlas Mountains; Sierra Nevada; Urals",
    "river": "Danube; Rhine; Volga; Loire; Ebro; Mekong; Murray; Tagus; Oder; Inn; Drava; Indus; Orinoco; Yukon",
    "runway": "09L/27R; 18/36; 05/23; 10L/28R; 14/32; 01/19; 07R/25L; 16/34",
    "rank": "captain; major; colonel; brigadier general; lieutenant; sergeant; admiral; rear admiral; corporal; "
    "commander; field marshal; major general; lieutenant colonel; commodore; ensign; private; warrant officer",
    "service": "Royal Navy; United States Army; Royal Air Force; French Navy; Red Army; Swiss Guard; Coast Guard; "
    "Marine Corps; Foreign Legion; Air Force; Imperial Navy; Home Guard; Swedish Army; National Guard",
    "degree": "Bachelor of Arts; Bachelor of Science; Master of Arts; PhD; Master of Science; doctorate in law; MBA; "
    "Doctor of Medicine; degree in physics; degree in history; Master of Fine Arts; degree in engineering",
    "field": "number theory; botany; geology; astronomy; medieval history; linguistics; genetics; economics; optics; "
    "archaeology; sociology; topology; organic chemistry; computer science; zoology; ethics; acoustics; meteorology",
    "colour": "blue; green; brown; grey; black; red; white; yellow; orange; purple; golden; maroon; navy; silver; pink",
    "voice": "soprano; tenor; bass; alto; baritone; mezzo-soprano; contralto; countertenor; bass-baritone",
    "playing position": "goalkeeper; defender; midfielder; striker; winger; point guard; quarterback; pitcher; "
    "centre; full back; shortstop; linebacker; forward; scrum-half; wicket-keeper; sweeper; left back; fly-half",
    "music genre": "jazz; rock; hip hop; blues; country music; heavy metal; folk; techno; reggae; soul; punk rock; "
    "ska; synth-pop; funk; house; bluegrass; grunge; ambient; swing; gospel; tango; indie rock; bossa nova; disco",
    "literary genre": "novel; novella; short story; poem; play; biography; essay; fairy tale; memoir; ballad; satire; "
    "detective novel; historical novel; fable; epic poem; travel book; tragedy; comedy; thriller",
    "software": "Paintbrush Pro; FastMail; Ledger; OpenSketch; QuickServe; Marble Editor; Parrot; Cobweb; Lantern; "
    "DataLoom; Kettle; Firewatch; Pebble; Mosaic; TextForge; Nimbus; Porthole; Beacon; GridLab; Hydra Mail; Tangram",
    "programming language": "Python; C; Java; Rust; Haskell; Fortran; Lisp; Pascal; Go; Ruby; Perl; Scala; Prolog; "
    "Ada; Erlang; Kotlin; Swift; JavaScript; COBOL; OCaml",
    "licence": "MIT License; Apache License; GNU General Public License; BSD licence; Mozilla Public License; "
    "Eclipse Public License; Artistic License; Creative Commons licence; ISC License; Boost Software License",
    "government": "republic; constitutional monarchy; federal republic; parliamentary democracy; absolute monarchy; "
    "one-party state; presidential republic; military dictatorship; confederation; duchy; parliamentary republic",
    "archipelago": "Hebrides; Azores; Cyclades; Canary Islands; Bahamas; Faroe Islands; Aleutian Islands; Maldives; "
    "Channel Islands; Orkney Islands; Philippines; Galápagos Islands; Balearic Islands; Lofoten; Antilles; Moluccas",
    "island": "Skye; Corfu; Naxos; Tenerife; Madeira; Java; Honshu; Malta; Bornholm; Crete; Tasmania; Gotland; Elba; "
    "Zanzibar; Sumatra; Kodiak; Lesbos; Ibiza; Jersey; Guernsey; Menorca; Öland; Rhodes; Luzon; Saaremaa",
    "lake": "Lake Geneva; Lake Victoria; Loch Ness; Lake Ladoga; Lake Garda; Lake Titicaca; Lake Como; Lake Baikal; "
    "Lake Constance; Lake Ohrid; Lake Tahoe; Lake Erie; Lake Malawi; Lake Vänern; Lake Balaton; Lake Onega; Lake Chad",
    "spacecraft": "Voyager 1; Luna 9; Pioneer 10; Mariner 4; Cassini; Galileo; Venera 7; Rosetta; Giotto; Ulysses; "
    "Sputnik 2; Explorer 1; Viking 1; New Horizons; Messenger; Hayabusa; Juno; Dawn; Ranger 7; Surveyor 3; Mir; Zond 5",
    "rocket": "Saturn V; Ariane 5; Atlas V; Proton-K; Delta II; Falcon 9; Long March 3B; Soyuz-U; Titan IIIC; "
    "Vostok-K; Black Arrow; Diamant; Vega; Kosmos-3M; Antares; Zenit-2; H-IIA; Scout X-1; Atlas-Agena; Juno I",
    "ideology": "liberalism; conservatism; socialism; social democracy; communism; nationalism; federalism; anarchism; "
    "environmentalism; agrarianism; Christian democracy; libertarianism; monarchism; feminism; populism; pacifism",
    "serving": "hot; cold; warm; at room temperature; chilled; frozen; lukewarm",
    "status": "endangered; vulnerable; extinct; least concern; critically endangered; near threatened; "
    "extinct in the wild; not evaluated; data deficient",
    "habitat": "rainforest; desert; deep sea; savanna; tundra; coral reef; swamp; steppe; mountain forest; grassland; "
    "mangrove; river bank; taiga; coast; open ocean; heath; bamboo forest; salt marsh",
    "star": "Vega; Altair; Deneb; Antares; Rigel; Sirius; Polaris; Mizar; Castor; Pollux; Spica; Regulus; Capella; "
    "Aldebaran; Bellatrix; Mira; Algol; Fomalhaut; Arcturus; Canopus; Alcor; Achernar; Barnard's Star; Wolf 359",
    "constellation": "Lyra; Orion; Cygnus; Scorpius; Leo; Virgo; Taurus; Ursa Major; Gemini; Aquila; Perseus; Draco; "
    "Andromeda; Pegasus; Canis Major; Carina; Cassiopeia; Boötes; Hydra; Cetus; Centaurus; Cepheus; Aquarius",
    "drug": "aspirin; ibuprofen; penicillin; quinine; insulin; morphine; paracetamol; warfarin; metformin; codeine; "
    "lithium; tetracycline; heparin; propranolol; naproxen; diazepam; streptomycin; prednisone; digoxin; artemisinin",
    "symptom": "fever; headache; cough; nausea; dizziness; fatigue; chest pain; rash; vomiting; weight loss; insomnia; "
    "muscle pain; shortness of breath; sweating; jaundice; blurred vision; back pain; loss of appetite; chills",
    "currency": "euro; Swiss franc; yen; Indian rupee; krone; peso; rand; zloty; US dollar; pound sterling; dinar",
}

_NUMBERS = {  # unit, least, most
    "length": ("metre", 20, 6000),
    "count": ("", 2, 900000),
    "minutes": ("minute", 60, 4000),
    "money": ("US dollars", 10000, 90000000),
    "area": ("square kilometres", 5, 90000),
    "density": ("inhabitants per square kilometre", 4, 9000),
    "days": ("day", 80, 4000),
    "mass": ("kilogram", 100, 90000),
    "temperature": ("kelvin", 40, 900),
    "speed": ("kilometres per hour", 20, 3000),
}
_MONTHS = "January February March April May June July August September October November December".split()


@lru_cache(maxsize=2)
def typed_names(root: Path) -> dict[str, tuple[str, ...]]:
    """Names for each kind of ``relations.txt`` that is a kind of thing."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for name in ("webqsp", "cwq"):
        for line in (root / "freebase_union" / f"{name}_kg.tsv").read_text("utf-8").splitlines():
            head, relation, tail, *_ = line.split("\t")
            for kind, one in zip(_FREEBASE.get(relation, ("", "")), (head, tail), strict=True):
                if kind and _is_name(one):
                    votes[one][kind] += 1
    for line in (root / "metaqa" / "kb.txt").read_text("utf-8").splitlines():
        head, relation, tail = line.split("|")
        for kind, one in (("film", head), ("person", tail if relation in ("starred_actors", "directed_by") else "")):
            if _is_name(one):
                votes[one][kind] += 1
    found: dict[str, set[str]] = defaultdict(set)
    for one, kinds in votes.items():  # some triples of the union are the wrong way round
        (kind, number), everything = kinds.most_common(1)[0], kinds.total()
        if number >= (3 if kind in _CLOSED else 1) and number > 0.6 * everything:
            found[kind].add(one)
        if kinds["country"] >= 4:  # a country is a place too
            found["country"].add(one)
    for kind, names in _LISTS.items():
        found[kind].update(name.strip() for name in names.split(";"))
    _compose(found)
    return {kind: tuple(sorted(names)) for kind, names in found.items()}


def _is_name(text: str) -> bool:
    return 2 <= len(text) <= 34 and not re.match(r"^[mg]\.[0-9a-z_]+$|^\d+$|^https?:", text)


def _compose(found: dict[str, set[str]]) -> None:
    """Names that the data lack, made of those that it has."""
    rng = np.random.default_rng(7)
    found["place"] |= found["city"]
    people, places = sorted(found["person"]), sorted(found["place"])
    last = sorted({name.split()[-1] for name in people if " " in name and name.split()[-1].isalpha()})
    first = sorted({name.split()[0] for name in people if " " in name and name.split()[0].isalpha()})
    forms = {
        "person": "{f} {l};{f} {l};{f} {f} {l};{f} van {l}",
        "airport": "{p} Airport;{p} International Airport;{l} Field;{p} Air Base",
        "building": "{p} Tower;{l} Hall;{l} House;{p} Museum;{l} Stadium;{l} Bridge;{p} Town Hall;{l} Mansion",
        "team": "{p} F.C.;{p} United;{p} Rovers;{p} Tigers;A.C. {p};{p} {l}s",
        "university": "University of {p};{p} University;{l} College;{p} Institute of Technology;{p} School of Business",
        "company": "{l} Group;{l} Motors;{l} Records;{l} Pictures;{l} & Sons;{l} Press;{l} Airlines;{l} Television",
        "organisation": "{p} Society;{l} Foundation;{p} Party;{p} City Council;{l} Institute;Bank of {p};{p} Authority",
        "mountain": "Mount {l};{l} Peak;{p} Mountain",
        "war": "Battle of {p};{p} War;Siege of {p};{p} Revolution",
        "event": "{p} Cup;{p} Championship;{p} Open",
        "vehicle": "{l} {n};{l} Type {n};{p} Express;MS {l};{l} Mk {n}",
        "planet": "{n} {f};{n} {l}",
        "song": "Goodbye {p};{f};Song for {f};Dancing in {p}",
        "album": "Live in {p};{l} Street;Letters to {f};{n}",
        "book": "The {l} Affair;A Year in {p};The Secret of {p};{f} and {f};{l}'s Journey",
        "show": "{l} and {l};The {l} Show;{p} Nights;Inspector {l}",
        "game": "{l} Racing {n};Legends of {p};{l} Quest",
        "artwork": "Portrait of {f} {l};View of {p};The Garden at {p}",
        "league": "{p} League;{p} Premier Division",
        "code": "{n}{n};{c}{c}{c};{c}{c}{c}{c};{n}-{n}-{n};{c}{n}",
        "zone": "Eastern Time;Central European Time;UTC+{d};UTC-{d};Pacific Time",
        "food": "{p} stew;{l} cake;{p} soup;{f} salad",
        "band": "The {l}s;{p} Brothers;The {p} Five;{l} Quartet;Velvet {l};{f} and the {l}s;{p} Sound;{l} Orchestra",
        "series": "The {l} Chronicles;Tales of {p};{f} {l} Mysteries;{p} Trilogy;Legend of {f};{l} Saga",
        "website": "www.{l}.com;{l}.org;www.{l}-{l}.net;{l}.info;www.{f}{l}.com",
        "nickname": "The {p} Tiger;Big {f};{f} the Great;Little {f};The Iron {l};The {p} Kid;Doctor {l};Old {f}",
        "thing": "{p} {l};{l} effect;{l}'s theorem;{l} comet;{l} machine;{l} {n}",
    }
    letters = "ABCDEFGHIJKLMNOPRSTUVWXY"
    for kind, text in forms.items():
        for _ in range(700):
            one = str(rng.choice(text.split(";")))
            while match := re.search(r"\{([flpncd])\}", one):
                pool = {"f": first, "l": last, "p": places, "c": list(letters)}.get(match[1])
                made = str(rng.choice(pool)) if pool else str(rng.integers(1, 12 if match[1] == "d" else 999))
                one = one[: match.start()] + made + one[match.end() :]
            found[kind].add(one)
    found["man"] = found["woman"] = set(found["person"])


def new_object(kind: str, names: dict[str, tuple[str, ...]], rng: np.random.Generator) -> tuple[str, str]:
    """An object of the kind, and whether it is an "entity", a "time" or a "quantity"."""
    if kind in ("day", "year"):
        year = str(rng.integers(1950, 2024) if rng.random() < 0.5 else rng.integers(1400, 1950))
        return (f"{rng.integers(1, 29)} {rng.choice(_MONTHS)} {year}" if kind == "day" else year), "time"
    if kind in _NUMBERS:
        unit, least, most = _NUMBERS[kind]
        number = int(np.exp(rng.uniform(np.log(least), np.log(most))))
        text = f"{number / 10:.1f}" if unit and number < 3000 and rng.random() < 0.3 else str(number)
        return f"{text} {unit}".strip(), "quantity"
    pool = names[kind]
    return pool[int(rng.integers(len(pool)))], "entity"
