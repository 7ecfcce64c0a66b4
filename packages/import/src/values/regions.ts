import { iso31662 } from 'iso-3166';
import { folded } from './countries.ts';

/**
 * Further names of regions, by country: usual short forms, and names in English, Portuguese and Spanish where they differ from those
 * that the country has for itself.
 */
const otherNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: {
    AL: 'Ala',
    AZ: 'Ariz, Arizona',
    AR: 'Ark',
    CA: 'Calif, Cal, Califórnia',
    CO: 'Colo',
    CT: 'Conn',
    DC: 'Washington DC, D.C., Washington D.C.',
    DE: 'Del',
    FL: 'Fla, Flor, Flórida',
    GA: 'Geórgia',
    HI: 'Havaí, Hawái',
    ID: 'Ida',
    IL: 'Ill',
    IN: 'Ind',
    KS: 'Kan, Kans',
    KY: 'Ken, Kent',
    LA: 'Luisiana, Lousiana',
    ME: 'Maine',
    MA: 'Mass',
    MI: 'Mich',
    MN: 'Minn, Minesota',
    MS: 'Miss, Mississípi, Misisipi',
    MO: 'Mo, Misuri',
    MT: 'Mont',
    NE: 'Neb, Nebr',
    NV: 'Nev',
    NH: 'N. Hampshire, Nova Hampshire, Nuevo Hampshire',
    NJ: 'N. Jersey, Nova Jersey, Nueva Jersey',
    NM: 'N. Mex, Novo México, Nuevo México',
    NY: 'N. York, Nova Iorque, Nova York, Nueva York, New York State',
    NC: 'N. Carolina, N. Car, Carolina do Norte, Carolina del Norte',
    ND: 'N. Dakota, N. Dak, Dakota do Norte, Dakota del Norte',
    OK: 'Okla',
    OR: 'Ore, Oreg, Oregón',
    PA: 'Penn, Penna, Pensilvânia, Pensilvania',
    RI: 'R. Island',
    SC: 'S. Carolina, S. Car, Carolina do Sul, Carolina del Sur',
    SD: 'S. Dakota, S. Dak, Dakota do Sul, Dakota del Sur',
    TN: 'Tenn',
    TX: 'Tex, Tejas',
    VT: 'Verm',
    VA: 'Virg, Virgínia',
    WA: 'Wash',
    WV: 'W. Virginia, W. Va, Virgínia Ocidental, Virginia Occidental',
    WI: 'Wis, Wisc',
    WY: 'Wyo',
  },
  PT: {
    '11': 'Lisbon, Lisboa',
    '13': 'Oporto',
    '20': 'Azores, Açores, Região Autónoma dos Açores',
    '30': 'Madeira, Região Autónoma da Madeira',
  },
  ES: {
    A: 'Alacant',
    AN: 'Andalusia, Andaluzia',
    AR: 'Aragon, Aragão',
    AS: 'Asturias, Astúrias',
    B: 'Barcelona',
    BI: 'Biscay, Vizcaya',
    C: 'La Coruña, Corunha',
    CM: 'Castile-La Mancha, Castela-Mancha, Castilla La Mancha',
    CN: 'Canary Islands, Canárias, Canarias',
    CT: 'Catalonia, Catalunha, Cataluña',
    CL: 'Castile and León, Castela e Leão, Castilla y León',
    GA: 'Galiza, Galicia',
    GI: 'Gerona',
    IB: 'Balearic Islands, Baleares, Ilhas Baleares, Islas Baleares',
    L: 'Lérida',
    M: 'Madrid',
    MD: 'Comunidad de Madrid, Community of Madrid',
    NC: 'Navarre, Navarra',
    OR: 'Orense',
    PV: 'Basque Country, País Basco, País Vasco, Euskadi',
    SE: 'Seville, Sevilha',
    SS: 'Guipúzcoa',
    V: 'Valência, Valencia',
    VC: 'Comunidad Valenciana, Comunidade Valenciana, Valencian Community',
    VI: 'Álava',
    Z: 'Saragossa, Saragoça',
  },
  BR: { DF: 'Brasília', SP: 'S. Paulo', RJ: 'Rio' },
  CA: { QC: 'Quebec', NL: 'Newfoundland', BC: 'Colúmbia Britânica, Columbia Británica', NS: 'Nova Escócia' },
  GB: {
    ENG: 'Inglaterra',
    SCT: 'Escócia, Escocia',
    WLS: 'Gales, País de Gales',
    NIR: 'Irlanda do Norte, Irlanda del Norte',
  },
  DE: {
    BY: 'Bavaria, Baviera',
    NW: 'North Rhine-Westphalia, NRW',
    SN: 'Saxony',
    HE: 'Hesse',
    RP: 'Rhineland-Palatinate',
    TH: 'Thuringia',
  },
};

/** Stands for a name that two regions of a country have. */
const AMBIGUOUS = '';

const indexes = new Map<string, Map<string, string>>();

/** The regions of a country by their names and codes. */
function indexOf(country: string): Map<string, string> {
  const known = indexes.get(country);
  if (known !== undefined) return known;
  const own = iso31662.flatMap(({ code, name }) => {
    const [of, region = ''] = code.split(/-(.*)/);
    return of === country ? [{ name: folded(name), region }] : [];
  });
  const index = new Map<string, string>();
  for (const { name, region } of own) index.set(name, index.has(name) ? AMBIGUOUS : region);
  for (const [region, names] of Object.entries(otherNames[country] ?? {}))
    for (const name of names.split(', ')) index.set(folded(name), region);
  for (const { region } of own) index.set(folded(region), region);
  indexes.set(country, index);
  return index;
}

/**
 * Finds the code of a region of a country by its name, as the country writes it or in English, Portuguese or Spanish, by a usual short
 * form or by the code, ignoring case, accents and punctuation: `FL` for Florida, Fla. and Fl. in the United States. Undefined if no region
 * has the name, or several have.
 */
export function findRegion(name: string, country: string): string | undefined {
  return indexOf(country).get(folded(name)) || undefined;
}
