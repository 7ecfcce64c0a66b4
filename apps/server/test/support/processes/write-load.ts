import { setTimeout } from 'node:timers/promises';
import type { CollectionName } from '../fixtures.ts';

type Send = (method: string, path: string, body?: unknown) => Promise<Response>;

interface WritersOptions {
  /** The servers that requests go to; one that fails to respond is not used again, since the outcome is unknown. */
  servers: () => Send[];
  /** 0 inclusive to 1 exclusive. */
  random: () => number;
  /** How many changes are to be tried. */
  changes: number;
  writers: number;
}

/**
 * Changes records by every operation there is, from many clients at once, on any of the servers. Client errors are
 * expected; a 5xx only from a server that has been stopped.
 */
export async function writeEverything({ servers, random, changes, writers }: WritersOptions): Promise<void> {
  const ids: Record<CollectionName, string[]> = { offices: [], agents: [], teams: [] };
  let left = changes;
  const pick = <Item>(items: Item[]): Item | undefined => items[Math.floor(random() * items.length)];

  async function send(method: string, path: string, body?: unknown): Promise<{ id?: string }> {
    const server = pick(servers());
    const response = await server?.(method, path, body).catch(() => undefined);
    if (response === undefined) {
      await setTimeout(20);
      return {};
    }
    const text = await response.text().catch(() => '');
    if (response.status >= 500 && response.status !== 503) throw new Error(`${method} ${path}: ${text}`);
    return response.ok && text !== '' ? JSON.parse(text) : {};
  }

  /** Offices are three in ten, and teams one. */
  function pickCollection(): CollectionName {
    const place = random();
    if (place < 0.3) return 'offices';
    return place < 0.4 ? 'teams' : 'agents';
  }

  async function create(): Promise<void> {
    const collection = pickCollection();
    const name = String(Math.floor(random() * 1_000_000));
    const [officeId, agentId] = [pick(ids.offices), pick(ids.agents)];
    const within = officeId && { officeId };
    const bodies: Record<CollectionName, object> = {
      offices: { name: `Office ${name}` },
      agents: { firstName: 'Ana', lastName: name, metadata: { name }, ...within },
      teams: { name: `Team ${name}`, ...within, members: agentId === undefined ? [] : [{ agentId }] },
    };
    const { id } = await send('POST', `/${collection}`, bodies[collection]);
    if (id !== undefined) ids[collection].push(id);
  }

  async function change(): Promise<void> {
    const collection = pickCollection();
    const id = pick(ids[collection]);
    if (id === undefined) return create();
    const path = `/${collection}/${id}`;
    const transition = (name: string, body?: object) => send('PUT', `${path}/${name}`, body);
    const acts = [
      () =>
        send('PATCH', path, { phoneExt: String(Math.floor(random() * 1_000)), address: { city: 'Lisboa' } }),
      () => send('PATCH', path, { metadata: { seen: String(random()) } }),
      () =>
        transition('deactivate', {
          reason: 'x',
          ...(collection === 'offices' && { cascade: random() < 0.5 }),
        }),
      () => transition('reactivate'),
      () => send('DELETE', path),
      () => transition('restore'),
      () => send('POST', `${path}/merge`, { duplicateId: pick(ids[collection]) }),
      () => transition('unmerge'),
    ];
    await pick(acts)?.();
  }

  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (left > 0) {
        left -= 1;
        await (random() < 0.3 ? create() : change());
      }
    }),
  );
}
