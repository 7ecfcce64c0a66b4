import process from 'node:process';
import type { Client } from 'pg';
import { drawTargets } from '../../../harness/src/directory/data.ts';
import { changedAgents } from './history.ts';

/** A request of a probe. */
export interface Probe {
  method: string;
  path: string;
  body?: unknown;
}

/** What is asked at every size, by name: the n-th request of each. */
export type Probes = Record<(typeof probeNames)[number], (index: number) => Probe>;

/** The searches: of two words, of the beginning of one as it is typed, and of two words with a typo. */
export const searchNames = ['search', 'search as typed', 'search with a typo'] as const;

export const probeNames = [
  'get',
  'first page',
  'deepest page',
  'page in the middle',
  ...searchNames,
  'history',
  'blame',
  'stats',
  'create',
] as const;

const PAGE = 50;

/** Asks ours for JSON. */
export type Ask = (probe: Probe) => Promise<unknown>;

/**
 * The cursor of the last full page, newest first: that of the first page with another place in it, because walking
 * there would take every page in between. Throws where the cursor is not what it was.
 */
async function deepestCursor(client: Client, ask: Ask): Promise<string> {
  const { nextCursor } = (await ask({ method: 'GET', path: `/agents?limit=${PAGE}` })) as {
    nextCursor: string;
  };
  const [, , binding] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as unknown[];
  const { rows } = await client.query<{ created_at: Date; id: string }>(
    'select created_at, id from agent order by created_at, id offset $1 limit 1',
    [PAGE],
  );
  const [last] = rows;
  if (last === undefined || typeof binding !== 'string')
    throw new Error(`no cursor can be made of ${nextCursor}`);
  const place = JSON.stringify([last.created_at.toISOString(), last.id, binding]);
  const cursor = Buffer.from(place).toString('base64url');
  const page = (await ask({ method: 'GET', path: deepPath(cursor) })) as {
    items: unknown[];
    nextCursor?: string;
  };
  if (page.items.length === PAGE && page.nextCursor === undefined) return cursor;
  throw new Error(`the cursor of the deepest page leads elsewhere: ${page.items.length} agents`);
}

const searchPath = (q: string) => `/agents?q=${encodeURIComponent(q)}`;

/** The searches whose first word is long enough for a typo, without the letter in the middle of that word. */
function withTypo(searches: string[]): string[] {
  return searches.flatMap((search) => {
    const length = search.indexOf(' ');
    const middle = length >> 1;
    return length < 6 ? [] : [`${search.slice(0, middle)}${search.slice(middle + 1)}`];
  });
}

const deepPath = (cursor: string) => `/agents?limit=${PAGE}&cursor=${cursor}`;

/** The requests, for the data as they are. */
export async function probesFor(client: Client, ask: Ask): Promise<Probes> {
  const { ids, searches, officeIds } = await drawTargets(client, 2_000);
  const mistyped = withTypo(searches);
  const cursor = await deepestCursor(client, ask);
  const changed = await changedAgents(client);
  const pick = (list: string[], index: number) => list[index % list.length] as string;
  return {
    get: (index) => ({ method: 'GET', path: `/agents/${pick(ids, index)}` }),
    'first page': () => ({ method: 'GET', path: `/agents?limit=${PAGE}` }),
    'deepest page': () => ({ method: 'GET', path: deepPath(cursor) }),
    'page in the middle': (index) => ({
      method: 'GET',
      path: `/agents?limit=${PAGE}&sort=lastName&startAt=${encodeURIComponent(pick(searches, index))}`,
    }),
    search: (index) => ({ method: 'GET', path: searchPath(pick(searches, index)) }),
    'search as typed': (index) => ({
      method: 'GET',
      path: `${searchPath(pick(searches, index).slice(0, 4).trim())}&sort=relevance&highlight=true`,
    }),
    'search with a typo': (index) => ({ method: 'GET', path: searchPath(pick(mistyped, index)) }),
    history: (index) => ({
      method: 'GET',
      path: `/agents/${pick(changed, index)}/history?limit=${PAGE}`,
    }),
    blame: (index) => ({ method: 'GET', path: `/agents/${pick(changed, index)}/blame` }),
    stats: () => ({ method: 'GET', path: '/stats' }),
    create: (index) => ({
      method: 'POST',
      path: '/agents',
      body: {
        firstName: 'Ana',
        lastName: 'Figueiredo',
        email: `ana.figueiredo.${process.hrtime.bigint()}@bench.example`,
        officeId: pick(officeIds, index),
      },
    }),
  };
}
