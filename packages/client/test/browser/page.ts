// The page that `run.ts` opens: it calls the service on another origin and a scripted event stream, and posts its results.
import { createRosterClient, RosterError } from '../../src/index.ts';

/** The parameters of the runner, in the query of this script. */
const parameters = new URL(import.meta.url).searchParams;
const url = parameters.get('service') ?? '';
const client = createRosterClient({ url, key: parameters.get('key') ?? '' });

function expectEqual(actual: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`expected ${right}, and got ${left}`);
}

async function errorOf(call: Promise<unknown>): Promise<RosterError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof RosterError)) throw new Error(`expected a RosterError, and got ${String(thrown)}`);
  return thrown;
}

const checks: Record<string, () => Promise<void>> = {
  'the page is not a secure context, so that crypto.randomUUID is missing': async () => {
    expectEqual([Reflect.get(globalThis, 'isSecureContext'), typeof crypto.randomUUID], [false, 'undefined']);
  },

  'creates, updates and reads, with a generated idempotency key for each change': async () => {
    const { id } = await client.offices.create.mutate({ name: 'Atlântico 東京' });
    await client.offices.update.mutate({ id, phone: '+351 210 000 042' });
    const { name, phone, version } = await client.offices.get.query({ id });
    expectEqual([name, phone, version], ['Atlântico 東京', '+351210000042', 2]);
  },

  'iterates over all pages': async () => {
    const names = Array.from({ length: 7 }, (_, index) => `Page ${index}`);
    await Promise.all(names.map((name) => client.offices.create.mutate({ name, franchise: 'Pages' })));
    const seen: string[] = [];
    for await (const { name } of client.offices.all({ q: 'page', sort: 'name', limit: 2 })) seen.push(name);
    expectEqual(seen, names);
  },

  'throws the problem of the service, or `network` if it cannot be reached': async () => {
    const { code, status, requestId } = await errorOf(client.offices.create.mutate({ name: '' }));
    expectEqual([code, status, typeof requestId], ['validation_failed', 422, 'string']);
    const unreachable = createRosterClient({ url: 'http://127.0.0.1:1', attempts: 1 });
    expectEqual((await errorOf(unreachable.offices.list.query({}))).code, 'network');
  },

  'aborts a call when its signal fires': async () => {
    const signal = AbortSignal.abort();
    expectEqual((await errorOf(client.offices.list.query({}, { signal }))).code, 'aborted');
  },

  'follows events over broken connections, each exactly once': async () => {
    const events = createRosterClient({ url: parameters.get('events') ?? '', key: 'rst_page' }).events;
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

const results: { title: string; error?: string }[] = [];
for (const [title, check] of Object.entries(checks)) {
  try {
    await check();
    results.push({ title });
  } catch (error) {
    results.push({ title, error: String(error) });
  }
}
await fetch('/results', { method: 'POST', body: JSON.stringify(results) });
