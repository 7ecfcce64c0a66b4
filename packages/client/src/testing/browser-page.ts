// The page that `browser.ts` opens: it calls a real service on another origin and a scripted stream of events, and
// sends home what it saw.
import { createRosterClient, RosterError } from '../index.ts';

/** What the runner tells the page, in the query of this script. */
const given = new URL(import.meta.url).searchParams;
const url = given.get('service') ?? '';
const client = createRosterClient({ url, key: given.get('key') ?? '' });

function expectEqual(actual: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`expected ${right}, and got ${left}`);
}

async function failureOf(call: Promise<unknown>): Promise<RosterError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof RosterError)) throw new Error(`expected a RosterError, and got ${String(thrown)}`);
  return thrown;
}

const checks: Record<string, () => Promise<void>> = {
  'is no secure context, where crypto.randomUUID is missing': async () => {
    expectEqual([Reflect.get(globalThis, 'isSecureContext'), typeof crypto.randomUUID], [false, 'undefined']);
  },

  'creates, changes and reads, with a key made for each change': async () => {
    const { id } = await client.offices.create.mutate({ name: 'Atlântico 東京' });
    await client.offices.update.mutate({ id, phone: '+351 210 000 042' });
    const { name, phone, version } = await client.offices.get.query({ id });
    expectEqual([name, phone, version], ['Atlântico 東京', '+351 210 000 042', 2]);
  },

  'iterates over pages': async () => {
    const names = Array.from({ length: 7 }, (_, index) => `Page ${index}`);
    await Promise.all(names.map((name) => client.offices.create.mutate({ name, franchise: 'Pages' })));
    const seen: string[] = [];
    for await (const { name } of client.offices.all({ q: 'page', sort: 'name', limit: 2 })) seen.push(name);
    expectEqual(seen, names);
  },

  'throws the problem of the service, and says when it cannot be reached': async () => {
    const { code, status, requestId } = await failureOf(client.offices.create.mutate({ name: '' }));
    expectEqual([code, status, typeof requestId], ['validation_failed', 422, 'string']);
    const nobody = createRosterClient({ url: 'http://127.0.0.1:1', attempts: 1 });
    expectEqual((await failureOf(nobody.offices.list.query({}))).code, 'network');
  },

  'ends a call when its signal fires': async () => {
    const signal = AbortSignal.abort();
    expectEqual((await failureOf(client.offices.list.query({}, { signal }))).code, 'aborted');
  },

  'follows events over broken connections, each once': async () => {
    const events = createRosterClient({ url: given.get('events') ?? '', key: 'rst_page' }).events;
    const interruptions: string[] = [];
    const seen: unknown[] = [];
    const onInterruption = ({ code }: RosterError) => void interruptions.push(code);
    for await (const { position, cursor } of events.follow({}, { onInterruption })) {
      seen.push([position, cursor]);
      if (seen.length === 4) break;
    }
    expectEqual(seen, [
      [1, 'c1'],
      [2, 'c2'],
      [3, 'c3'],
      [4, 'c4'],
    ]);
    expectEqual(interruptions, ['network', 'unavailable']);
  },
};

const results: { title: string; fault?: string }[] = [];
for (const [title, check] of Object.entries(checks)) {
  try {
    await check();
    results.push({ title });
  } catch (error) {
    results.push({ title, fault: String(error) });
  }
}
await fetch('/results', { method: 'POST', body: JSON.stringify(results) });
