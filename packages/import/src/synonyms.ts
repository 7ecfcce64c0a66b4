/**
 * Common names of fields in spreadsheets, besides ours and those of the RESO Data Dictionary, separated by bars. `header-words.ts` knows
 * the spellings of each: "License No." needs no name of its own beside "licence number". A name that begins with = means the field as
 * a whole, and not by its words.
 */
const common: Readonly<Record<string, string>> = {
  email:
    'e-mail | email id | email address | office email | mailbox | e-mail profissional | correo electrónico',
  phone:
    'phone | phone number | phone 1 | telefone fixo | telefone do trabalho | office phone | company phone | main phone | contacto | teléfono fijo',
  phoneExt: 'ext | phone ext | ramal',
  fax: 'fax | número de fax | office fax',
  website:
    'website | web site | web | web page | website url | url | home page | personal website | company website | sítio | site | página | página web | sítio web | sitio web',
  bio: 'about | about me | biography | description | profile | biografia | apresentação | descrição | descripción',
  mlsId: 'mls | mls number | mls id',
  nationalAssociationId: 'nrds | nrds id | nrds number | nar id',
  'address.line1':
    'street | street address | address 1 | address line 1 | street 1 | main address | mailing street | mailing address line 1 | physical address line 1 | home street | office address | address 1 street | rua | morada | morada 1 | logradouro | calle | dirección 1',
  'address.line2':
    'address 2 | address line 2 | street 2 | mailing street 2 | address 1 extended address | suite | unit | apt | andar | fração | morada 2 | complemento',
  'address.city':
    'city | town | home city | mailing city | mailing address city | office city | address 1 city | cidade | localidade | município | ciudad | población | localidad',
  'address.county': 'county | county name | parish | concelho | freguesia',
  'address.region':
    'region | state/province | state or province | state/region | home state | mailing state | mailing state/province | mailing address state | office state | address 1 region | state code | uf | comunidad autónoma',
  'address.postalCode':
    'zip | zip code | zip/postal code | home postal code | mailing zip | mailing postal code | mailing zip/postal code | mailing address zip code | office zip | address 1 postal code | cp | cep',
  'address.country':
    'country | country code | country/region | home country | mailing country | office country | address 1 country | país | código do país',
  'licenses[0].number':
    'licence | licence number | licence id | state licence number | =state license | =state licence | real estate licence | real estate licence number | registration no | registration number | licença ami | ami | cédula | creci | número de registo',
  'licenses[0].region':
    '=license state | =licence state | state of licence | =state of license | licensing state | estado da licença',
  'licenses[0].type':
    'licence type | licence class | licence category | tipo de licença | categoria da licença | tipo de licencia',
  'licenses[0].expiresOn': 'expiry | licence expiry',
  status: 'status | record status | estado | situação | situación',
};

/** Common names of fields that one resource has, or that mean another field of it. The members of a team have theirs of TeamMembers. */
const own: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  offices: {
    id: 'office id | branch id | id do escritório',
    name: 'name | office | office name | account name | business name | =licensee name | nome | nombre | nome do escritório',
    legalName:
      'registered name | legal entity | legal name | legal business name | denominação social | firma | razón social',
    type: 'office type',
    timeZone: 'timezone | time zone | tz | fuso horário | zona horaria',
  },
  agents: {
    id: 'agent id | member id | contact id | employee id | id do consultor',
    firstName:
      'first | first name | given name | forename | fname | firstname_secondary | nome próprio | primeiro nome | nombre de pila | primer nombre',
    middleName: 'middle | middle initial | mi | additional name | nome do meio | segundo nombre',
    lastName:
      'last | last name | surname | family name | lname | lastname_primary | apelido | apelidos | último nome | sobrenome | apellido | apellidos',
    nickname: 'nick name | preferred name | known as | goes by | alcunha | apodo',
    displayName:
      'name | full name | agent | agent name | name, full | license holder name | nome | nome completo | nombre | nombre completo',
    namePrefix: 'prefix | salutation | courtesy title | tratamento | tratamiento',
    nameSuffix: 'suffix | name suffix | sufixo | sufijo',
    title:
      'title | job title | position | role | organization title | organization 1 - title | cargo | função | puesto',
    type: 'agent type | tipo',
    mobilePhone: 'mobile | mobile phone',
    directPhone: 'direct | direct line | direct dial | direct phone | linha direta | línea directa',
    photoUrl: 'photo | photo url | picture | image | headshot | fotografia | foto',
    languages: 'language | languages | languages spoken | idiomas | línguas | idioma',
    designations: 'designation | certifications | certificações',
    officeName:
      'office | office name | organization 1 - name | account name | employing broker | business name | imobiliária | inmobiliaria',
  },
  teams: {
    id: 'team id',
    name: 'team | team name | equipa | nome da equipa | equipo',
    officeName: 'office | office name',
    'members.agentId': 'agent id | member id | MemberKey',
    'members.agentEmail': 'agent email | member email | agent | e-mail do consultor',
    'members.role': 'role | team role | TeamMemberType | papel',
    'members.title': 'title | job title | cargo | função',
    'members.since': 'since | joined | start date | desde | início',
    'members.until': 'until | left | end date | até | fim',
  },
};

/** A common name of a field. */
interface CommonName {
  field: string;
  name: string;
  /** Whether only the whole name means the field. */
  isWhole: boolean;
}

/** The common names of the fields of a resource. */
export function synonymsOf(resource: string): CommonName[] {
  return Object.entries({ ...common, ...own[resource] }).flatMap(([field, names]) =>
    names
      .split(' | ')
      .map((name) => ({ field, name: name.replace(/^=/, ''), isWhole: name.startsWith('=') })),
  );
}

/** A field whose name means a part of it where another column has the rest. */
interface PartBeside {
  whole: string;
  beside: string;
  part: string;
  /** The only names with that meaning. */
  names: readonly string[];
}

const wholeNames: PartBeside = {
  whole: 'displayName',
  beside: 'lastName',
  part: 'firstName',
  names: ['name', 'nome', 'nombre'],
};

/**
 * The names of a resource that mean a part where a column beside them has the rest: `Nome` beside `Apelido` is the first name. A name that
 * can only be a whole one is the display name, whatever is beside it.
 */
export function partsOf(name: string): readonly PartBeside[] {
  return name === 'agents' ? [wholeNames] : [];
}

/** A name in lower case without accents, spaces and punctuation. */
export function bareName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Words that say whose a value is, or which of several, and not what: tried one list after the other. */
const contexts: Readonly<Record<string, readonly (readonly string[])[]>> = {
  offices: [
    ['office'],
    ['office', 'work', 'business', 'primary', 'main', 'principal', 'current', '1'],
    ['office', 'address', '1'],
  ],
  agents: [
    ['agent'],
    ['agent', 'work', 'business', 'primary', 'preferred', 'principal', 'current', '1'],
    ['agent', 'address', '1'],
  ],
  teams: [
    ['team'],
    ['team', 'work', 'business', 'primary', 'main', 'preferred', '1'],
    ['team', 'address', '1'],
  ],
};

export const contextsFor = (resource: string) => contexts[resource] ?? [];
