import type { Database } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { type Agent, agentFields } from '../../src/directory/agents/schemas.ts';
import type { RecordChange } from '../../src/history/schemas.ts';
import { assignPositions } from '../../src/log/sequencer.ts';
import { differences } from '../../src/records/field-changes.ts';
import { type Caller, callerIn } from './caller.ts';

/** A caller with all scopes on its own database, without a sequencer: tests assign the positions. */
export interface Scene extends AsyncDisposable {
  db: Kysely<Database>;
  caller: Caller;
}

export async function createScene(): Promise<Scene> {
  const database = await createTestDatabase({ requiresEvents: true });
  return {
    db: database.db,
    caller: callerIn(database.db),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** A scene for the tests of a file, made before the first of them. */
export function useScene(): () => Scene {
  let scene: Scene;
  beforeAll(async () => {
    scene = await createScene();
  });
  afterAll(() => scene[Symbol.asyncDispose]());
  return () => scene;
}

/** The whole history of an agent, newest first, read in pages of that size. */
export async function historyOf({ agents }: Caller, id: string, limit = 200): Promise<RecordChange[]> {
  const items: RecordChange[] = [];
  let cursor: string | undefined;
  do {
    const page = await agents.history({ id, limit, cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

/** The values of an agent by path. */
export const valuesOf = (agent: Agent) =>
  new Map(differences({}, { ...agent }, agentFields).map(({ field, after }) => [field, after]));

const part = fc.option(fc.constantFrom('A', 'B'), { nil: null });
const patch = fc.record(
  {
    firstName: fc.constantFrom('Ana', 'Eva'),
    displayName: fc.constantFrom(null, 'Ana Reis', 'Eva Reis', 'Reis, A.'),
    phone: fc.option(fc.constantFrom('+351910000001', '+351910000002'), { nil: null }),
    languages: fc.subarray(['pt', 'en']),
    licenses: fc.subarray([{ number: '1' }, { number: '2', region: '11' }]),
    address: fc.option(fc.record({ city: part, line1: part }), { nil: null }),
    metadata: fc.dictionary(fc.constantFrom('a', 'b.c', 'constructor'), part),
    source: fc.constantFrom(null, { name: 'MLS', key: '1' }, { name: 'MLS', key: '2' }),
  },
  { requiredKeys: [] },
);
type Step = { verb: 'update'; patch: object } | { verb: 'deactivate' | 'reactivate' | 'delete' | 'assign' };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: patch.map((one): Step => ({ verb: 'update', patch: one })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>({ verb: 'deactivate' }, { verb: 'reactivate' }, { verb: 'delete' }),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ verb: 'assign' }) },
);

interface Changed extends AsyncDisposable {
  id: string;
  /** Its states by version. */
  states: Map<number, Agent>;
}

/** Carries out steps on a new agent, which disposing deletes. A deleted agent is restored at once. */
export async function carryOut({ caller, db }: Scene, steps: Step[]): Promise<Changed> {
  const made = await caller.agents.create({ firstName: 'Ana', lastName: 'Reis' });
  const { id } = made;
  const states = new Map([[1, made]]);
  for (const one of steps) {
    if (one.verb === 'assign') await assignPositions(db);
    else if (one.verb === 'update') await caller.agents.update({ id, ...one.patch });
    else if (one.verb !== 'delete') await caller.agents[one.verb]({ id });
    else {
      await caller.agents.delete({ id });
      await caller.agents.restore({ id });
    }
    const now = await caller.agents.get({ id });
    states.set(now.version, now);
  }
  return { id, states, [Symbol.asyncDispose]: () => caller.agents.delete({ id }) };
}

/** Steps in the life of an agent. */
export const steps = fc.array(step, { maxLength: 8 });

export const newestOf = (states: Map<number, Agent>) => states.get(Math.max(...states.keys())) as Agent;
