import { z } from 'zod';
import { address, addressParts, license, nextLicenseExpiry } from '../../engine/fields/composite.ts';
import { emailText, telephoneText, urlText } from '../../engine/fields/contact.ts';
import {
  date,
  item,
  languageTag,
  list,
  notBlank,
  reference,
  searched,
  text,
} from '../../engine/fields/field.ts';
import { importedMetadata, officeNameOf, sourceKeyOf, sourceOf } from '../../engine/fields/imported.ts';
import {
  oneTime,
  optionalTime,
  RecordId,
  recordFields,
  scheduledInput,
  serverFields,
  versioned,
} from '../../engine/fields/schemas.ts';
import { createShape, patchShape, readShape } from '../../engine/fields/shapes.ts';
import { emptinessQuery } from '../../engine/list/emptiness.ts';
import {
  addressFilterQuery,
  checkNot,
  filterQueryOf,
  listQueryOf,
  notQuery,
  peopleSortDocs,
  recordSorts,
  repeated,
  SORT_DEFAULT,
  value,
} from '../../engine/list/parameters.ts';
import { RELEVANCE } from '../../engine/search/relevance.ts';
import { licenseFilterQuery, licenseSorts } from '../licenses.ts';
import { OfficeSummary } from '../offices/schemas.ts';

const officeDocs = {
  description:
    'An affiliated office. Each office at most once, and never the one in `officeId` (RESO OfficeKey)',
  example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
};
const visibleDocs = { description: 'Whether the office shows the agent to the public', example: true };
const title = text(
  { lengthMax: 100 },
  {
    description: "The agent's job title in this office (RESO JobTitle)",
    example: 'Consultant for new homes',
  },
);
const since = date({ description: 'First day of the affiliation, if known', example: '2026-03-01' });

function rejectRepeated({ value, issues }: z.core.ParsePayload<{ officeId: string }[]>): void {
  const named = new Set<string>();
  for (const [index, { officeId }] of value.entries()) {
    if (named.has(officeId)) {
      const message = 'is an office that is already in this list';
      const path = [index, 'officeId'];
      issues.push({ code: 'custom', input: officeId, message, path, params: { code: 'repeated' } });
    }
    named.add(officeId);
  }
}

/** In addition to the primary office. Absent parts are null, and `isVisible` is true. */
const affiliation = {
  input: z
    .strictObject({
      officeId: z.uuid().toLowerCase().meta(officeDocs),
      title: title.input.default(null),
      isVisible: z.boolean().default(true).meta(visibleDocs),
      since: since.input.default(null),
    })
    .meta({ id: 'NewAffiliation', description: 'An affiliation to write' }),
  output: z
    .strictObject({
      officeId: z.string().meta({ ...officeDocs, format: 'uuid' }),
      title: title.output,
      isVisible: z.boolean().meta(visibleDocs),
      since: since.output,
    })
    .meta({
      id: 'Affiliation',
      description: 'An office an agent belongs to in addition to the primary office',
    }),
  listStorage: 'jsonb' as const,
  checkItems: rejectRepeated,
};

/** In JSON order. CONTRIBUTING.md says how to add one. */
export const agentFields = {
  ...serverFields,
  firstName: searched(
    text(
      { lengthMax: 100 },
      {
        description: 'Given name (RESO MemberFirstName). Required unless `lastName` is set.',
        example: 'Ana',
      },
    ),
  ),
  lastName: searched(
    text(
      { lengthMax: 100 },
      {
        description: 'Family name (RESO MemberLastName). Required unless `firstName` is set.',
        example: 'Figueiredo',
      },
    ),
  ),
  middleName: searched(
    text({ lengthMax: 100 }, { description: 'Middle name (RESO MemberMiddleName)', example: 'Luísa' }),
  ),
  nickname: searched(
    text({ lengthMax: 100 }, { description: 'Nickname (RESO MemberNickname)', example: 'Nana' }),
  ),
  namePrefix: text(
    { lengthMax: 20 },
    { description: 'Title before the name (RESO MemberNamePrefix)', example: 'Dr.' },
  ),
  nameSuffix: text(
    { lengthMax: 20 },
    { description: 'Suffix after the name (RESO MemberNameSuffix)', example: 'Jr.' },
  ),
  displayName: searched({
    ...text(
      { lengthMax: 255 },
      {
        description:
          'Display name (RESO MemberFullName). Set to `null` to reset it. Defaults to the first and last name.',
        example: 'Ana Figueiredo',
      },
    ),
    output: z.string().meta({ description: 'Display name (RESO MemberFullName)', example: 'Ana Figueiredo' }),
  }),
  title: text({ lengthMax: 100 }, { description: 'Job title (RESO JobTitle)', example: 'Senior consultant' }),
  type: text({ lengthMax: 50 }, { description: 'Type of member (RESO MemberType)', example: 'Broker' }),
  officeId: reference({
    description: "ID of the agent's primary office (RESO OfficeKey)",
    example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  }),
  affiliations: list(affiliation, {
    countMax: 20,
    description:
      'Other offices the agent belongs to, each at most once. An office that becomes `officeId` is removed.',
    example: [],
  }),
  transferredAt: optionalTime(
    'When `officeId` last changed; `null` if it never did (RESO MemberTransferDate)',
  ),
  email: searched(
    emailText({
      description: 'Email address; unique among agents, ignoring case (RESO MemberEmail)',
      example: 'ana.figueiredo@atlantico.example',
    }),
  ),
  phone: telephoneText({
    description: 'Preferred phone number (RESO MemberPreferredPhone)',
    example: '+351910000001',
  }),
  phoneExt: text(
    { lengthMax: 10 },
    { description: 'Extension of the preferred phone number (RESO MemberPreferredPhoneExt)', example: '7' },
  ),
  mobilePhone: telephoneText({
    description: 'Mobile phone number (RESO MemberMobilePhone)',
    example: '+351910000001',
  }),
  directPhone: telephoneText({
    description: 'Direct line (RESO MemberDirectPhone)',
    example: '+351210000007',
  }),
  fax: telephoneText({ description: 'Fax number (RESO MemberFax)', example: '+351210000043' }),
  mlsId: searched(
    text({ lengthMax: 50 }, { description: 'MLS ID (RESO MemberMlsId)', example: 'LX0042-07' }),
  ),
  nationalAssociationId: text(
    { lengthMax: 50 },
    {
      description: 'ID in the national association (RESO MemberNationalAssociationId)',
      example: '084005678',
    },
  ),
  licenses: list(license, {
    countMax: 50,
    description: 'Licences of the agent (RESO MemberStateLicense …)',
    example: [{ number: 'CI-00042', region: '11', type: 'Broker', expiresOn: '2027-12-31' }],
  }),
  nextLicenseExpiresOn: nextLicenseExpiry,
  address: searched(address('Business address (RESO MemberAddress1, MemberCity …)')),
  languages: list(languageTag(), {
    countMax: 20,
    description: 'Spoken languages, as BCP 47 tags (RESO MemberLanguages)',
    example: ['pt-PT', 'en'],
  }),
  designations: list(item(50), {
    countMax: 30,
    description: 'Professional designations (RESO MemberDesignation)',
    example: ['GRI', 'CRS'],
  }),
  assistantToAgentId: reference({
    description: 'ID of the agent this agent assists (RESO MemberIsAssistantTo)',
    example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
  }),
  website: urlText({ description: 'Website, `http` or `https`', example: 'https://ana.atlantico.example' }),
  photoUrl: urlText({
    description: 'URL of a portrait, `http` or `https`',
    example: 'https://ana.atlantico.example/ana.jpg',
  }),
  bio: text(
    { lengthMax: 4000 },
    { description: 'About the agent (RESO MemberBio)', example: 'Homes along the Tagus for twelve years.' },
  ),
  ...recordFields,
};

const { officeId, transferredAt, ...others } = readShape(agentFields);

export const Agent = z
  .strictObject({ ...others, officeId, transferredAt })
  .meta({ id: 'Agent', description: 'An agent' });
export type Agent = z.infer<typeof Agent>;

/** The address where an agent works, in whole. */
export const WorkPlace = z
  .strictObject({
    officeId: RecordId.nullable().meta({
      description: "ID of the office whose address it is; `null` if it is the agent's own",
      example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
    }),
    ...readShape(addressParts),
  })
  .meta({
    id: 'WorkPlace',
    description:
      "The agent's own address, else the address of the office, else of the nearest office above it",
  });
export type WorkPlace = z.infer<typeof WorkPlace>;

export const ListedAgent = Agent.extend({
  office: OfficeSummary.nullable()
    .optional()
    .meta({ description: 'With `expand=office`: a summary of the office; `null` if the agent has none' }),
  place: WorkPlace.nullable()
    .optional()
    .meta({ description: 'With `expand=place`: where the agent works; `null` if no address is known' }),
}).meta({ id: 'ListedAgent', description: 'An agent in a list' });
export type ListedAgent = z.infer<typeof ListedAgent>;

/** The fields of a new agent, of which an import may leave out those of an existing one. */
export const writtenAgent = z.strictObject(createShape(agentFields));

const isGiven = (name: 'firstName' | 'lastName') => ({
  properties: { [name]: { type: 'string' as const, pattern: notBlank } },
  required: [name],
});

export const NewAgent = writtenAgent
  .refine(({ firstName, lastName }) => (firstName ?? lastName) != null, {
    path: ['firstName'],
    message: 'is required unless lastName is set',
    params: { code: 'required' },
    // Together with the issues of other fields.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .meta({
    id: 'NewAgent',
    description: 'An agent to create. Set `firstName` or `lastName`.',
    if: { not: isGiven('firstName') },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    then: isGiven('lastName'),
    example: { firstName: 'Ana', lastName: 'Figueiredo', title: 'Senior consultant', languages: ['pt-PT'] },
  });
export type NewAgent = z.input<typeof NewAgent>;

export const exampleAgent = { firstName: 'Example', lastName: 'Agent' };

export const AgentPatch = z.strictObject({ ...versioned, ...patchShape(agentFields) }).meta({
  id: 'AgentPatch',
  description: 'Fields to change, as JSON Merge Patch (RFC 7396)',
  example: { title: 'Broker', mobilePhone: null },
});
export type AgentPatch = z.input<typeof AgentPatch>;

const newOfficeId = RecordId.meta({ description: 'ID of the office the agent moves to' });

export const AgentTransfer = z.strictObject({ ...scheduledInput, officeId: newOfficeId }).meta({
  ...oneTime,
  id: 'AgentTransfer',
  description: 'The new office, with a reason and a time',
  example: { officeId: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', reason: 'Moved to Porto' },
});
export type AgentTransfer = z.input<typeof AgentTransfer>;

export const agentExpansion = repeated(z.enum(['office', 'place']), {
  description: 'Add a summary of the office, or the address where each agent works',
  example: 'office',
});

const { input: language } = languageTag();

const ownFilters = {
  ...addressFilterQuery("the agent's place of work"),
  name: repeated(value(255), {
    description: 'Filter by first, last or display name, ignoring case',
    example: 'Figueiredo',
  }),
  title: repeated(value(100), {
    description: 'Filter by job title, ignoring case',
    example: 'Senior consultant',
  }),
  language: repeated(language, {
    description: 'Filter by spoken language: `pt` also matches `pt-BR`, but not the reverse',
    example: 'pt',
  }),
  teamId: repeated(RecordId, { description: 'Filter by team: members of this team' }),
  ...licenseFilterQuery,
  ...emptinessQuery(['email', 'phone', 'mlsId', 'licenses', 'address', 'source', 'officeId']),
  officeId: repeated(RecordId, {
    description: 'Filter by office: agents whose primary or affiliated office this is',
  }),
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
    'name',
    'title',
    'language',
    'teamId',
    'licenseNumber',
    'licenseRegion',
    'officeId',
  ]),
  affiliation: z
    .enum(['primary', 'any'])
    .meta({
      description:
        'How `officeId` matches: `primary` for primary offices only, `any` to include affiliations. Requires `officeId`. ' +
        'Defaults to `any`.',
      example: 'primary',
    })
    .optional(),
};
export const agentFilterFields = { ...filterQueryOf(agentFields), ...ownFilters };

export const AgentQuery = z
  .strictObject({
    ...listQueryOf(agentFields),
    sort: z
      .enum([
        ...(['lastName', '-lastName', 'firstName', '-firstName', 'city', '-city'] as const),
        ...recordSorts,
        ...licenseSorts,
        RELEVANCE,
      ])
      .default(SORT_DEFAULT)
      .meta(peopleSortDocs),
    ...ownFilters,
    expand: agentExpansion,
  })
  .check(checkNot);
export type AgentQuery = z.input<typeof AgentQuery>;

export const ImportedAgent = writtenAgent
  .extend({
    metadata: importedMetadata,
    officeSource: sourceOf('The office the agent works in'),
    officeSourceKey: sourceKeyOf('The office the agent works in'),
    officeName: officeNameOf('The office the agent works in'),
  })
  .meta({
    id: 'ImportedAgent',
    description: 'An agent to import: a new agent, or the known fields of an existing one',
    example: {
      firstName: 'Ana',
      lastName: 'Figueiredo',
      source: { name: 'MLS Lisboa', key: 'AGT-0007' },
    },
  });
export type ImportedAgent = z.input<typeof ImportedAgent>;
