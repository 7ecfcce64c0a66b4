import { constant, type TeamRow } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import type { Reference, ResourceDefinition } from '../../engine/definition.ts';
import {
  type JsonShape,
  jsonShape,
  jsonShapeOf,
  recordExpressions,
  recordShape,
} from '../../engine/json/record-json.ts';
import { recordFields } from '../../engine/json/record-sql.ts';
import { type Asked, byItems, isAnyId } from '../../engine/list/filters.ts';
import { isWithin } from '../../engine/office-limit.ts';
import { unlicensedEventVerbs } from '../../engine/outbox/event-outbox.ts';
import { agents } from '../agents/definition.ts';
import { offices } from '../offices/definition.ts';
import { AgentSummary } from './members.ts';
import {
  ImportedTeam,
  type ListedTeam,
  NewTeam,
  Team,
  TeamQuery,
  teamFields,
  teamFilterFields,
} from './schemas.ts';

const teamRecord = recordFields<typeof teamFields, TeamRow>('team', teamFields);

const { record: agentSummary } = jsonShape(
  recordExpressions<AgentSummary>(agents, Object.keys(AgentSummary.shape)),
);

const limit = { column: 'office_id', rule: 'a team must be in one of them' };

const agent = { table: agents.table, limitColumn: agents.limit.column } satisfies Reference;

function membersOf<Member>(
  member: RawBuilder<unknown>,
  offices: RawBuilder<unknown> | undefined,
): RawBuilder<Member[]> {
  const isSeen =
    offices === undefined ? sql`` : sql` and ${isWithin(sql.ref(`agent.${agent.limitColumn}`), offices)}`;
  return sql`(
    select coalesce(json_agg(${member} order by place), '[]')
    from jsonb_array_elements(team.members) with ordinality as held (item, place)
      join agent on agent.id = (item ->> 'agentId')::uuid${isSeen})`;
}

const limitedTeam = (offices: RawBuilder<unknown>): JsonShape<Team> =>
  jsonShapeOf({
    ...recordExpressions<Team>(teamRecord),
    members: membersOf<Team['members'][number]>(sql`item`, offices),
  });

const memberWithAgent = sql`json_build_object(
      'agentId', item -> 'agentId', 'role', item -> 'role', 'title', item -> 'title',
      'since', item -> 'since', 'until', item -> 'until', 'agent', ${agentSummary})`;

const withAgents = (offices?: RawBuilder<unknown>) => ({
  ...recordExpressions<Team>(teamRecord),
  members: membersOf<ListedTeam['members'][number]>(memberWithAgent, offices),
});

const teamWithMembers: JsonShape<ListedTeam> = constant({
  ...jsonShape(withAgents()),
  limited: (offices) => jsonShapeOf(withAgents(offices)),
});

const memberRows = { table: 'team_member', owner: 'team_id', item: 'agent_id' };

export const teams = constant({
  name: 'teams',
  texts: {
    schema: 'Team',
    one: 'a team',
    title: 'Teams',
    description: 'Teams of agents from one or several offices (RESO Teams)',
  },
  schemas: {
    record: Team,
    created: NewTeam,
    imported: ImportedTeam,
    query: TeamQuery,
    filters: teamFilterFields,
  },
  nameField: 'name',
  nameParts: ['name'],
  listFields: ['name', 'status', 'officeId', 'email', 'phone'],
  ...teamRecord,
  fields: teamFields,
  table: 'team',
  ...recordShape<Team>('team'),
  limited: limitedTeam,
  isVersioned: true,
  nameSort: 'name',
  filters: {
    officeId: (values: string[]) => isAnyId('office_id', values),
    agentId: (ids: string[], { isLimited }: Asked) =>
      byItems({ derived: memberRows, of: agent, ids, isLimited }),
  },
  orderedIndexes: { address_region: 'name', address_city: 'name', office_id: 'created_at' },
  officeColumn: limit.column,
  isWithin: (limited) => isWithin(sql.ref(`team.${limit.column}`), limited),
  limit,
  parent: { column: 'office_id', field: 'officeId', isTree: false, mustBeActive: false },
  references: {
    office_id: { table: offices.table, limitColumn: offices.limit.column },
    members: {
      ...agent,
      items: {
        field: 'agentId',
        foreignKey: 'team_member_agent_id_fkey',
        rows: { table: 'team_member', column: 'agent_id', owner: 'team_id' },
        leaveWithRecord: true,
        areHiddenOutside: true,
      },
    },
  },
  uniqueBy: ['source'],
  eventVerbs: unlicensedEventVerbs,
  expansions: { members: { shape: teamWithMembers, resource: agents.name } },
  ruleErrors: {
    create: ['source_taken', 'reference_not_found'],
    change: ['source_taken', 'reference_not_found'],
    reactivate: [],
    merge: [],
  },
} as const satisfies ResourceDefinition<Team>);
