import { type ErrorCode, type Operation, operations, resourceNames, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../../src/contract/options.ts';
import { isElsewhere } from './elsewhere.ts';
import { exampleInput } from './examples.ts';
import { faultyInputs, UNKNOWN, withEachField } from './faults.ts';
import { type Call, type CallResult, type InterfaceName, inexpressible, interfaces } from './interfaces.ts';
import { rules } from './rules.ts';
import { type IsolatedService, normalized, startIsolatedService } from './service.ts';

const interfaceNames: readonly InterfaceName[] = ['rpc', 'rest', 'cli'];
const named = operations.map((operation) => [operation.procedure, operation] as const);

let services: Record<InterfaceName, IsolatedService>;

function startServices(): void {
  beforeAll(async () => {
    const [rpc, rest, cli] = await Promise.all([
      startIsolatedService(),
      startIsolatedService(),
      startIsolatedService(),
    ]);
    services = { rpc, rest, cli };
  });

  afterAll(async () => {
    await Promise.all(Object.values(services).map((service) => service[Symbol.asyncDispose]()));
  });
}

/** The part of a result that must be equal for all interfaces: without the path and the id of the request; ids in the order of the input. */
function comparable(outcome: CallResult, input: Input): unknown {
  if (outcome === inexpressible) return inexpressible;
  if (!('problem' in outcome)) return normalized({ input, ...outcome });
  const { instance, requestId, ...problem } = outcome.problem;
  expect([typeof instance, typeof requestId]).toEqual(['string', 'string']);
  return normalized({ input, problem });
}

/** What is called, with which key. */
type Made = Pick<Call, 'input'> & Partial<Pick<Call, 'key' | 'idempotencyKey'>>;
type MakeCall = (service: IsolatedService) => Promise<Made>;
type Results = Record<InterfaceName, unknown>;

/** Waits for a job or an import that a worker has still to carry out. */
async function endOf(response: object, { request }: IsolatedService): Promise<void> {
  const { id, finishedAt, total } = response as { id?: string; finishedAt?: string | null; total?: number };
  // A scheduled change has not ended either, and has no records to count.
  if (id === undefined || finishedAt !== null || total === undefined) return;
  const path = `/${'step' in response ? 'imports' : 'jobs'}/${id}`;
  while ((await request('GET', path)).finishedAt === null);
}

/** The results of one call by each interface, each with a service of its own, at the same time: some wait for a worker. */
async function resultsOf(operation: Operation, make: MakeCall): Promise<Results> {
  const results = interfaceNames.map(async (name) => {
    const service = services[name];
    const call = { key: service.key, ...(await make(service)) };
    await service.logged();
    if (/duplicate/i.test(operation.procedure)) await service.compare();
    service.tick();
    const outcome = await interfaces[name]({ url: service.url, operation, ...call });
    if ('result' in outcome) await endOf(Object(outcome.result), service);
    return [name, comparable(outcome, call.input)];
  });
  return Object.fromEntries(await Promise.all(results));
}

type Expected = ErrorCode | RegExp | 'success' | 'either';

/** Expects the same result from all interfaces that can express the call: an error of the given code, success, or either. */
function expectOne({ rpc, rest, cli }: Results, expected: Expected, title = ''): void {
  if (expected === 'success') expect(rpc, title).toHaveProperty('result');
  else if (expected instanceof RegExp)
    expect(rpc, title).toMatchObject({ problem: { code: expect.stringMatching(expected) } });
  else if (expected !== 'either') expect(rpc, title).toMatchObject({ problem: { code: expected } });
  expect(rest, `REST returns what RPC does: ${title}`).toEqual(rpc);
  // What the command line cannot say changes nothing, or the services would diverge.
  if (cli === inexpressible) expect(rpc, title).toHaveProperty('problem');
  else expect(cli, `the command line returns what RPC does: ${title}`).toEqual(rpc);
}

const example =
  (operation: Operation, more: Input = {}): MakeCall =>
  async (service) => ({ input: { ...(await exampleInput(operation, service)), ...more } });

/** Calls every operation once by each interface. */
export function describeFirstCases(): void {
  startServices();

  it('there are cases for every error code that an operation returns', () => {
    for (const operation of operations) {
      const own = rules.filter(({ procedure }) => procedure === operation.procedure);
      const tested = new Set([...own.map(({ errorCode }) => errorCode), ...generatedFor(operation)]);
      const missing = operation.errors.filter((code) => !tested.has(code) && !isElsewhere(operation, code));
      expect(missing, `${operation.procedure} has no rules for these errors: add them to rules.ts`).toEqual(
        [],
      );
    }
    const procedures = operations.map(({ procedure }) => procedure);
    expect(rules.filter(({ procedure }) => !procedures.includes(procedure))).toEqual([]);
  });

  it.each(named)('%s has the same result by RPC, REST and CLI', async (_, operation) => {
    expectOne(await resultsOf(operation, example(operation)), 'success');
  });
}

/** Whether an operation takes the version that its record must have. */
const isConditional = ({ type, errors }: Operation) =>
  type === 'mutation' && errors.includes('version_conflict');

/** The error codes that follow from what an operation is. */
function generatedFor(operation: Operation): ErrorCode[] {
  return [
    'validation_failed',
    ...(operation.isPage ? (['invalid_cursor', 'cursor_mismatch'] as const) : []),
    ...(operation.pathParameters.includes('id') ? (['not_found'] as const) : []),
    ...(isConditional(operation) ? (['version_conflict'] as const) : []),
  ];
}

/** The cursor of another list. */
async function otherCursor({ request }: IsolatedService, { procedure }: Operation): Promise<string> {
  const other = procedure === 'offices.list' ? 'teams' : 'offices';
  for (const name of ['A', 'B']) await request('POST', `/${other}`, { name });
  return String((await request('GET', `/${other}?limit=1`)).nextCursor);
}

/** Calls every operation by each interface with valid and invalid input, with wrong keys, and again under an idempotency key. */
export function describeAllCases(): void {
  startServices();

  describe.each(named)('%s has the same result by RPC, REST and CLI', (procedure, operation) => {
    it('with each field that it takes', async () => {
      const names = [...withEachField(operation, {})].map(([name]) => name);
      for (const name of names) {
        const make: MakeCall = async (service) => {
          const valid = await exampleInput(operation, service);
          const found = [...withEachField(operation, valid)].find(([one]) => one === name);
          return { input: found?.[1] ?? valid };
        };
        const results = await resultsOf(operation, make);
        expectOne(results, 'either', name);
        expect(results.rpc, name).not.toMatchObject({ problem: { code: 'internal' } });
      }
    });

    it('with input that its schema rejects', async () => {
      const [valid] = await Promise.all(
        interfaceNames.map((name) => exampleInput(operation, services[name])),
      );
      const titles = (await faultyInputs(operation, valid ?? {})).map(([title]) => title);
      for (const title of titles) {
        const make: MakeCall = async (service) => {
          const faulty = await faultyInputs(operation, await exampleInput(operation, service));
          return { input: faulty.find(([one]) => one === title)?.[1] ?? {} };
        };
        const results = await resultsOf(operation, make);
        expectOne(results, /^(validation_failed|invalid_parameter)$/, title);
      }
    });

    const { scope, orScopes, isPage, pathParameters } = operation;
    const others = scopes.filter((one) => one !== scope && !orScopes.includes(one));
    const cases: [ErrorCode | RegExp, string, MakeCall][] = [
      [
        'unauthenticated',
        'no key',
        async (service) => ({ ...(await example(operation)(service)), key: undefined }),
      ],
      [
        'unauthenticated',
        'an invalid key',
        async (service) => ({
          ...(await example(operation)(service)),
          key: 'rst_garbage',
        }),
      ],
    ];
    // What needs no scope decides by what it is about.
    if (scope !== undefined)
      cases.push([
        'insufficient_scope',
        'a key with all other scopes',
        async (service) => ({
          ...(await example(operation)(service)),
          key: await service.keyWith(others),
        }),
      ]);
    if (pathParameters.includes('id'))
      cases.push(['not_found', 'an unknown id', example(operation, { id: UNKNOWN })]);
    if (isConditional(operation))
      cases.push(['version_conflict', 'another version', example(operation, { ifVersion: 9 })]);
    if (isPage) {
      cases.push(['invalid_cursor', 'an invalid cursor', example(operation, { cursor: 'x' })]);
      cases.push([
        /^(cursor_mismatch|invalid_cursor)$/,
        'the cursor of another list',
        async (service) => {
          const { input } = await example(operation)(service);
          return { input: { ...input, cursor: await otherCursor(service, operation) } };
        },
      ]);
    }
    it.each(cases)('%s: %s', async (code, _, make) => expectOne(await resultsOf(operation, make), code));

    it.each(rules.filter((rule) => rule.procedure === procedure).map((rule) => [rule.title, rule] as const))(
      '%s',
      async (_, { errorCode, scopes: own, input }) => {
        const make: MakeCall = async (service) => ({
          input: await input(service),
          ...(own && { key: await service.keyWith(own) }),
        });
        expectOne(await resultsOf(operation, make), errorCode ?? 'success');
      },
    );
  });

  describe.each(named.filter(([, { isRepeatable }]) => isRepeatable))(
    '%s under an idempotency key',
    (procedure, operation) => {
      const inputs = new Map<IsolatedService, Promise<Input>>();
      const inputFor = (service: IsolatedService) => {
        const input = inputs.get(service) ?? exampleInput(operation, service);
        inputs.set(service, input);
        return input;
      };
      const under =
        (idempotencyKey: string, change = (input: Input) => input): MakeCall =>
        async (service) => ({ input: change(await inputFor(service)), idempotencyKey });

      it('returns the first result for a repeated call, and an error for a different one', async () => {
        const first = await resultsOf(operation, under(procedure));
        expectOne(first, 'success');
        expect(await resultsOf(operation, under(procedure))).toEqual(first);
        const changed = (input: Input) => {
          const [more] = withEachField(operation, input);
          return more?.[1] ?? { ...input, name: 'Another' };
        };
        expectOne(await resultsOf(operation, under(procedure, changed)), 'idempotency_key_reused');
      });

      it('rejects a key that is too long', async () => {
        expectOne(await resultsOf(operation, under('x'.repeat(256))), 'invalid_parameter');
      });
    },
  );

  it.each([...resourceNames, 'webhooks', 'keys', 'people'] as const)(
    'all interfaces leave the same %s behind',
    async (resource) => {
      const left = async ({ request }: IsolatedService) => {
        const items: unknown[] = [];
        for (let query = 'limit=200&sort=createdAt'; query !== ''; ) {
          const page = await request('GET', `/${resource}?${query}`);
          items.push(...page.items);
          query = page.nextCursor === undefined ? '' : `limit=200&sort=createdAt&cursor=${page.nextCursor}`;
        }
        return normalized(items);
      };
      const rpc = await left(services.rpc);
      expect(rpc).not.toEqual([]);
      for (const name of interfaceNames) expect(await left(services[name]), name).toEqual(rpc);
    },
  );

  describe('a service that requires versions', () => {
    let service: IsolatedService;
    beforeAll(async () => {
      service = await startIsolatedService({ isVersionRequired: true });
    });
    afterAll(() => service[Symbol.asyncDispose]());

    it.each(named.filter(([, { errors }]) => errors.includes('version_required')))(
      'rejects %s without a version',
      async (_, operation) => {
        const { pathParameters, input: schema } = operation;
        const ids = Object.fromEntries(pathParameters.map((name) => [name, UNKNOWN]));
        const input = { ...Object(schema.meta()?.example), ...ids };
        const results = interfaceNames.map(async (name) => {
          const outcome = await interfaces[name]({ url: service.url, operation, input, key: service.key });
          return [name, comparable(outcome, input)];
        });
        expectOne(Object.fromEntries(await Promise.all(results)), 'version_required');
      },
    );
  });
}
