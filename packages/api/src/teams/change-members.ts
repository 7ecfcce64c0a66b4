import { fragment } from '@roster/db';
import { sql } from 'kysely';
import type { z } from 'zod';
import { teams } from '../directory/teams/definition.ts';
import type { MemberChange, MemberKey, Team } from '../directory/teams/schemas.ts';
import type { Columns } from '../engine/sql/column-mapping.ts';
import { preconditionOf } from '../engine/write/precondition.ts';
import { RosterError } from '../errors/roster-error.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { causeOf, changeOne } from '../records/service.ts';
import type { CallContext } from '../trpc/context.ts';

const writtenMembers = fragment((_, param) => sql`${param('members')}::jsonb`)({});

/** Replaces or removes one member; ordered by agent ID. */
const changedMembers = fragment(
  (_, param) => sql`(
  select coalesce(jsonb_agg(item order by (item ->> 'agentId') collate "C"), '[]') from (
    select item from jsonb_array_elements(target.members) as item
    where item ->> 'agentId' <> ${param('member_agent_id')}::text
    union all
    select item from jsonb_array_elements(${writtenMembers.sql(param)}) as item
  ) as held)`,
)({});

const columnsOf = (value: string): Columns => ({
  members: { value, by: changedMembers, given: writtenMembers, reads: ['members'] },
});

const memberFieldOf: Record<string, string> = {
  not_found: '#/agentId',
  too_many: '#/agentId',
  second_lead: '#/role',
};

function throwForMember(thrown: unknown): never {
  const error = toRosterError(thrown);
  const pointer = memberFieldOf[error.errors?.[0]?.code ?? ''];
  if (pointer === undefined || error.errors === undefined) throw thrown;
  const errors = error.errors.map((one) => ({ ...one, pointer }));
  const detail = error.message.replace(/^members /, `${pointer.slice('#/'.length)} `);
  throw new RosterError(error.errorCode, detail, { errors, cause: thrown });
}

async function changeMembers(
  ctx: CallContext,
  one: z.output<typeof MemberKey>,
  columns: Columns,
  isInPlace: (team: Team) => boolean,
): Promise<Team> {
  const { id, agentId } = one;
  return changeOne(ctx, teams, {
    id,
    values: { member_agent_id: agentId },
    columns,
    precondition: preconditionOf(ctx, one),
    verb: 'updated',
    cause: causeOf(ctx),
    isInPlace,
  }).catch(throwForMember);
}

/**
 * Adds or changes a member. Returns the team unchanged if nothing differs. Throws `not_found`,
 * `version_conflict`, `reference_not_found`, and `validation_failed` for a second lead on one day or too many
 * members.
 */
export function putMember(ctx: CallContext, input: z.output<typeof MemberChange>): Promise<Team> {
  const { agentId, role, title, since, until } = input;
  const given = JSON.stringify([{ agentId, role, title, since, until }]);
  const isSame = ({ members }: Team) =>
    members.some((held) => held.agentId === agentId && JSON.stringify([held]) === given);
  return changeMembers(ctx, input, columnsOf(given), isSame);
}

/** Returns the team unchanged without that member. Throws `not_found`, `version_conflict`. */
export function removeMember(ctx: CallContext, input: z.output<typeof MemberKey>): Promise<Team> {
  const isGone = ({ members }: Team) => members.every(({ agentId }) => agentId !== input.agentId);
  return changeMembers(ctx, input, columnsOf('[]'), isGone);
}
