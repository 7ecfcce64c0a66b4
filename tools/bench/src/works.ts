import type { Client } from 'pg';
import type { Asked } from '../../harness/src/caller.ts';
import type { Targets } from '../../harness/src/directory/data.ts';
import type { Streams } from './load.ts';

export type Json = Record<string, unknown>;

type Kind = 'get' | 'list' | 'search' | 'create' | 'patch' | 'batch';

const PAGE = 50;
const BATCH = 10;

const titles = {
  get: 'Get one',
  list: 'List of 50, filtered and sorted',
  search: 'Search',
  create: 'Create with its event',
  patch: 'Patch with If-Match, and its event',
  'rpc-get': 'RPC: get one',
  'rpc-list': 'RPC: list of 50',
  'rpc-create': 'RPC: create with its event',
  'rpc-batch': 'RPC: batch of 10 gets, per get',
};

export const works = Object.entries(titles).map(([name, title]) => ({
  name,
  title,
  kind: name.replace('rpc-', '') as Kind,
  /** Whether it is asked for by RPC, which few contestants have. */
  isRpc: name.startsWith('rpc-'),
  /** Operations in one request. */
  perRequest: name === 'rpc-batch' ? BATCH : 1,
}));

/** One operation by one protocol: a row of the report. */
export type Work = (typeof works)[number];

/** The work of the reference that a work is compared with: its protocol is REST, and a batch is compared get by get. */
export function comparedWith(work: string): string {
  return work === 'rpc-batch' ? 'get' : work.replace('rpc-', '');
}

export const isWrite = ({ kind }: Work): boolean => kind === 'create' || kind === 'patch';

let created = 0;

function newAgent(officeIds: string[]): object {
  created += 1;
  return {
    firstName: 'Ana',
    lastName: 'Figueiredo',
    title: 'Senior consultant',
    email: `ana.figueiredo.${created}@bench.example`,
    phone: '+15125550100',
    officeId: officeIds[created % officeIds.length],
    address: { line1: '7 Congress Avenue', city: 'Austin', region: 'TX', country: 'US' },
  };
}

const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value));

function batchPath(ids: string[]): string {
  const inputs = Object.fromEntries(ids.map((id, index) => [index, { id }]));
  return `/trpc/${ids.map(() => 'agents.get').join(',')}?batch=1&input=${encoded(inputs)}`;
}

/** A stream of requests for each connection, none of which meets a record that another one changes. */
export async function streamsOf(
  work: Work,
  { targets, connections, client }: { targets: Targets; connections: number; client: Client },
): Promise<Streams> {
  const versions = new Map<string, number>();
  if (work.kind === 'patch') {
    const { rows } = await client.query('select id, version from agent where id = any($1)', [targets.ids]);
    for (const { id, version } of rows) versions.set(id, version);
  }
  return Array.from({ length: connections }, (_, index) => {
    const ids = targets.ids.filter((_, at) => at % connections === index);
    return streamOf(work, { ...targets, ids }, versions);
  });
}

function streamOf({ kind, isRpc }: Work, targets: Targets, versions: Map<string, number>): () => Asked {
  const { ids, regions, searches, officeIds } = targets;
  let position = Math.floor(ids.length * 0.37);
  const next = (list: string[]) => list[position++ % list.length] as string;
  const get = (path: string): Asked => ({ method: 'GET', path });
  const query = (procedure: string, input: object) =>
    get(`/trpc/agents.${procedure}?input=${encoded(input)}`);
  const requests: Record<Kind, () => Asked> = {
    get: () => (isRpc ? query('get', { id: next(ids) }) : get(`/agents/${next(ids)}`)),
    list: () =>
      isRpc
        ? query('list', { limit: PAGE, status: 'active', sort: 'lastName', region: next(regions) })
        : get(`/agents?limit=${PAGE}&status=active&region=${next(regions)}&sort=lastName`),
    search: () => get(`/agents?q=${encodeURIComponent(next(searches))}&limit=${PAGE}`),
    create: () => ({
      method: 'POST',
      path: isRpc ? '/trpc/agents.create' : '/agents',
      body: newAgent(officeIds),
    }),
    patch: () => {
      const id = next(ids);
      const version = versions.get(id) ?? 1;
      versions.set(id, version + 1);
      const headers = { 'If-Match': `"${version}"` };
      return { method: 'PATCH', path: `/agents/${id}`, headers, body: { title: `Consultant ${version}` } };
    },
    batch: () => get(batchPath(Array.from({ length: BATCH }, () => next(ids)))),
  };
  return requests[kind];
}

/** The records of a response, as the API of Roster shows them. */
export function recordsIn({ kind, isRpc }: Work, response: unknown): Json[] {
  const dataOf = (one: unknown) => (isRpc ? (one as { result: { data: Json } }).result.data : (one as Json));
  if (kind === 'batch') return (response as unknown[]).map(dataOf);
  const data = dataOf(response);
  return 'items' in data ? (data.items as Json[]) : [data];
}
