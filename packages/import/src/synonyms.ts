import { synonyms as agents, parts as partsOfAgents } from './agents/synonyms.ts';
import { synonyms as offices } from './offices/synonyms.ts';
import { synonyms as teams } from './teams/synonyms.ts';

/**
 * Common names of fields in spreadsheets, besides ours and those of the RESO Data Dictionary. Letter case, spaces and
 * punctuation are ignored: `E-Mail Address` is `emailaddress`.
 */
const common: Readonly<Record<string, readonly string[]>> = {
  email: [
    ...['e-mail', 'email address', 'mail', 'e-mail 1 - value', 'email 1 value', 'email 1', 'primary email'],
    ...['work email', 'business email', 'office email', 'contact email', 'email id'],
    ...[
      'correio electrónico',
      'correio eletrónico',
      'endereço de e-mail',
      'endereço de email',
      'e-mail profissional',
    ],
  ],
  phone: [
    ...[
      'phone number',
      'telephone',
      'telephone number',
      'tel',
      'phone 1',
      'phone 1 - value',
      'primary phone',
    ],
    ...[
      'main phone',
      'work phone',
      'work telephone',
      'business phone',
      'office phone',
      'company phone',
      'contact number',
    ],
    ...[
      'preferred phone',
      'contact phone',
      'telefone',
      'telefone fixo',
      'telefone principal',
      'telefone do trabalho',
      'contacto',
    ],
  ],
  phoneExt: ['extension', 'ext', 'phone extension', 'phone ext', 'extensão', 'ramal'],
  fax: ['fax number', 'fax no', 'work fax', 'business fax', 'office fax', 'número de fax'],
  website: [
    ...[
      'web site',
      'web',
      'web page',
      'website url',
      'url',
      'home page',
      'website 1 - value',
      'personal website',
    ],
    ...['company website', 'sítio', 'site', 'página', 'página web', 'sítio web'],
  ],
  bio: ['about', 'about me', 'biography', 'description', 'profile', 'biografia', 'apresentação', 'descrição'],
  mlsId: ['mls', 'mls number', 'mls no', 'mls #', 'número mls'],
  nationalAssociationId: ['nrds', 'nrds id', 'nrds number', 'nar id'],
  'address.line1': [
    ...['mailing address - line 1', 'business address 1', 'physical address - line 1', 'main address'],
    ...[
      'street',
      'street address',
      'address 1',
      'address line 1',
      'street 1',
      'business street',
      'work street',
      'work address',
    ],
    ...[
      'business address',
      'home street',
      'office address',
      'address 1 - street',
      'mailing street',
      'rua',
      'morada',
      'morada 1',
    ],
    ...['logradouro'],
  ],
  'address.line2': [
    ...['business address 2', 'address 1 - extended address', 'mailing street 2'],
    ...[
      'address 2',
      'address line 2',
      'street 2',
      'business street 2',
      'suite',
      'unit',
      'apt',
      'andar',
      'fração',
      'morada 2',
    ],
    ...['complemento'],
  ],
  'address.city': [
    ...['mailing address - city'],
    ...[
      'city',
      'town',
      'business city',
      'work city',
      'home city',
      'mailing city',
      'office city',
      'address 1 - city',
    ],
    ...['cidade', 'localidade', 'município'],
  ],
  'address.county': ['county', 'county name', 'parish', 'concelho', 'freguesia'],
  'address.region': [
    ...['mailing address - state'],
    ...[
      'region',
      'state',
      'province',
      'state/province',
      'state or province',
      'state/region',
      'business state',
      'work state',
    ],
    ...[
      'home state',
      'mailing state',
      'mailing state/province',
      'office state',
      'address 1 - region',
      'state code',
      'região',
    ],
    ...['distrito', 'uf'],
  ],
  'address.postalCode': [
    ...['business zip', 'mailing address - zip code', 'mailing postal code', 'work postal code'],
    ...[
      'postal code',
      'postcode',
      'zip',
      'zip code',
      'zip/postal code',
      'postal/zip code',
      'business postal code',
    ],
    ...[
      'home postal code',
      'mailing zip',
      'mailing zip/postal code',
      'office zip',
      'address 1 - postal code',
    ],
    ...['código postal', 'cp', 'cep'],
  ],
  'address.country': [
    ...[
      'country',
      'country code',
      'country/region',
      'business country',
      'business country/region',
      'home country',
    ],
    ...['mailing country', 'work country', 'office country', 'address 1 - country', 'país', 'código do país'],
  ],
  'licenses[0].number': [
    ...[
      'license',
      'licence',
      'license number',
      'licence number',
      'license no',
      'license #',
      'lic number',
      'lic #',
      'lic no',
    ],
    ...[
      'license id',
      'state license',
      'state license number',
      'real estate license',
      'real estate license number',
    ],
    ...[
      'registration number',
      'licença',
      'número de licença',
      'número da licença',
      'n.º de licença',
      'licença ami',
      'ami',
    ],
    ...['cédula', 'creci'],
  ],
  'licenses[0].region': [
    'license state',
    'licence state',
    'state of license',
    'licensing state',
    'estado da licença',
  ],
  'licenses[0].type': [
    'license type',
    'licence type',
    'lic type',
    'license class',
    'license category',
    'tipo de licença',
  ],
  'licenses[0].expiresOn': [
    ...['lic expiration date', 'lic expiration'],
    ...[
      'license expires',
      'licence expires',
      'license expiration',
      'license expiration date',
      'licence expiry date',
    ],
    ...[
      'license expiry',
      'license exp date',
      'expiration date',
      'expiry date',
      'exp date',
      'expiration',
      'expires',
      'expires on',
    ],
    ...['validade', 'validade da licença', 'data de validade', 'válida até', 'data de expiração'],
  ],
  status: ['record status', 'estado', 'situação'],
};

/** Common names of fields that one resource has, or that mean another field of it. */
const own: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  offices,
  agents,
  teams,
};

/** The common names of the fields of a resource. */
export function synonymsOf(name: string): Readonly<Record<string, readonly string[]>> {
  return { ...common, ...own[name] };
}

/** A field whose name means a part of it where another column has the rest. */
interface PartBeside {
  whole: string;
  beside: string;
  part: string;
}

/** The names of a resource that mean a part where a column beside them has the rest. */
export function partsOf(name: string): readonly PartBeside[] {
  const parts: Readonly<Record<string, readonly PartBeside[]>> = { agents: partsOfAgents };
  return parts[name] ?? [];
}

/** A name in lower case without accents, spaces and punctuation. */
export function bareName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
