import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { teams } from '../directory/teams/definition.ts';
import { zoneOfRecord } from '../schedule/effective-time.ts';
import type { ResourceDefinition } from './definition.ts';
import { andIsWithin, type OfficeLimit } from './office-limit.ts';
import { limitFilter } from './sql/limited-rows.ts';
import { checkNewReferences } from './write/references.ts';
import { wasWithin } from './write/tombstones.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** Teams, as if they belonged to no office. */
const {
  isWithin: _,
  limit: _limit,
  parent: _parent,
  expansions: _expansions,
  officeColumn: __,
  ...rest
} = teams;
const resource: ResourceDefinition<{ id: string }> = rest;

describe('a resource without an office', () => {
  it('has no record within a limit, neither as it is nor as it was last', async () => {
    const { db } = database;
    const caller = callerIn(db);
    const { id: officeId } = await caller.offices.create({ name: 'Casa' });
    const limit: OfficeLimit = { granted: [officeId], offices: new Set([officeId]) };
    const [kept, deleted] = [
      await caller.teams.create({ name: 'Kept', officeId }),
      await caller.teams.create({ name: 'Deleted', officeId }),
    ];
    await caller.teams.delete({ id: deleted.id });
    const count = async (of: Pick<ResourceDefinition, 'limit' | 'parent'>) => {
      const { rows } = await sql<{ id: string }>`
        select id from team where id = ${kept.id}${andIsWithin(of.limit?.column, limit)}
        union all select id from tombstone where id = ${deleted.id}${wasWithin(of, limit)}`.execute(db);
      return rows.length;
    };
    expect(await count(teams)).toBe(2);
    expect(await count(resource)).toBe(0);
  });

  it('is not for callers with a limit: a list and a new record are insufficient_scope', async () => {
    const limit: OfficeLimit = { granted: [], offices: new Set() };
    const within = limitFilter(resource, limit);
    expect(() => within?.condition.sql((key) => sql`${key}`)).toThrow(/teams are not available/);
    const created = checkNewReferences(database.db, resource, { columns: {}, values: {}, limit });
    await expect(created).rejects.toMatchObject({ errorCode: 'insufficient_scope' });
  });

  it('has the days of UTC', async () => {
    const { db } = database;
    const caller = callerIn(db);
    const { id: officeId } = await caller.offices.create({ name: 'Casa', timeZone: 'Asia/Tokyo' });
    const { id } = await caller.teams.create({ name: 'Equipa', officeId });
    const zone = async (of: Pick<ResourceDefinition, 'table' | 'limit' | 'parent'>) =>
      (await zoneOfRecord(of, { id, limit: undefined })(db))?.zone ?? 'UTC';
    expect(await zone(teams)).toBe('Asia/Tokyo');
    expect(await zone(resource)).toBe('UTC');
  });
});
