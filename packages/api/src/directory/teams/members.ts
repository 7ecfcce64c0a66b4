import { z } from 'zod';
import { emailText } from '../../engine/fields/contact.ts';
import { choice, date, text } from '../../engine/fields/field.ts';
import { sourceOf } from '../../engine/fields/imported.ts';
import { Agent } from '../agents/schemas.ts';

export const MEMBERS_MAX = 100;

export const AgentSummary = Agent.pick({
  id: true,
  displayName: true,
  status: true,
  officeId: true,
  mlsId: true,
  phone: true,
  email: true,
}).meta({ id: 'AgentSummary', description: 'A summary of an agent' });
export type AgentSummary = z.infer<typeof AgentSummary>;

const agentDocs = {
  description: 'ID of the agent, each at most once (RESO MemberKey)',
  example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
};

/** RESO lookup TeamMemberType. */
const roles = z
  .enum([
    'lead',
    'member',
    'assistant',
    'buyer_agent',
    'listing_agent',
    'showing_agent',
    'lead_manager',
    'marketing_assistant',
    'operations_manager',
    'coordinator',
  ])
  .meta({
    description: 'Role in the team (RESO TeamMemberType). A team can have only one `lead` on any day.',
    example: 'lead',
  });
const title = text(
  { lengthMax: 100 },
  { description: 'Job title in the team (RESO JobTitle)', example: 'Consultant for new homes' },
);
const since = date({ description: 'First day in the team, if known', example: '2026-03-01' });
const until = date({ description: 'Last day in the team, if known', example: null });

interface MemberPeriod {
  /** Absent if an import identifies the agent otherwise. */
  agentId?: string | undefined;
  role: string;
  since: string | null;
  until: string | null;
}

const beforeSince = ['out_of_range', 'must not be before since'] as const;

function isInOrder({ since: first, until: last }: Pick<MemberPeriod, 'since' | 'until'>): boolean {
  return first === null || last === null || first <= last;
}

export function checkPeriod({ value, issues }: z.core.ParsePayload<MemberPeriod>): void {
  if (isInOrder(value)) return;
  const [code, message] = beforeSince;
  issues.push({ code: 'custom', input: value.until, message, path: ['until'], params: { code } });
}

/** Rejects repeated members, a second lead, and an end before the beginning. */
function checkMembers({ value, issues }: z.core.ParsePayload<MemberPeriod[]>): void {
  const reject = (index: number, field: keyof MemberPeriod, [code, message]: readonly [string, string]) => {
    const input = value[index]?.[field];
    issues.push({ code: 'custom', input, message, path: [index, field], params: { code } });
  };
  const named = new Set<unknown>();
  const leads: MemberPeriod[] = [];
  for (const [index, member] of value.entries()) {
    const { agentId, role, since: first, until: last } = member;
    if (agentId !== undefined && named.has(agentId))
      reject(index, 'agentId', ['repeated', 'is an agent that is already in this list']);
    named.add(agentId);
    if (!isInOrder({ since: first, until: last })) reject(index, 'until', beforeSince);
    if (role !== 'lead') continue;
    if (leads.some((lead) => isOnOneDay(lead, member)))
      reject(index, 'role', ['second_lead', 'adds a second lead on the same day']);
    leads.push(member);
  }
}

function isOnOneDay(one: MemberPeriod, other: MemberPeriod): boolean {
  const begins = (first: MemberPeriod, second: MemberPeriod) =>
    first.since === null || second.until === null || first.since <= second.until;
  return begins(one, other) && begins(other, one);
}

const memberInput = {
  role: choice(roles, roles.options).prefault('member'),
  title: title.input.default(null),
  since: since.input.default(null),
  until: until.input.default(null),
};

export const memberFields = memberInput;

const readFields = {
  agentId: z.string().meta({ ...agentDocs, format: 'uuid' }),
  role: roles,
  title: title.output,
  since: since.output,
  until: until.output,
};

/** Absent parts are null; the role defaults to `member`. */
export const member = {
  input: z
    .strictObject({ agentId: z.uuid().toLowerCase().meta(agentDocs), ...memberInput })
    .meta({ id: 'NewTeamMember', description: 'A member of a team to write' }),
  output: z
    .strictObject(readFields)
    .meta({ id: 'TeamMember', description: 'An agent in a team (RESO TeamMembers)' }),
  listStorage: 'jsonb' as const,
  checkItems: checkMembers,
  sortItems: <Member extends { agentId: string }>(members: Member[]) =>
    members.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1)),
};

export const importedMember = {
  input: z
    .strictObject({
      agentId: z.uuid().toLowerCase().meta(agentDocs).optional(),
      agentSource: sourceOf('The agent'),
      agentEmail: emailText({
        description: 'The agent, by email address; use instead of the ID',
        example: null,
      }).input.optional(),
      ...memberInput,
    })
    .meta({
      id: 'ImportedTeamMember',
      description: 'A member of a team to import, with one way to identify the agent',
      example: { agentId: agentDocs.example },
    }),
  output: member.output,
  listStorage: member.listStorage,
  checkItems: checkMembers,
};

export const ListedMember = z
  .strictObject({
    ...readFields,
    agent: AgentSummary.optional().meta({
      description: 'With `expand=members`: a summary of the agent, including the status',
    }),
  })
  .meta({ id: 'ListedTeamMember', description: 'A member of a team, with an optional summary of the agent' });
