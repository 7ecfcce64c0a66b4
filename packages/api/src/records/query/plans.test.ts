import { connect, type Database } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOf } from '../../../test/support/context.ts';
import { fillForPlans } from '../../../test/support/query/plan-data.ts';
import { explained, type PlanNode, scans, sorts } from '../../../test/support/query/plans.ts';
import { ADMIN } from '../../access/caller.ts';
import { queryRecords } from '../../query.ts';
import type { Condition, Literal, RecordQuery } from './condition.ts';

let database: TestDatabase;
let listening: Kysely<Database>;
const said: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await fillForPlans(database, 10_000);
  await fillTeams(database.db);
  const onStatement = ({ sql: text }: { sql: string }) => said.push(text);
  listening = connect({ connection: database.connection, onStatement });
}, 300_000);
afterAll(async () => {
  await listening.destroy();
  await database[Symbol.asyncDispose]();
});

/** Adds 3,000 teams, each with four of the agents. */
async function fillTeams(db: Kysely<Database>): Promise<void> {
  await sql`
    insert into team (id, name, status_changed_at, created_at, updated_at, members)
    select gen_random_uuid(), 'Team ' || number, now(), now(), now(), (
      select jsonb_agg(jsonb_build_object(
        'agentId', id, 'role', 'member', 'title', null, 'since', null, 'until', null) order by id)
      from (select id from agent order by id offset number limit 4) as four
    ) from generate_series(1, 3000) as number`.execute(db);
  await sql`analyze team, team_member`.execute(db);
}

/** In the middle of those of the records, which are random. */
const id = '80000000-0000-4000-8000-000000000000';
const time = new Date(Date.now() - 3_600_000).toISOString();
/** A value of each type of a parameter. */
const examples: Record<string, string> = {
  uuid: `'${id}'`,
  'uuid[]': `'{${id}}'`,
  'timestamp with time zone': `'${time}'`,
  'text[]': "'{M7}'",
};

const page = (query: Partial<RecordQuery>) =>
  queryRecords(
    { ...contextOf(listening), caller: ADMIN },
    { resource: 'agents', orderBy: [], limit: 50, ...query },
  );

/** How PostgreSQL runs the statement of a query, which it plans for its values. */
async function planOf(query: Partial<RecordQuery>, text = 'M7'): Promise<PlanNode[]> {
  said.length = 0;
  await page(query);
  expect(said).toHaveLength(1);
  return explained(database.db, String(said[0]), (type) => examples[type] ?? `'${text}'`);
}

const equal = (field: string, value: Literal, isLowered = false): Condition => ({
  kind: 'compare',
  field,
  comparison: 'eq',
  value,
  ...(isLowered && { isLowered }),
});

describe('without reading a whole table', () => {
  it.each<[string, Condition]>([
    ['one id', equal('id', id)],
    ['some ids', { kind: 'in', field: 'id', values: [id, 'none'] }],
    ['an e-mail', equal('email', 'a7@x.example')],
    ['an e-mail in small letters', equal('email', 'a7@x.example', true)],
    ['an MLS id', equal('mlsId', 'M7')],
    ['some MLS ids', { kind: 'in', field: 'mlsId', values: ['M7', 'M8'] }],
    ['the key of a source', { kind: 'and', parts: [equal('source.name', 'MLS'), equal('source.key', '7')] }],
    ['the number of the first licence', equal('licenses[0].number', 'AMI-1')],
    ['the agents of an office', equal('officeId', id)],
    ['a family name', equal('lastName', 'Reis')],
  ])('finds %s', async (_, where) => {
    expect(scans(await planOf({ where }))).toEqual([]);
  });

  it.each([
    ['a member of a team', 'id', `${id}_${id}`],
    ['the members of a team', 'teamId', id],
    ['the teams of an agent', 'agentId', id],
  ])('finds %s', async (_, field, value) => {
    const plan = await planOf({ resource: 'teams.members', where: equal(field, value) }, value);
    expect(scans(plan, new Set(['team', 'team_member']))).toEqual([]);
  });

  it.each(['createdAt', 'updatedAt', 'id'])(
    'reads the pages by %s from an index, in both directions',
    async (field) => {
      for (const isDescending of [false, true]) {
        const orderBy = [{ field, isDescending }];
        const { nextCursor } = await page({ orderBy });
        for (const query of [{ orderBy }, { orderBy, cursor: String(nextCursor) }]) {
          const plan = await planOf(query);
          expect(scans(plan)).toEqual([]);
          expect(sorts(plan)).toEqual([]);
        }
      }
    },
  );

  it('reads what has changed since a time from an index, as replicas do', async () => {
    const where: Condition = { kind: 'compare', field: 'updatedAt', comparison: 'gt', value: time };
    const orderBy = [{ field: 'updatedAt', isDescending: false }];
    const { nextCursor } = await page({ where, orderBy });
    for (const cursor of [undefined, nextCursor]) {
      const plan = await planOf({ where, orderBy, ...(cursor !== undefined && { cursor }) });
      expect(scans(plan)).toEqual([]);
      expect(sorts(plan)).toEqual([]);
    }
  });
});
