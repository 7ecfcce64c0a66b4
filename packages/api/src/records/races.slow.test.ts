import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { TRPCError } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { untilWaiting } from '../../test/support/lock-waits.ts';
import { RosterError } from '../errors/roster-error.ts';

let database: TestDatabase;
let caller: Caller;
const callerOf = (db: TestDatabase['db']) => callerIn(db);
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerOf(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const ROUNDS = Array.from({ length: 8 }, (_, index) => index);
const times = <Value>(count: number, act: (index: number) => Promise<Value>) =>
  Array.from({ length: count }, (_, index) => act(index));

/** Runs everything at once: the responses, and the error codes of what was rejected. */
async function race<Value>(...runners: Promise<Value>[]): Promise<{ won: Value[]; lost: string[] }> {
  const results = await Promise.allSettled(runners);
  const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const lost = results.flatMap((result) =>
    result.status === 'rejected' ? [errorCodeOf(result.reason)] : [],
  );
  return { won, lost };
}

function errorCodeOf(error: unknown): string {
  // The caller wraps what a middleware threw; the error is its cause.
  const cause = error instanceof TRPCError && !(error instanceof RosterError) ? error.cause : error;
  return cause instanceof RosterError ? cause.errorCode : String(error);
}

/** Starts the second change while the first is not committed; it must wait, and meet what the first has done. */
async function afterWaiting<Value>(
  first: (uncommitted: typeof caller) => Promise<unknown>,
  second: () => Promise<Value>,
): Promise<{ won: Value[]; lost: string[] }> {
  let waiting: ReturnType<typeof race<Value>> | undefined;
  await database.db.transaction().execute(async (trx) => {
    await first(callerOf(trx));
    waiting = race(second());
    await untilWaiting(database.db, 1, { timeout: 60_000 });
  });
  return waiting ?? { won: [], lost: [] };
}

const newOffice = (fields: object = {}) => caller.offices.create({ name: 'Casa', ...fields });
const newAgent = (fields: object = {}) =>
  caller.agents.create({ firstName: 'Ana', lastName: 'Silva', ...fields });
const allOf = (officeId: string) => caller.agents.list({ officeId: [officeId], limit: 200 });

describe('an office deactivated with cascade while agents arrive', () => {
  it.each(ROUNDS)(
    'has no active agent afterwards, and each arrival was served or rejected (%i)',
    async () => {
      const office = await newOffice();
      const movers = await Promise.all(times(6, () => newAgent()));
      const sleepers = await Promise.all(times(6, () => newAgent({ officeId: office.id })));
      await Promise.all(sleepers.slice(0, 3).map(({ id }) => caller.agents.deactivate({ id })));
      const { won, lost } = await race<{ id: string }>(
        ...times(6, () => newAgent({ officeId: office.id })),
        ...movers.map(({ id }) => caller.agents.update({ id, officeId: office.id })),
        caller.offices.deactivate({ id: office.id, cascade: true }),
        ...sleepers.slice(0, 3).map(({ id }) => caller.agents.reactivate({ id })),
        ...sleepers.slice(3).map(({ id }) => caller.agents.update({ id, bio: 'x' })),
      );
      expect(lost.filter((reason) => reason !== 'office_inactive')).toEqual([]);
      expect(won.length + lost.length).toBe(19);
      const { items } = await allOf(office.id);
      expect(items.filter(({ status }) => status === 'active')).toEqual([]);
      expect((await caller.offices.get({ id: office.id })).status).toBe('inactive');
    },
  );

  it('leaves those who were there active when it is deactivated without cascade, and takes no others', async () => {
    const office = await newOffice();
    const before = await newAgent({ officeId: office.id });
    await race<unknown>(
      caller.offices.deactivate({ id: office.id }),
      ...times(6, () => newAgent({ officeId: office.id })),
    );
    expect((await caller.agents.get({ id: before.id })).status).toBe('active');
    const { lost } = await race(...times(3, () => newAgent({ officeId: office.id })));
    expect(lost).toEqual(['office_inactive', 'office_inactive', 'office_inactive']);
  });
});

describe('offices that become one another’s main office at once', () => {
  it.each(ROUNDS)('two: exactly one wins (%i)', async () => {
    const [first, second] = [await newOffice(), await newOffice()];
    const { won, lost } = await race(
      caller.offices.update({ id: first.id, mainOfficeId: second.id }),
      caller.offices.update({ id: second.id, mainOfficeId: first.id }),
    );
    expect(won.length).toBe(1);
    expect(lost).toEqual(['office_cycle']);
  });

  it.each(ROUNDS)('five in a cycle: exactly four win (%i)', async () => {
    const offices = await Promise.all(times(5, () => newOffice()));
    const { won, lost } = await race(
      ...offices.map(({ id }, index) =>
        caller.offices.update({ id, mainOfficeId: offices[(index + 1) % 5]?.id ?? null }),
      ),
    );
    expect(won.length).toBe(4);
    expect(lost).toEqual(['office_cycle']);
  });
});

describe('a change that meets one not yet committed waits for it', () => {
  it('two offices, each the other’s main office: the second is rejected', async () => {
    const [first, second] = [await newOffice(), await newOffice()];
    const { lost } = await afterWaiting(
      ({ offices }) => offices.update({ id: first.id, mainOfficeId: second.id }),
      () => caller.offices.update({ id: second.id, mainOfficeId: first.id }),
    );
    expect(lost).toEqual(['office_cycle']);
  });

  it('an agent who arrives while the office closes is rejected', async () => {
    const { id } = await newOffice();
    const { lost } = await afterWaiting(
      ({ offices }) => offices.deactivate({ id }),
      () => newAgent({ officeId: id }),
    );
    expect(lost).toEqual(['office_inactive']);
  });

  it('an office that closes with cascade while an agent arrives takes the agent with it', async () => {
    const { id } = await newOffice();
    const { won } = await afterWaiting(
      ({ agents }) => agents.create({ firstName: 'Ana', lastName: 'Silva', officeId: id }),
      () => caller.offices.deactivate({ id, cascade: true }),
    );
    expect(won.map(({ status }) => status)).toEqual(['inactive']);
    expect((await allOf(id)).items.map(({ status }) => status)).toEqual(['inactive']);
  });

  it('an e-mail address that is being taken is taken', async () => {
    const { lost } = await afterWaiting(
      ({ agents }) => agents.create({ firstName: 'Ana', lastName: 'Silva', email: 'wait@roster.example' }),
      () => newAgent({ email: 'WAIT@roster.example' }),
    );
    expect(lost).toEqual(['email_taken']);
  });
});

describe('one thing that only one can have', () => {
  it('20 agents with one e-mail address, in any letter case: one is created', async () => {
    const email = (index: number) => (index % 2 ? 'ana@roster.example' : 'ANA@Roster.example');
    const { won, lost } = await race(...times(20, (index) => newAgent({ email: email(index) })));
    expect(won.length).toBe(1);
    expect(lost).toEqual(Array(19).fill('email_taken'));
    expect((await caller.agents.list({ email: ['ana@roster.example'] })).items.length).toBe(1);
  });

  it('20 offices from one source: one is created', async () => {
    const { won, lost } = await race(...times(20, () => newOffice({ source: { name: 'MLS', key: '1' } })));
    expect(won.length).toBe(1);
    expect(lost).toEqual(Array(19).fill('source_taken'));
  });

  it.each(ROUNDS)('an e-mail address between a restore and a new agent (%i)', async (round) => {
    const email = `back-${round}@roster.example`;
    const { id } = await newAgent({ email });
    await caller.agents.delete({ id });
    const { won, lost } = await race(caller.agents.restore({ id }), newAgent({ email }));
    expect(won.length).toBe(1);
    expect(lost).toEqual(['email_taken']);
  });
});

describe('one record changed by many at once', () => {
  const fields = [
    'middleName',
    'nickname',
    'title',
    'type',
    'namePrefix',
    'nameSuffix',
    'nationalAssociationId',
    'mlsId',
    'bio',
    'phoneExt',
  ];

  it('patches of different fields all land, one version each without a gap', async () => {
    const { id } = await newAgent();
    const { won, lost } = await race(...fields.map((field) => caller.agents.update({ id, [field]: 'x' })));
    expect(lost).toEqual([]);
    expect(won.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
      fields.map((_, index) => index + 2),
    );
    expect(await caller.agents.get({ id })).toMatchObject(
      Object.fromEntries(fields.map((field) => [field, 'x'])),
    );
  });

  it('patches of different pairs of metadata and parts of an address all land', async () => {
    const { id } = await newOffice();
    const pairs = times(10, (index) => caller.offices.update({ id, metadata: { [`k${index}`]: 'x' } }));
    const parts = ['line1', 'line2', 'city', 'county'].map((part) =>
      caller.offices.update({ id, address: { [part]: 'x' } }),
    );
    expect((await race(...pairs, ...parts)).lost).toEqual([]);
    const { metadata, address, version } = await caller.offices.get({ id });
    expect(Object.keys(metadata).length).toBe(10);
    expect(address).toMatchObject({ line1: 'x', line2: 'x', city: 'x', county: 'x' });
    expect(version).toBe(15);
  });

  it('the same patch by all makes one version', async () => {
    const { id } = await newAgent();
    const { won } = await race(...times(10, () => caller.agents.update({ id, bio: 'x' })));
    expect(won.map(({ version }) => version)).toEqual(Array(10).fill(2));
  });

  it('deactivations make one version and keep one reason', async () => {
    const { id } = await newAgent();
    const { won } = await race(
      ...times(10, (index) => caller.agents.deactivate({ id, reason: `r${index}` })),
    );
    expect(won.length).toBe(10);
    expect(new Set(won.map((agent) => JSON.stringify(agent))).size).toBe(1);
    expect(won[0]?.version).toBe(2);
  });
});

describe('one record deleted or restored by many at once', () => {
  it.each(ROUNDS)('one deletion succeeds, the others find nothing (%i)', async () => {
    const { id } = await newAgent();
    const { won, lost } = await race(...times(6, () => caller.agents.delete({ id })));
    expect(won.length).toBe(1);
    expect(lost).toEqual(Array(5).fill('not_found'));
  });

  it.each(ROUNDS)('restores all return the one restored record (%i)', async () => {
    const { id } = await newAgent();
    await caller.agents.delete({ id });
    const { won, lost } = await race(...times(6, () => caller.agents.restore({ id })));
    expect(lost).toEqual([]);
    expect(won.map(({ version }) => version)).toEqual(Array(6).fill(2));
  });

  it.each(ROUNDS)('an office is not deleted under an agent who arrives (%i)', async () => {
    const office = await newOffice();
    const { lost } = await race<unknown>(
      caller.offices.delete({ id: office.id }),
      newAgent({ officeId: office.id }),
    );
    expect(lost.length).toBe(1);
    expect(['has_dependents', 'reference_not_found']).toContain(lost[0]);
  });

  it.each(ROUNDS)(
    'a change and a deletion: either the change is in what comes back, or it was rejected (%i)',
    async () => {
      const { id } = await newAgent();
      const { lost } = await race<unknown>(
        caller.agents.update({ id, bio: 'x' }),
        caller.agents.delete({ id }),
      );
      const { bio } = await caller.agents.restore({ id });
      expect(lost).toEqual(bio === 'x' ? [] : ['not_found']);
    },
  );
});

describe('agents deleted while they come to teams, each of which has the other one', () => {
  it.each(ROUNDS)('are gone, and no team has one of them; nobody is asked to try again (%i)', async () => {
    const [ana, eva] = [await newAgent(), await newAgent()];
    const [ofAna, ofEva] = await Promise.all(
      [ana, eva].map(({ id }) => caller.teams.create({ name: 'Casa', members: [{ agentId: id }] })),
    );
    const teams = [ofAna?.id ?? '', ofEva?.id ?? ''];
    // The deletion of Ana waits for her team, which waits for Eva, whose deletion waits for her team, which waits for Ana.
    const { lost } = await race<unknown>(
      caller.agents.delete({ id: ana.id }),
      caller.agents.delete({ id: eva.id }),
      caller.teams.putMember({ id: teams[0] ?? '', agentId: eva.id, role: 'member' }),
      caller.teams.putMember({ id: teams[1] ?? '', agentId: ana.id, role: 'member' }),
    );
    expect(lost.filter((code) => code !== 'reference_not_found')).toEqual([]);
    for (const id of teams) expect((await caller.teams.get({ id })).members).toEqual([]);
  });

  it('are deleted after a deadlock with who holds their team and refers to them', async () => {
    const { id: agentId } = await newAgent();
    const { id } = await caller.teams.create({ name: 'Casa', members: [{ agentId }] });
    let deleted: Promise<unknown> | undefined;
    // Whichever of the two PostgreSQL ends, the deletion succeeds.
    await database.db
      .transaction()
      .execute(async (trx) => {
        await callerOf(trx).teams.update({ id, name: 'Casa Ana' });
        deleted = caller.agents.delete({ id: agentId });
        await untilWaiting(database.db, 1, { timeout: 60_000 });
        await callerOf(trx).offices.create({ name: 'Casa', brokerAgentId: agentId });
      })
      .catch(() => undefined);
    expect(errorCodeOf(await deleted?.catch((error: unknown) => error))).toMatch(/undefined|has_dependents/);
    const { members } = await caller.teams.get({ id });
    expect(members.length).toBe((await race(caller.agents.get({ id: agentId }))).won.length);
  });
});
