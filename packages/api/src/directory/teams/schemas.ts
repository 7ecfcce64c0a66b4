import { z } from 'zod';
import { address } from '../../engine/fields/composite.ts';
import { emailText, telephoneText, urlItem, urlText } from '../../engine/fields/contact.ts';
import { list, reference, requiredText, searched, text } from '../../engine/fields/field.ts';
import { importedMetadata, officeNameOf, sourceKeyOf, sourceOf } from '../../engine/fields/imported.ts';
import { RecordId, recordFields, serverFields, versioned } from '../../engine/fields/schemas.ts';
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
import { checkPeriod, importedMember, ListedMember, MEMBERS_MAX, member, memberFields } from './members.ts';

const membersDocs = {
  countMax: MEMBERS_MAX,
  description:
    'Members of the team, sorted by ID. Includes inactive agents but not deleted ones (RESO TeamMembers, TeamLeadKey).',
  example: [],
};

/** In JSON order. CONTRIBUTING.md says how to add one. */
export const teamFields = {
  ...serverFields,
  name: searched(
    requiredText(
      { lengthMax: 255 },
      { description: 'Name in everyday use (RESO TeamName)', example: 'Equipa Ribeira' },
    ),
  ),
  description: text(
    { lengthMax: 4000 },
    { description: 'About the team (RESO TeamDescription)', example: 'Family homes along the Douro.' },
  ),
  mlsId: searched(text({ lengthMax: 50 }, { description: 'MLS ID', example: 'LX0042-T1' })),
  officeId: reference({
    description: "ID of the team's office, if any. Members may belong to different offices.",
    example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  }),
  members: list(member, membersDocs),
  phone: telephoneText({
    description: 'Preferred phone number (RESO TeamPreferredPhone)',
    example: '+351210000042',
  }),
  phoneExt: text(
    { lengthMax: 10 },
    { description: 'Extension of the preferred phone number (RESO TeamPreferredPhoneExt)', example: '7' },
  ),
  officePhone: telephoneText({
    description: 'Office phone number (RESO TeamOfficePhone)',
    example: '+351210000043',
  }),
  officePhoneExt: text(
    { lengthMax: 10 },
    { description: 'Extension of the office phone number (RESO TeamOfficePhoneExt)', example: '12' },
  ),
  mobilePhone: telephoneText({
    description: 'Mobile phone number (RESO TeamMobilePhone)',
    example: '+351910000001',
  }),
  directPhone: telephoneText({
    description: 'Direct line (RESO TeamDirectPhone)',
    example: '+351210000007',
  }),
  tollFreePhone: telephoneText({
    description: 'Toll-free number (RESO TeamTollFreePhone)',
    example: '+351800000042',
  }),
  fax: telephoneText({ description: 'Fax number (RESO TeamFax)', example: '+351210000044' }),
  email: searched(
    emailText({ description: 'Email address (RESO TeamEmail)', example: 'ribeira@atlantico.example' }),
  ),
  website: urlText({
    description: 'Website, `http` or `https`',
    example: 'https://ribeira.atlantico.example',
  }),
  socialLinks: list(
    urlItem({
      description: 'URL of a social media profile, `http` or `https`',
      example: 'https://social.example/equipa-ribeira',
    }),
    {
      countMax: 10,
      description: 'Social media profiles, by network (RESO SocialMedia)',
      example: ['https://social.example/equipa-ribeira'],
    },
  ),
  address: searched(address('Address, if different from the office (RESO TeamAddress1, TeamCity …)')),
  ...recordFields,
};

export const Team = z
  .strictObject(readShape(teamFields))
  .meta({ id: 'Team', description: 'A team of agents' });
export type Team = z.infer<typeof Team>;

export const ListedTeam = Team.extend({
  members: z.array(ListedMember).meta({ ...teamFields.members.output.meta() }),
}).meta({ id: 'ListedTeam', description: 'A team, with optional summaries of its members' });
export type ListedTeam = z.infer<typeof ListedTeam>;

export const teamExpansion = z
  .enum(['members'])
  .meta({ description: 'Add a summary of the agent to each member', example: 'members' })
  .optional();

export const NewTeam = z.strictObject(createShape(teamFields)).meta({
  id: 'NewTeam',
  description: 'A team to create',
  example: { name: 'Equipa Ribeira', description: 'Family homes along the Douro.' },
});
export type NewTeam = z.input<typeof NewTeam>;

export const exampleTeam = { name: 'Example team' };

export const TeamPatch = z.strictObject({ ...versioned, ...patchShape(teamFields) }).meta({
  id: 'TeamPatch',
  description: 'Fields to change, as JSON Merge Patch (RFC 7396)',
  example: { phone: '+351210000042', description: null },
});
export type TeamPatch = z.input<typeof TeamPatch>;

const memberKey = {
  ...versioned,
  agentId: RecordId.meta({
    description: 'ID of the agent',
    example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
  }),
};

export const MemberKey = z.strictObject(memberKey);

export const MemberChange = z
  .strictObject({ ...memberKey, ...memberFields })
  .check(checkPeriod)
  .meta({
    id: 'TeamMemberChange',
    description: 'Membership of the agent. Omitted fields are `null`. The role defaults to `member`.',
    example: { role: 'lead', since: '2026-03-01' },
  });

const ownFilters = {
  officeId: repeated(RecordId, { description: 'Filter by office of the team' }),
  agentId: repeated(RecordId, { description: 'Filter by member: teams of this agent' }),
  ...emptinessQuery(['email', 'phone', 'mlsId', 'address', 'source', 'officeId']),
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
    'officeId',
    'agentId',
  ]),
};
export const teamFilterFields = { ...filterQueryOf(teamFields), ...ownFilters };

export const TeamQuery = z
  .strictObject({
    ...listQueryOf(teamFields),
    sort: z
      .enum(['name', '-name', ...recordSorts, RELEVANCE])
      .default(SORT_DEFAULT)
      .meta(searchSortDocs),
    expand: teamExpansion,
    ...ownFilters,
  })
  .check(checkNot);
export type TeamQuery = z.input<typeof TeamQuery>;

export const ImportedTeam = NewTeam.extend({
  metadata: importedMetadata,
  members: list(importedMember, membersDocs).input.optional(),
  officeSource: sourceOf('The office the team belongs to'),
  officeSourceKey: sourceKeyOf('The office the team belongs to'),
  officeName: officeNameOf('The office the team belongs to'),
}).meta({
  id: 'ImportedTeam',
  description: 'A team to import: a new team, or the known fields of an existing one',
  example: { name: 'Equipa Ribeira', source: { name: 'MLS Lisboa', key: 'TEAM-0007' } },
});
export type ImportedTeam = z.input<typeof ImportedTeam>;
