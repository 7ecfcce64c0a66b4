import type { ResourceName } from '@roster/client';
import { synonyms as agents } from './agents/synonyms.ts';
import { synonyms as offices } from './offices/synonyms.ts';

/**
 * Common names of fields in spreadsheets, besides ours and those of the RESO Data Dictionary. Letter case, spaces and
 * punctuation are ignored: `E-Mail Address` is `emailaddress`.
 */
const common: Readonly<Record<string, readonly string[]>> = {
  email: ['e-mail', 'email address', 'mail'],
  phone: [
    'phone number',
    'telephone',
    'telephone number',
    'tel',
    'main phone',
    'work phone',
    'business phone',
  ],
  phoneExt: ['extension', 'ext', 'phone extension'],
  fax: ['fax number'],
  website: ['web site', 'web', 'web page', 'url', 'homepage'],
  bio: ['about', 'biography', 'description'],
  mlsId: ['mls', 'mls number', 'mls no'],
  'address.line1': ['street', 'street address', 'address 1', 'address line 1', 'street 1'],
  'address.line2': ['address 2', 'address line 2', 'street 2', 'suite', 'unit'],
  'address.city': ['city', 'town'],
  'address.county': ['county', 'parish'],
  'address.region': ['region', 'state', 'province', 'state/province', 'state or province'],
  'address.postalCode': ['postal code', 'post code', 'zip', 'zip code', 'zip/postal code'],
  'address.country': ['country', 'country code'],
  'licenses[0].number': ['license', 'licence', 'license number', 'licence number', 'license no', 'license #'],
};

/** Common names of fields that one resource has, or that mean another field of it. */
const own: Readonly<Partial<Record<ResourceName, Readonly<Record<string, readonly string[]>>>>> = {
  offices,
  agents,
};

/** The common names of the fields of a resource. */
export function synonymsOf(name: ResourceName): Readonly<Record<string, readonly string[]>> {
  return { ...common, ...own[name] };
}

/** A name in lower case without spaces and punctuation. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
