import { synonyms as agents, parts as partsOfAgents } from './agents/synonyms.ts';
import { synonyms as offices } from './offices/synonyms.ts';
import { synonyms as teams } from './teams/synonyms.ts';

/**
 * Common names of fields in spreadsheets, besides ours and those of the RESO Data Dictionary. Letter case, spaces and
 * punctuation are ignored: `E-Mail Address` is `emailaddress`.
 */
const common: Readonly<Record<string, readonly string[]>> = {
  email: [
    'e-mail',
    'email address',
    'mail',
    'correio electrónico',
    'correio eletrónico',
    'endereço de e-mail',
  ],
  phone: [
    'phone number',
    'telephone',
    'telephone number',
    'tel',
    'main phone',
    'work phone',
    'business phone',
    'telefone',
    'telefone fixo',
  ],
  phoneExt: ['extension', 'ext', 'phone extension', 'extensão'],
  fax: ['fax number'],
  website: ['web site', 'web', 'web page', 'url', 'homepage', 'sítio', 'site', 'página'],
  bio: ['about', 'biography', 'description', 'biografia', 'apresentação'],
  mlsId: ['mls', 'mls number', 'mls no'],
  'address.line1': ['street', 'street address', 'address 1', 'address line 1', 'street 1', 'rua', 'morada'],
  'address.line2': ['address 2', 'address line 2', 'street 2', 'suite', 'unit', 'andar', 'fração'],
  'address.city': ['city', 'town', 'cidade', 'localidade'],
  'address.county': ['county', 'parish', 'concelho', 'freguesia'],
  'address.region': [
    'region',
    'state',
    'province',
    'state/province',
    'state or province',
    'região',
    'distrito',
  ],
  'address.postalCode': [
    'postal code',
    'post code',
    'zip',
    'zip code',
    'zip/postal code',
    'código postal',
    'cp',
  ],
  'address.country': ['country', 'country code', 'país'],
  'licenses[0].expiresOn': [
    'license expires',
    'licence expires',
    'license expiration',
    'license expiry',
    'expires',
    'expires on',
    'validade',
    'validade da licença',
    'válida até',
  ],
  status: ['estado', 'situação'],
  'licenses[0].number': [
    'license',
    'licence',
    'license number',
    'licence number',
    'license no',
    'license #',
    'licença',
    'número de licença',
    'n.º de licença',
    'licença ami',
    'ami',
    'cédula',
    'creci',
  ],
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
