import { type Operation, operations, type Reason, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../src/input/fields.ts';
import { agentCases } from './support/parity/agent-cases.ts';
import { type CasesOf, type DoorCase, UNKNOWN } from './support/parity/case.ts';
import { eventCases } from './support/parity/event-cases.ts';
import { importCases } from './support/parity/import-cases.ts';
import { type Call, type Door, doors, notUnderstood, type Outcome } from './support/parity/interfaces.ts';
import { createWorld, type World } from './support/parity/isolated-service.ts';
import { keyCases } from './support/parity/key-cases.ts';
import { officeCases } from './support/parity/office-cases.ts';
import { recordCases } from './support/parity/record-cases.ts';
import { webhookCases } from './support/parity/webhook-cases.ts';

const ways: readonly Door[] = ['rpc', 'rest', 'cli'];

/** The cases of both resources with those of one; a verb that one resource alone has is among its own. */
function withOwn(common: CasesOf, own: Record<string, DoorCase[]>): CasesOf {
  const merged = Object.entries(common).map(([verb, [first, ...more]]) => [
    verb,
    [first, ...more, ...(own[verb] ?? [])],
  ]);
  return { ...(own as CasesOf), ...Object.fromEntries(merged) };
}

const cases: Record<string, CasesOf> = {
  offices: withOwn(recordCases('offices'), officeCases),
  agents: withOwn(recordCases('agents'), agentCases),
  events: eventCases,
  imports: importCases,
  keys: keyCases,
  webhooks: webhookCases,
};

function casesOf({ procedure }: Operation): CasesOf[string] {
  const [noun = '', verb = ''] = procedure.split('.');
  const found = cases[noun]?.[verb];
  if (found === undefined) throw new Error(`${procedure} has no cases; add them to testing/doors`);
  return found;
}

/** Reasons that no case meets, and why. */
const elsewhere: Partial<Record<Reason | `${string} ${Reason}`, string>> = {
  version_required: 'met by a service that asks for versions, below',
  idempotency_key_reused: 'met by repeated calls, below',
  idempotency_in_progress: 'needs two requests at the same moment, which one call at each door is not',
  test_in_progress: "needs two requests at the same moment, too; the server's tests make them",
  limit_reached: "needs as many webhooks as there may be; the server's tests make them",
  'offices.get version_conflict':
    'a read names a version in the headers of REST alone (conditions.rest.test.ts)',
  'agents.get version_conflict':
    'a read names a version in the headers of REST alone (conditions.rest.test.ts)',
  'offices.restore office_cycle': 'nothing can refer to a deleted office, so that no circle closes over it',
};

function isElsewhere({ procedure }: Operation, reason: Reason): boolean {
  return elsewhere[reason] !== undefined || elsewhere[`${procedure} ${reason}`] !== undefined;
}

let worlds: Record<Door, World>;

beforeAll(async () => {
  const [rpc, rest, cli] = await Promise.all([createWorld(), createWorld(), createWorld()]);
  worlds = { rpc, rest, cli };
});

afterAll(async () => {
  await Promise.all(Object.values(worlds).map((world) => world[Symbol.asyncDispose]()));
});

/** What every caller sees alike: without the path and the id of the request, which each problem must have. */
function comparable(outcome: Outcome, { steady }: World): unknown {
  if (outcome === notUnderstood || !('problem' in outcome)) return steady(outcome);
  const { instance, requestId, ...problem } = outcome.problem;
  expect([typeof instance, typeof requestId]).toEqual(['string', 'string']);
  return steady({ problem });
}

type Making = (world: World) => Promise<Pick<Call, 'input' | 'key'> & { idempotencyKey?: string }>;

/** What each door answers, in its own world, to the call that is made there. */
async function answersOf(operation: Operation, make: Making): Promise<Record<Door, unknown>> {
  const answers: Partial<Record<Door, unknown>> = {};
  for (const way of ways) {
    const world = worlds[way];
    const call = await make(world);
    world.tick();
    const outcome = await doors[way]({ url: world.url, operation, ...call });
    answers[way] = comparable(outcome, world);
  }
  return answers as Record<Door, unknown>;
}

/** The same on all doors, but for those that cannot say it; and the refusal that is meant, or an answer. */
function expectOne(
  answers: Record<Door, unknown>,
  { refusal, except = {} }: Pick<DoorCase, 'refusal' | 'except'>,
): void {
  const { rpc } = answers;
  if (refusal === undefined) expect(rpc).toHaveProperty('answer');
  else expect(rpc).toMatchObject({ problem: { code: refusal } });
  if (except.rest === undefined) expect(answers.rest, 'REST answers what RPC does').toEqual(rpc);
  expect(answers.cli, 'the command line answers what RPC does').toEqual(except.cli ? notUnderstood : rpc);
}

it('has cases for every operation, and for every reason it refuses for', () => {
  for (const operation of operations) {
    const [first, ...more] = casesOf(operation);
    expect(first.refusal).toBeUndefined();
    // What only some doors can say must change nothing, or the worlds would drift apart.
    for (const { except, refusal } of more) expect(except === undefined || refusal !== undefined).toBe(true);
    const met = new Set(more.map(({ refusal }) => refusal));
    const missing = operation.refusals.filter(
      (reason) => !met.has(reason) && !isElsewhere(operation, reason),
    );
    expect(missing, operation.procedure).toEqual([]);
  }
  const called = Object.entries(cases).flatMap(([noun, verbs]) =>
    Object.keys(verbs).map((verb) => `${noun}.${verb}`),
  );
  expect(called.sort()).toEqual(operations.map(({ procedure }) => procedure).sort());
});

describe.each(operations.map((operation) => [operation.procedure, operation] as const))(
  '%s',
  (_, operation) => {
    it.each(casesOf(operation).map((one) => [one.title, one] as const))(
      'by every door: %s',
      async (_, one) => {
        const answers = await answersOf(operation, async (world) => ({
          input: await one.input(world.stage),
          key: one.scopes === undefined ? world.key : await world.keyWith(one.scopes),
        }));
        expectOne(answers, one);
      },
    );

    const [good] = casesOf(operation);

    it.each([
      ['no key', 'unauthenticated', async () => undefined],
      ['a key that is none', 'unauthenticated', async () => 'rst_garbage'],
      [
        'a key for everything else',
        'insufficient_scope',
        (world: World) => world.keyWith(scopes.filter((scope) => scope !== operation.scope)),
      ],
    ] as const)('by every door with %s: %s', async (_, refusal, keyOf) => {
      const make: Making = async (world) => ({
        input: await good.input(world.stage),
        key: await keyOf(world),
      });
      expectOne(await answersOf(operation, make), { refusal });
    });
  },
);

const repeatable = operations.filter(({ isRepeatable }) => isRepeatable);

describe.each(repeatable.map((operation) => [operation.procedure, operation] as const))(
  '%s under an idempotency key',
  (procedure, operation) => {
    const [good] = casesOf(operation);
    const inputs = new Map<World, Promise<Input>>();
    const inputOf = (world: World) => {
      const input = inputs.get(world) ?? Promise.resolve(good.input(world.stage));
      inputs.set(world, input);
      return input;
    };
    const name = procedure.startsWith('agents.') ? 'firstName' : 'name';
    const changed = procedure.startsWith('imports.') ? { dryRun: true } : { [name]: 'Another' };
    const under =
      (idempotencyKey: string, more = {}): Making =>
      async (world) => ({ input: { ...(await inputOf(world)), ...more }, key: world.key, idempotencyKey });

    it('answers the repeated call as the first, and another call not at all', async () => {
      const first = await answersOf(operation, under(procedure));
      expectOne(first, {});
      expect(await answersOf(operation, under(procedure))).toEqual(first);
      const other = await answersOf(operation, under(procedure, changed));
      expectOne(other, { refusal: 'idempotency_key_reused' });
    });

    it('refuses a key that is too long', async () => {
      expectOne(await answersOf(operation, under('x'.repeat(256))), { refusal: 'invalid_parameter' });
    });
  },
);

it.each(['offices', 'agents', 'webhooks', 'keys'] as const)(
  'leaves the same %s behind every door',
  async (noun) => {
    const left = async ({ stage, steady }: World) => {
      const items: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await stage.client[noun].list.query({ limit: 200, cursor, sort: 'createdAt' });
        items.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return steady(items);
    };
    const rpc = await left(worlds.rpc);
    expect(rpc).not.toEqual([]);
    for (const way of ways) expect(await left(worlds[way]), way).toEqual(rpc);
  },
);

describe('a service that asks for versions', () => {
  const asking = operations.filter(({ refusals }) => refusals.includes('version_required'));
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ isVersionRequired: true });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it.each(asking.map((operation) => [operation.procedure, operation] as const))(
    'is asked by %s',
    async (_, operation) => {
      const input = { id: UNKNOWN, ...(operation.method === 'PATCH' && { bio: 'x' }) };
      const answers: Partial<Record<Door, unknown>> = {};
      for (const way of ways) {
        const outcome = await doors[way]({ url: world.url, operation, input, key: world.key });
        answers[way] = comparable(outcome, world);
      }
      expectOne(answers as Record<Door, unknown>, { refusal: 'version_required' });
    },
  );
});
