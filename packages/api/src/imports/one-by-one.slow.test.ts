import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { assignPositions } from '../log/sequencer.ts';
import type { ImportResult, ImportSchemas } from './schemas.ts';

type Batch = z.input<ImportSchemas['agents']>['records'];
type AgentRecord = Batch[number];

/** Two directories: one is imported into, in the other the same is done record by record. */
let sides: { database: TestDatabase; caller: Caller }[];
beforeAll(async () => {
  sides = await Promise.all(
    [1, 2].map(async () => {
      const database = await createTestDatabase({ requiresEvents: true });
      return { database, caller: callerIn(database.db) };
    }),
  );
});
afterAll(() => Promise.all(sides.map(({ database }) => database[Symbol.asyncDispose]())));

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const word = fc.constantFrom('x', 'y', ' y ', '');

/** Records of few keys, addresses and values, so that they meet each other. */
const record = fc.record(
  {
    firstName: fc.constantFrom('Ana', 'Rui'),
    lastName: fc.constantFrom('Silva', 'Reis'),
    source: fc.record({ name: fc.constant(''), key: fc.constantFrom('1', '2', '3', '4', '5') }),
    email: maybe(fc.constantFrom('ana@', 'Ana@', 'rui@', 'ΣΑΣ@', 'σας@')),
    displayName: maybe(fc.constantFrom('Ana Silva', 'Rui Reis', 'x')),
    officeSourceKey: maybe(fc.constantFrom('open', 'closed', 'nowhere', 'other')),
    metadata: maybe(fc.dictionary(fc.constantFrom('a', 'b'), maybe(word), { maxKeys: 2 })),
    address: maybe(fc.record({ city: maybe(word), line1: maybe(word) }, { requiredKeys: [] })),
    licenses: maybe(fc.array(fc.record({ number: fc.constantFrom('1', '2') }), { maxLength: 2 })),
    languages: maybe(fc.subarray(['pt', 'en-gb'])),
    bio: maybe(word),
  },
  { requiredKeys: ['firstName', 'lastName', 'source'] },
);
const batches = fc.array(fc.array(record, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });

/** The same records with a source and e-mail addresses of this run alone. */
function ofRun(run: string, batch: AgentRecord[]): AgentRecord[] {
  return batch.map((one) => ({
    ...one,
    source: { name: run, key: one.source?.key ?? '' },
    ...(typeof one.email === 'string' && { email: `${one.email}${run}.example` }),
  }));
}

async function setOffices({ caller }: { caller: Caller }, run: string): Promise<Map<string, string>> {
  const keys = ['open', 'other', 'closed'];
  const records = keys.map((key) => ({ name: key, source: { name: run, key } }));
  const { results } = await caller.imports.offices({ records });
  const ids = new Map(keys.map((key, index) => [key, results[index]?.id ?? '']));
  await caller.offices.deactivate({ id: ids.get('closed') ?? '' });
  return ids;
}

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
const fold = (email: string) => email.toLowerCase();
/** Whether a record breaks its schema: none of its keys counts, because none is read. */
const isBroken = ({ licenses }: AgentRecord) =>
  new Set(licenses?.map(({ number }) => number)).size < (licenses?.length ?? 0);

/** Does with one record what an import does, by create and update; returns its status. */
async function single(caller: Caller, given: AgentRecord, offices: Map<string, string>) {
  const { officeSourceKey, source, metadata, ...fields } = given;
  const { items } = await caller.agents.list({ sourceName: source?.name, sourceKey: source?.key });
  const office = officeSourceKey && (offices.get(officeSourceKey) ?? UNKNOWN_ID);
  const patch = { ...fields, ...(officeSourceKey !== undefined && { officeId: office ?? null }) };
  const [there] = items;
  if (there === undefined) {
    const pairs = Object.entries(metadata ?? {}).filter((pair): pair is [string, string] => pair[1] !== null);
    await caller.agents.create({ ...patch, source: source ?? null, metadata: Object.fromEntries(pairs) });
    return 'created';
  }
  const merged = { id: there.id, ...patch, ...(metadata !== undefined && { metadata }) };
  return (await caller.agents.update(merged)).version === there.version ? 'unchanged' : 'updated';
}

/**
 * Record by record, without those that break their schema or repeat a key of the batch. One whose address is another's waits until that has left it, and
 * is rejected if it never does. Returns undefined if records exchange addresses, which no order of single changes does.
 */
async function oneByOne(caller: Caller, batch: AgentRecord[], offices: Map<string, string>) {
  const sourceName = batch[0]?.source?.name;
  const statuses: string[] = batch.map(() => 'error');
  const seen = new Set<string>();
  const waiting = new Map<string, { given: AgentRecord; email: string | undefined; place: number }>();
  for (const [place, given] of batch.entries()) {
    if (isBroken(given)) continue;
    const key = given.source?.key ?? '';
    const email = typeof given.email === 'string' ? fold(given.email) : undefined;
    if (!seen.has(key) && !(email !== undefined && seen.has(email)))
      waiting.set(key, { given, email, place });
    seen.add(key).add(email ?? key);
  }
  for (;;) {
    const { items } = await caller.agents.list({ sourceName });
    const holders = new Map(items.map(({ email, source }) => [fold(email ?? ''), source?.key ?? '']));
    const holderOf = (key: string) => holders.get(waiting.get(key)?.email ?? 'none') ?? key;
    const free = [...waiting].find(([key]) => holderOf(key) === key);
    if (free === undefined) {
      const isCircular = [...waiting.keys()].some((start) => {
        let key = holderOf(start);
        for (let steps = 0; waiting.has(key) && key !== start && steps < batch.length; steps += 1)
          key = holderOf(key);
        return key === start;
      });
      return isCircular ? undefined : statuses;
    }
    const [key, { given, place }] = free;
    statuses[place] = await single(caller, given, offices).catch((failure: unknown) => {
      // A fault of the service, or of a busy database, is no outcome to compare.
      if (toRosterError(failure).status >= 500) throw failure;
      return 'error';
    });
    waiting.delete(key);
  }
}

/** All that can be seen of a run, with nothing that depends on when and where it happened. */
async function seen({ database, caller }: (typeof sides)[number], run: string, offices: Map<string, string>) {
  const { items } = await caller.agents.list({ sourceName: run, limit: 200 });
  const plain = (record: object) => {
    const own = new Set(['id', 'createdAt', 'updatedAt', 'statusChangedAt', 'transferredAt', 'officeId']);
    const office = [...offices].find(([, id]) => 'officeId' in record && id === record.officeId)?.[0];
    const isMoved = 'transferredAt' in record && record.transferredAt !== null;
    return {
      ...Object.fromEntries(Object.entries(record).filter(([name]) => !own.has(name))),
      office,
      isMoved,
    };
  };
  await assignPositions(database.db);
  const histories = items.map(async (agent) => {
    const events = (await caller.events.list({ subject: agent.id })).items;
    return [
      agent.source?.key,
      plain(agent),
      events.map(({ type, version, previous, record }) => [
        type,
        version,
        plain(previous),
        record && plain(record),
      ]),
    ] as const;
  });
  return (await Promise.all(histories)).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

it('does to any records what creating and patching them one by one does, with the same events', async () => {
  let run = 0;
  const property = fc.asyncProperty(batches, async (given) => {
    run += 1;
    const name = `run-${run}`;
    const [imported, single] = sides as [(typeof sides)[number], (typeof sides)[number]];
    const officesOf = [await setOffices(imported, name), await setOffices(single, name)] as const;
    for (const batch of given.map((one) => ofRun(name, one as AgentRecord[]))) {
      const asked = { mode: 'upsert' as const, isAtomic: false, records: batch };
      const preview = await imported.caller.imports.agents({ ...asked, dryRun: true });
      const { results } = await imported.caller.imports.agents(asked);
      const statusesOf = (all: ImportResult[]) => all.map(({ status, version }) => [status, version]);
      expect(statusesOf(preview.results)).toEqual(statusesOf(results));
      const expected = await oneByOne(single.caller, batch, officesOf[1]);
      fc.pre(expected !== undefined);
      expect(results.map(({ status }) => status)).toEqual(expected);
    }
    expect(await seen(imported, name, officesOf[0])).toEqual(await seen(single, name, officesOf[1]));
  });
  await fc.assert(property, { numRuns: 25 });
});
