import { randomUUID } from 'node:crypto';
import { connect } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callerIn, type Caller as Procedures } from '../../test/support/caller.ts';
import { limitedTo } from '../../test/support/context.ts';
import { errorCodeOf } from '../../test/support/rejected.ts';
import { createSession, SESSIONS_MAX } from '../identity/sessions/service.ts';
import { takeSignIn } from '../identity/sign-in/repository.ts';
import { LINKS_MAX, storeLink } from '../identity/sign-in/service.ts';
import { ADMIN, type Caller } from './caller.ts';
import { type CreationName, creations, maxFor, ownerMaxOf } from './creation-limits.ts';

const WEBHOOKS_MAX = 20;
const RACERS = 3;

let database: TestDatabase;
let limited: Caller;
let officeIds: string[];
/** An agent for each change that is made at the same time. */
let agentIds: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  const procedures = callerIn(database.db);
  const { id: officeId } = await procedures.offices.create({ name: 'Baixa' });
  officeIds = [officeId];
  const agents = Array.from({ length: RACERS }, () =>
    procedures.agents.create({ firstName: 'Ana', lastName: 'Reis', officeId }),
  );
  agentIds = (await Promise.all(agents)).map(({ id }) => id);
  limited = await limitedTo(database.db, officeIds);
});
afterAll(() => database[Symbol.asyncDispose]());

interface Kind {
  name: CreationName;
  /** What is created, if that is not the same for all of the name. */
  what?: string;
  max: number;
  /** The rows of SQL's `generated(id, owner)`. */
  insert: RawBuilder<unknown>;
  /** Creates one as a caller, of several at the same time the one with a number. */
  create: (procedures: Procedures, number: number) => Promise<unknown>;
}

let hours = 0;
const kinds: Kind[] = [
  {
    name: 'webhooks',
    max: WEBHOOKS_MAX,
    insert: sql`
      webhook (id, created_by, url, status, status_changed_at, read_to, created_at, updated_at)
      select id, owner, 'https://receiver.invalid/', 'disabled', now(), 0, now(), now()`,
    create: ({ webhooks }) => webhooks.create({ url: 'https://93.184.216.34/', officeIds }),
  },
  {
    name: 'keys',
    max: creations.keys.max,
    insert: sql`
      api_key (id, created_by, name, scopes, created_at, updated_at)
      select id, owner, 'A key', array['offices:read'], now(), now()`,
    create: ({ keys }) => keys.create({ name: 'A key', scopes: ['offices:read'], officeIds }),
  },
  {
    name: 'jobs',
    max: creations.jobs.max,
    insert: sql`
      job (id, created_by, resource, status, change, total, batches, created_at, worked_at)
      select id, owner, 'agents', 'queued', '{}', 1, 1, now(), now()`,
    create: ({ agents }) =>
      agents.bulk({ filter: { officeId: officeIds }, change: { type: 'delete' }, expectedCount: RACERS }),
  },
  {
    name: 'jobs',
    what: 'of files, beside others that are being received,',
    max: creations.jobs.max,
    insert: sql`
      upload (id, created_by, expires_at) select id, owner, now() + interval '1 h'`,
    create: ({ imports }) =>
      imports.upload({ resource: 'agents', content: 'First name,Last name,Office\nAna,Reis,Baixa\n' }),
  },
  {
    name: 'scheduledChanges',
    max: creations.scheduledChanges.max,
    insert: sql`
      scheduled_change (id, scheduled_by, resource, subject_id, change, effective_at, scheduled_at, due_at)
      select id, owner, 'agents', id, 'deactivate', '2999-01-01', now(), '2999-01-01'`,
    create: ({ agents }, number) => {
      hours += 1;
      const effectiveAt = new Date(Date.now() + hours * 3_600_000).toISOString();
      return agents.deactivate({ id: agentIds[number] ?? '', effectiveAt });
    },
  },
  {
    name: 'views',
    max: creations.views.max,
    insert: sql`
      saved_view (id, created_by, name, resource, is_shared, query, columns, version, created_at, updated_at)
      select id, owner, 'x', 'agents', false, '{}', '[]', 1, now(), now()`,
    create: ({ views }) => views.create({ name: 'One more', resource: 'agents' }),
  },
];

/** Fills the table of a kind, for one owner or for many. */
async function fill(
  { insert }: Kind,
  { count, ownerId }: { count: number; ownerId?: string },
): Promise<void> {
  await using db = connect({ connection: database.connection, timeouts: { statementMs: 0 } });
  const owner = ownerId === undefined ? sql`gen_random_uuid()` : sql`${ownerId}::uuid`;
  await sql`
    insert into ${insert}
    from (select gen_random_uuid() as id, ${owner} as owner from generate_series(1, ${count}::int)) as generated`.execute(
    db,
  );
}

/** Creates some at the same time: the error codes of those that are rejected, and `created` for the others. */
async function race(
  { create }: Kind,
  { id, as, count = RACERS }: { id?: string; as: Caller; count?: number },
) {
  const caller = { ...as, id: id ?? randomUUID() };
  const procedures = callerIn(database.db, {
    request: { authenticate: async () => caller },
    webhooksMax: WEBHOOKS_MAX,
  });
  const made = Array.from({ length: count }, (_, number) =>
    create(procedures, number).then(() => 'created', errorCodeOf),
  );
  return (await Promise.all(made)).sort();
}

describe.each(kinds.map((kind) => ({ what: '', ...kind })))('$name $what', (kind) => {
  const { name, max } = kind;
  beforeEach(async () => {
    await sql`truncate webhook, api_key, job, upload, scheduled_change, saved_view cascade`.execute(
      database.db,
    );
    await sql`update agent set scheduled_changes = '[]'`.execute(database.db);
  });

  it.each([
    ['with a limit to some offices', () => limited],
    ['without a limit', () => ADMIN],
  ])('of one owner %s are bounded, also if they are created at the same time', async (_, as) => {
    const id = randomUUID();
    await fill(kind, { count: ownerMaxOf(name, max) - 1, ownerId: id });
    expect(await race(kind, { id, as: as() })).toEqual(['created', 'limit_reached', 'limit_reached']);
    expect(await race(kind, { as: as(), count: 1 })).toEqual(['created']);
  });

  it('of all owners leave the last fifth to callers without a limit, and are bounded for these too', async () => {
    await fill(kind, { count: maxFor(limited.grants[0]?.limit, max) - 1 });
    expect(await race(kind, { as: limited })).toEqual(['created', 'limit_reached', 'limit_reached']);
    expect(await race(kind, { as: ADMIN, count: 1 })).toEqual(['created']);
    await fill(kind, { count: Math.floor(max / 5) - 2 });
    expect(await race(kind, { as: ADMIN })).toEqual(['created', 'limit_reached', 'limit_reached']);
  });
});

describe('the pending changes of one record', () => {
  it('leave the last fifth to callers without a limit', async () => {
    const schedule = kinds.find(({ name }) => name === 'scheduledChanges') as Kind;
    await sql`truncate scheduled_change`.execute(database.db);
    for (let count = 0; count < 16; count += 1) await race(schedule, { as: limited, count: 1 });
    expect(await race(schedule, { as: limited, count: 1 })).toEqual(['limit_reached']);
    for (let count = 16; count < 20; count += 1)
      expect(await race(schedule, { as: ADMIN, count: 1 })).toEqual(['created']);
    expect(await race(schedule, { as: ADMIN, count: 1 })).toEqual(['limit_reached']);
  });
});

describe('of one owner', () => {
  const owner = () => ({ adminKeyHash: Buffer.from(randomUUID().replaceAll('-', '').repeat(2), 'hex') });
  const one = (index: number) => ({ now: new Date(Date.now() + index), lifetimeMs: 3_600_000 });

  it('a session more than 50 ends the oldest, also if they are created at the same time', async () => {
    const mine = owner();
    const session = { ...mine, method: 'key', client: undefined } as const;
    const other = await createSession(database.db, { ...session, ...owner(), ...one(0) });
    const made: string[] = [];
    for (let index = 0; index < SESSIONS_MAX; index += 1) {
      const { id, hasEndedOldest } = await createSession(database.db, { ...session, ...one(index) });
      expect(hasEndedOldest).toBe(false);
      made.push(id);
    }
    const more = [0, 1, 2].map((index) => createSession(database.db, { ...session, ...one(1_000 + index) }));
    expect((await Promise.all(more)).every(({ hasEndedOldest }) => hasEndedOldest)).toBe(true);
    const { rows } = await sql<{ id: string }>`
      select id from session where ended_at is not null order by created_at`.execute(database.db);
    expect(rows.map(({ id }) => id)).toEqual(made.slice(0, 3));
    expect(rows.map(({ id }) => id)).not.toContain(other.id);
    const { rows: events } = await sql<{ subject_id: string }>`
      select subject_id from admin_event where type = 'session.ended' order by position`.execute(database.db);
    expect(events.map(({ subject_id: id }) => id)).toEqual(made.slice(0, 3));
  });

  it('a link more than 20 ends the oldest, also if they are created at the same time', async () => {
    const now = new Date();
    const take = (secret: string) => takeSignIn(database.db, { secret, kind: 'link', now });
    const [mine, other] = [owner(), owner()];
    const link = (of: typeof mine, secret: string, index: number) =>
      storeLink(database.db, { secret, data: {}, owner: of, ...one(index) });
    await link(other, 'of another owner', 0);
    for (let index = 0; index < LINKS_MAX; index += 1) await link(mine, `link ${index}`, index);
    await Promise.all([0, 1, 2].map((index) => link(mine, `more ${index}`, 1_000 + index)));
    const secrets = Array.from({ length: LINKS_MAX }, (_, index) => `link ${index}`);
    const found = await Promise.all(secrets.map(take));
    expect(found.map((data) => data !== undefined)).toEqual(secrets.map((_, index) => index >= 3));
    for (const secret of ['of another owner', 'more 0', 'more 1', 'more 2'])
      expect(await take(secret)).toBeDefined();
  });
});
