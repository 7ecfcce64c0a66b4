import { type Operation, operations, resourceNames, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../../src/options/fields.ts';
import { type CasesOf, onlyKnown, type ParityCase, UNKNOWN } from './case.ts';
import { isElsewhere } from './elsewhere.ts';
import { eventCases } from './event-cases.ts';
import { fileImportCases } from './file-import-cases.ts';
import { type Call, type CallResult, type InterfaceName, interfaces, usageProblem } from './interfaces.ts';
import { invitationCases, passkeyCases } from './invitation-cases.ts';
import { type IsolatedService, startIsolatedService } from './isolated-service.ts';
import { jobCases } from './job-cases.ts';
import { keyCases } from './key-cases.ts';
import { peopleCases, sessionCases } from './people-cases.ts';
import { agentCases } from './records/agent-cases.ts';
import { deletedRecordCases } from './records/deleted-record-cases.ts';
import { importCases } from './records/import-cases.ts';
import { officeCases } from './records/office-cases.ts';
import { recordCases } from './records/record-cases.ts';
import { teamCases } from './records/team-cases.ts';
import { scheduledChangeCases } from './scheduled-change-cases.ts';
import { viewCases } from './view-cases.ts';
import { webhookCases } from './webhook-cases.ts';

const FOLDER = 'apps/cli/test/support/parity';
const interfaceNames: readonly InterfaceName[] = ['rpc', 'rest', 'cli'];

/** Merges the cases that resources share with those of one resource. */
function withOwn(common: CasesOf, own: Record<string, ParityCase[]>): CasesOf {
  const merged = Object.entries(common).map(([operation, [first, ...more]]) => [
    operation,
    [first, ...more, ...(own[operation] ?? [])],
  ]);
  return { ...(own as CasesOf), ...Object.fromEntries(merged) };
}

const cases: Record<string, CasesOf> = {
  offices: withOwn(recordCases('offices'), officeCases),
  agents: withOwn(recordCases('agents'), agentCases),
  teams: withOwn(recordCases('teams'), teamCases),
  deletedRecords: deletedRecordCases,
  scheduledChanges: scheduledChangeCases,
  events: eventCases,
  imports: { ...importCases, ...fileImportCases },
  jobs: jobCases,
  keys: keyCases,
  people: peopleCases,
  invitations: invitationCases,
  passkeys: passkeyCases,
  sessions: sessionCases,
  views: viewCases,
  webhooks: webhookCases,
  settings: {
    get: [{ title: 'the settings', input: () => ({}) }],
    update: [
      { title: 'a country', input: () => ({ defaultCountry: 'PT' }) },
      { title: 'no country', input: () => ({ defaultCountry: null }) },
      { title: 'the country of before', input: () => ({ defaultCountry: 'US' }) },
      { title: 'no such country', errorCode: 'validation_failed', input: () => ({ defaultCountry: 'XX' }) },
      {
        title: 'a key that may not manage people',
        errorCode: 'insufficient_scope',
        scopes: ['keys:manage'],
        input: () => ({ defaultCountry: 'PT' }),
      },
    ],
  },
  status: {
    get: [
      { title: 'the status', input: () => ({}) },
      {
        title: 'an unknown parameter',
        errorCode: 'invalid_parameter',
        input: () => ({ x: 'x' }),
        except: onlyKnown,
      },
    ],
  },
  stats: {
    get: [
      // The order of offices with the same number of agents depends on their ids.
      { title: 'the counts', input: () => ({ officesMax: 0 }) },
      { title: 'too many offices', errorCode: 'invalid_parameter', input: () => ({ officesMax: 101 }) },
      {
        title: 'a key that may not read offices',
        errorCode: 'insufficient_scope',
        scopes: ['agents:read'],
        input: () => ({}),
      },
    ],
  },
};

function casesOf({ procedure }: Operation): CasesOf[string] {
  const [resource = '', operation = ''] = procedure.split('.');
  const found = cases[resource]?.[operation];
  if (found === undefined) throw new Error(`${procedure} has no cases: add them to ${FOLDER}`);
  return found;
}

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

/** The part of a result that must be equal for all interfaces: without the path and the id of the request. */
function comparable(outcome: CallResult, { normalize }: IsolatedService): unknown {
  if (outcome === usageProblem || !('problem' in outcome)) return normalize(outcome);
  const { instance, requestId, ...problem } = outcome.problem;
  expect([typeof instance, typeof requestId]).toEqual(['string', 'string']);
  return normalize({ problem });
}

type MakeCall = (
  service: IsolatedService,
) => Promise<Pick<Call, 'input' | 'key'> & { idempotencyKey?: string }>;

/** Waits for a job or an import that a worker has still to carry out: the clock must not advance before. */
async function endOf(answer: object, { fixtures }: IsolatedService): Promise<void> {
  const { id, finishedAt, total } = answer as { id?: string; finishedAt?: string | null; total?: number };
  // A scheduled change has not ended either, and has no records to count.
  if (id !== undefined && finishedAt === null && total !== undefined)
    await fixtures.ended(id, 'step' in answer ? 'imports' : 'jobs');
}

/** The results of one call by each interface, each with a service of its own, at the same time: some wait for a worker. */
async function answersOf(operation: Operation, make: MakeCall): Promise<Record<InterfaceName, unknown>> {
  const answers = interfaceNames.map(async (name) => {
    const service = services[name];
    const call = await make(service);
    service.tick();
    const outcome = await interfaces[name]({ url: service.url, operation, ...call });
    if ('answer' in outcome) await endOf(Object(outcome.answer), service);
    return [name, comparable(outcome, service)];
  });
  return Object.fromEntries(await Promise.all(answers));
}

/** Expects the same result from all interfaces that can express the call: the given error code, or success. */
function expectOne(
  answers: Record<InterfaceName, unknown>,
  { errorCode, except = {} }: Pick<ParityCase, 'errorCode' | 'except'>,
): void {
  const { rpc } = answers;
  if (errorCode === undefined) expect(rpc).toHaveProperty('answer');
  else expect(rpc).toMatchObject({ problem: { code: errorCode } });
  if (except.rest === undefined) expect(answers.rest, 'REST returns what RPC does').toEqual(rpc);
  expect(answers.cli, 'the command line returns what RPC does').toEqual(except.cli ? usageProblem : rpc);
}

/** Calls every operation once by each interface. */
export function describeFirstCases(): void {
  startServices();

  it('there are cases for every operation and for every error code that it returns', () => {
    for (const operation of operations) {
      const [first, ...more] = casesOf(operation);
      expect(first.errorCode).toBeUndefined();
      // A call that only some interfaces can express must change nothing, or the services would diverge.
      for (const { except, errorCode } of more)
        expect(except === undefined || errorCode !== undefined).toBe(true);
      const tested = new Set(more.map(({ errorCode }) => errorCode));
      const missing = operation.errors.filter((code) => !tested.has(code) && !isElsewhere(operation, code));
      const advice = `${operation.procedure} has no cases for these errors: add them to ${FOLDER}`;
      expect(missing, advice).toEqual([]);
    }
    const called = Object.entries(cases).flatMap(([resource, operations]) =>
      Object.keys(operations).map((operation) => `${resource}.${operation}`),
    );
    expect(called.sort()).toEqual(operations.map(({ procedure }) => procedure).sort());
  });

  it.each(operations.map((operation) => [operation.procedure, operation] as const))(
    '%s has the same result by RPC, REST and CLI',
    async (_, operation) => {
      const [one] = casesOf(operation);
      expectOne(await answersOf(operation, callOf(one)), one);
    },
  );
}

/** Makes the call of a case. */
function callOf(one: ParityCase): MakeCall {
  return async (service) => ({
    input: await one.input(service.fixtures),
    key: one.scopes === undefined ? service.key : await service.keyWith(one.scopes),
  });
}

/** Calls every operation by each interface with every case, with wrong keys, and again under an idempotency key. */
export function describeAllCases(): void {
  startServices();

  describe.each(operations.map((operation) => [operation.procedure, operation] as const))(
    '%s',
    (_, operation) => {
      it.each(casesOf(operation).map((one) => [one.title, one] as const))(
        'has the same result by RPC, REST and CLI: %s',
        async (_, one) => expectOne(await answersOf(operation, callOf(one)), one),
      );

      const [good] = casesOf(operation);

      it.each([
        ['no key', 'unauthenticated', async () => undefined],
        ['an invalid key', 'unauthenticated', async () => 'rst_garbage'],
        // What needs no scope decides by what it is about.
        ...(operation.scope === undefined
          ? []
          : ([
              [
                'a key with all other scopes',
                'insufficient_scope',
                (service: IsolatedService) =>
                  service.keyWith(
                    scopes.filter(
                      (scope) => scope !== operation.scope && !operation.orScopes.includes(scope),
                    ),
                  ),
              ],
            ] as const)),
      ] as const)('has the same result by RPC, REST and CLI with %s: %s', async (_, errorCode, keyOf) => {
        const make: MakeCall = async (service) => ({
          input: await good.input(service.fixtures),
          key: await keyOf(service),
        });
        expectOne(await answersOf(operation, make), { errorCode });
      });
    },
  );

  const repeatable = operations.filter(({ isRepeatable }) => isRepeatable);

  describe.each(repeatable.map((operation) => [operation.procedure, operation] as const))(
    '%s under an idempotency key',
    (procedure, operation) => {
      const [good] = casesOf(operation);
      const inputs = new Map<IsolatedService, Promise<Input>>();
      const parseInput = (service: IsolatedService) => {
        const input = inputs.get(service) ?? Promise.resolve(good.input(service.fixtures));
        inputs.set(service, input);
        return input;
      };
      const name = procedure.startsWith('agents.') ? 'firstName' : 'name';
      const changed =
        operation.fileTypes !== undefined
          ? { name: 'another.csv' }
          : procedure.startsWith('imports.')
            ? { dryRun: true }
            : { [/\.(bulk|merge)$/.test(procedure) ? 'reason' : name]: 'Another' };
      const under =
        (idempotencyKey: string, more = {}): MakeCall =>
        async (service) => ({
          input: { ...(await parseInput(service)), ...more },
          key: service.key,
          idempotencyKey,
        });

      it('returns the first result for a repeated call, and an error for a different one', async () => {
        const first = await answersOf(operation, under(procedure));
        expectOne(first, {});
        expect(await answersOf(operation, under(procedure))).toEqual(first);
        const other = await answersOf(operation, under(procedure, changed));
        expectOne(other, { errorCode: 'idempotency_key_reused' });
      });

      it('rejects a key that is too long', async () => {
        expectOne(await answersOf(operation, under('x'.repeat(256))), { errorCode: 'invalid_parameter' });
      });
    },
  );

  it.each([...resourceNames, 'webhooks', 'keys', 'people'] as const)(
    'all interfaces leave the same %s behind',
    async (resource) => {
      const left = async ({ fixtures, normalize }: IsolatedService) => {
        const items: unknown[] = [];
        let cursor: string | undefined;
        do {
          const page = await fixtures.client[resource].list.query({ limit: 200, cursor, sort: 'createdAt' });
          items.push(...page.items);
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        return normalize(items);
      };
      const rpc = await left(services.rpc);
      expect(rpc).not.toEqual([]);
      for (const name of interfaceNames) expect(await left(services[name]), name).toEqual(rpc);
    },
  );

  describe('a service that requires versions', () => {
    const requiring = operations.filter(({ errors }) => errors.includes('version_required'));
    let service: IsolatedService;
    beforeAll(async () => {
      service = await startIsolatedService({ isVersionRequired: true });
    });
    afterAll(() => service[Symbol.asyncDispose]());

    const required: Record<string, Input> = {
      'agents.transfer': { officeId: UNKNOWN },
      'offices.transferAgents': { toOfficeId: UNKNOWN },
      'teams.putMember': { agentId: UNKNOWN },
      'teams.removeMember': { agentId: UNKNOWN },
      ...Object.fromEntries(resourceNames.map((name) => [`${name}.update`, { mlsId: 'x' }])),
      ...Object.fromEntries(
        resourceNames.map((name) => [`${name}.merge`, { duplicateId: UNKNOWN.replace('0', '1') }]),
      ),
      'views.update': { name: 'x' },
    };

    it.each(requiring.map((operation) => [operation.procedure, operation] as const))(
      'rejects %s without a version',
      async (_, operation) => {
        const input = {
          id: UNKNOWN,
          ...required[operation.procedure],
          ...(operation.procedure.endsWith('.revert') && { toVersion: 1 }),
        };
        const answers: Partial<Record<InterfaceName, unknown>> = {};
        for (const name of interfaceNames) {
          const outcome = await interfaces[name]({ url: service.url, operation, input, key: service.key });
          answers[name] = comparable(outcome, service);
        }
        expectOne(answers as Record<InterfaceName, unknown>, { errorCode: 'version_required' });
      },
    );
  });
}
