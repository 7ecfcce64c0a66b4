import { z } from 'zod';
import { address, license, nextLicenseExpiry } from '../../engine/fields/composite.ts';
import { emailText, telephoneText, urlText } from '../../engine/fields/contact.ts';
import {
  enumField,
  list,
  reference,
  requiredText,
  searched,
  text,
  timeZoneText,
} from '../../engine/fields/field.ts';
import { importedMetadata, sourceKeyOf, sourceOf } from '../../engine/fields/imported.ts';
import { count, RecordId, recordFields, serverFields, versioned } from '../../engine/fields/schemas.ts';
import { createShape, patchShape, readShape } from '../../engine/fields/shapes.ts';
import { emptinessQuery } from '../../engine/list/emptiness.ts';
import {
  checkNot,
  filterQueryOf,
  listQueryOf,
  notQuery,
  recordSorts,
  repeated,
  SORT_DEFAULT,
  searchSortDocs,
} from '../../engine/list/parameters.ts';
import { RELEVANCE } from '../../engine/search/relevance.ts';
import { licenseFilterQuery, licenseSorts } from '../licenses.ts';

/** In JSON order. CONTRIBUTING.md says how to add one. */
export const officeFields = {
  ...serverFields,
  name: searched(
    requiredText(
      { lengthMax: 255 },
      { description: 'Name in everyday use (RESO OfficeName)', example: 'Atlântico Imóveis' },
    ),
  ),
  legalName: searched(
    text(
      { lengthMax: 255 },
      {
        description: 'Registered name, if different',
        example: 'Atlântico Mediação Imobiliária, Lda.',
      },
    ),
  ),
  branchType: enumField(['main', 'branch', 'stand_alone'], {
    description: 'Main office, branch or stand-alone office (RESO OfficeBranchType)',
    example: 'branch',
  }),
  type: text(
    { lengthMax: 50 },
    { description: 'Type of business (RESO OfficeType)', example: 'Residential' },
  ),
  mainOfficeId: reference({
    description: 'ID of the main office. An office cannot be its own ancestor (RESO MainOfficeKey).',
    example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  }),
  brokerAgentId: reference({
    description: 'ID of the legally responsible agent (RESO OfficeBrokerKey)',
    example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
  }),
  managerAgentId: reference({
    description: 'ID of the agent who manages the office (RESO OfficeManagerKey)',
    example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
  }),
  franchise: text(
    { lengthMax: 100 },
    { description: 'Franchise of the office (RESO FranchiseAffiliation)', example: 'Casa Clara' },
  ),
  mlsId: searched(text({ lengthMax: 50 }, { description: 'MLS ID (RESO OfficeMlsId)', example: 'LX0042' })),
  nationalAssociationId: text(
    { lengthMax: 50 },
    {
      description: 'ID in the national association (RESO OfficeNationalAssociationId)',
      example: '084001234',
    },
  ),
  licenses: list(license, {
    countMax: 20,
    description: 'Licences of the office (RESO OfficeCorporateLicense)',
    example: [{ number: 'AMI-12345', region: '11', type: 'Corporate', expiresOn: '2027-12-31' }],
  }),
  nextLicenseExpiresOn: nextLicenseExpiry,
  phone: telephoneText({ description: 'Phone number (RESO OfficePhone)', example: '+351210000042' }),
  phoneExt: text({ lengthMax: 10 }, { description: 'Extension (RESO OfficePhoneExt)', example: '12' }),
  fax: telephoneText({ description: 'Fax number (RESO OfficeFax)', example: '+351210000043' }),
  email: searched(
    emailText({ description: 'Email address (RESO OfficeEmail)', example: 'lisboa@atlantico.example' }),
  ),
  website: urlText({
    description: 'Website, `http` or `https`',
    example: 'https://atlantico.example/lisboa',
  }),
  address: searched(address('Address of the office (RESO OfficeAddress1, OfficeCity …)')),
  mailingAddress: address('Mailing address, if different (RESO OfficeMailAddress1 …)'),
  timeZone: timeZoneText({ description: 'Time zone (IANA)', example: 'Europe/Lisbon' }),
  bio: text(
    { lengthMax: 4000 },
    {
      description: 'About the office (RESO OfficeBio)',
      example: 'In Baixa since 1987; family homes and flats.',
    },
  ),
  ...recordFields,
};

export const Office = z
  .strictObject(readShape(officeFields))
  .meta({ id: 'Office', description: 'An office' });
export type Office = z.infer<typeof Office>;

const OfficeCounts = z
  .strictObject({
    agents: z
      .strictObject({
        active: count('Active agents', 12),
        inactive: count('Inactive agents', 3),
      })
      .meta({ description: 'Number of agents whose primary office this is' }),
    affiliatedAgents: count('Number of affiliated agents, active and inactive', 2),
    branches: count('Number of branches, active and inactive', 4),
  })
  .meta({ id: 'OfficeCounts', description: 'Number of records that refer to an office' });

export const ListedOffice = Office.extend({
  counts: OfficeCounts.optional().meta({
    description: 'With `expand=counts`: number of records that refer to the office, from the same snapshot',
  }),
}).meta({ id: 'ListedOffice', description: 'An office, with its optional counts' });
export type ListedOffice = z.infer<typeof ListedOffice>;

export const officeExpansion = z
  .enum(['counts'])
  .meta({ description: 'Add the numbers of agents and branches to each office', example: 'counts' })
  .optional();

export const NewOffice = z.strictObject(createShape(officeFields)).meta({
  id: 'NewOffice',
  description: 'An office to create',
  example: { name: 'Atlântico Porto', address: { city: 'Porto', country: 'PT' }, timeZone: 'Europe/Lisbon' },
});
export type NewOffice = z.input<typeof NewOffice>;

export const exampleOffice = { name: 'Example office' };

export const OfficePatch = z.strictObject({ ...versioned, ...patchShape(officeFields) }).meta({
  id: 'OfficePatch',
  description: 'Fields to change, as JSON Merge Patch (RFC 7396)',
  example: { phone: '+351210000042', bio: null },
});
export type OfficePatch = z.input<typeof OfficePatch>;

const ownFilters = {
  ...licenseFilterQuery,
  mainOfficeId: repeated(RecordId, { description: 'Filter by main office: branches of this office' }),
  ...emptinessQuery([
    'email',
    'phone',
    'mlsId',
    'licenses',
    'address',
    'source',
    'mainOfficeId',
    'brokerAgentId',
    'managerAgentId',
  ]),
  ...notQuery([
    'status',
    'email',
    'mlsId',
    'city',
    'region',
    'postalCode',
    'country',
    'sourceName',
    'sourceKey',
    'licenseNumber',
    'licenseRegion',
    'mainOfficeId',
  ]),
};
export const officeFilterFields = { ...filterQueryOf(officeFields), ...ownFilters };

export const OfficeQuery = z
  .strictObject({
    ...listQueryOf(officeFields),
    sort: z
      .enum(['name', '-name', ...recordSorts, ...licenseSorts, RELEVANCE])
      .default(SORT_DEFAULT)
      .meta(searchSortDocs),
    expand: officeExpansion,
    ...ownFilters,
  })
  .check(checkNot);
export type OfficeQuery = z.input<typeof OfficeQuery>;

export const OfficeSummary = Office.pick({
  id: true,
  name: true,
  status: true,
  branchType: true,
  mlsId: true,
  phone: true,
  email: true,
  timeZone: true,
}).meta({ id: 'OfficeSummary', description: 'A summary of an office' });
export type OfficeSummary = z.infer<typeof OfficeSummary>;

export const ImportedOffice = NewOffice.extend({
  metadata: importedMetadata,
  mainOfficeSource: sourceOf('The main office, existing or in the same call'),
  mainOfficeSourceKey: sourceKeyOf('The main office, existing or in the same call'),
}).meta({
  id: 'ImportedOffice',
  description: 'An office to import: a new office, or the known fields of an existing one',
  example: { name: 'Atlântico Lisboa', source: { name: 'MLS Lisboa', key: 'OFF-0042' } },
});
export type ImportedOffice = z.input<typeof ImportedOffice>;
