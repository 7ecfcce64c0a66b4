import type { Database, StoredGrant } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import type { Kysely } from 'kysely';
import { ADMIN, type Caller as Principal } from '../../src/access/caller.ts';
import type { Role } from '../../src/access/roles.ts';
import { callerOfPerson } from '../../src/access/session-callers.ts';
import { assignPositions } from '../../src/log/sequencer.ts';
import { type Caller, callerIn } from './caller.ts';
import { type ContextOverrides, limitedTo } from './context.ts';

/** A person with some grants. */
export async function personOf(db: Kysely<Database>, grants: StoredGrant[]): Promise<Principal> {
  return { ...ADMIN, ...(await callerOfPerson(db, { id: ADMIN.id, name: 'Ana', grants })) };
}

/**
 * A database with two offices, of which one has a branch, each with an agent, and an agent without an office. Limited callers are
 * limited to the office with the branch, unless a test says otherwise.
 */
export async function officeScene() {
  const database = await createTestDatabase({ requiresEvents: true });
  const { db } = database;
  const all = callerIn(db);
  const createAgent = (fields: Partial<Parameters<Caller['agents']['create']>[0]> = {}) =>
    all.agents.create({ firstName: 'Ana', lastName: 'Reis', ...fields });
  const newAgent = async (officeId: string | null, lastName: string) =>
    (await createAgent({ lastName, officeId })).id;
  const main = (await all.offices.create({ name: 'Porto' })).id;
  const branch = (await all.offices.create({ name: 'Gaia', mainOfficeId: main })).id;
  const other = (await all.offices.create({ name: 'Lisboa' })).id;
  const offices = { main, branch, other };
  const agents = {
    main: await newAgent(main, 'Porto'),
    branch: await newAgent(branch, 'Gaia'),
    other: await newAgent(other, 'Lisboa'),
    none: await newAgent(null, 'Nowhere'),
  };
  const as = (principal: Principal, overrides: ContextOverrides = {}): Caller => {
    const identify = async () => principal;
    const request = { authenticate: identify, reauthenticate: identify, ...overrides.request };
    return callerIn(db, { ...overrides, request });
  };
  return {
    database,
    db,
    offices,
    agents,
    /** Without a limit. */
    all,
    createAgent,
    newAgent,
    as,
    /** A key that is limited to some offices. */
    limited: async (officeIds: readonly string[] = [main], overrides: ContextOverrides = {}) =>
      as(await limitedTo(db, officeIds), overrides),
    /** A person with one role, for some offices with their branches or for everything. */
    person: async (role: Role, officeIds: string[] | null = null) =>
      as(await personOf(db, [{ role, officeIds }])),
    /** Gives the events that were written their positions. */
    settle: () => assignPositions(db),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
export type OfficeScene = Awaited<ReturnType<typeof officeScene>>;
