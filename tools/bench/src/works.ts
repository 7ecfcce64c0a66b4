import type { Client } from 'pg';
import type { Targets } from '../../harness/src/directory/data.ts';

/** A request to a contestant. */
export interface Request {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

export type Json = Record<string, unknown>;

type Kind = 'get' | 'list' | 'search' | 'create' | 'patch' | 'batch';

/** One operation by one protocol: a row of the report. */
export interface Work {
  name: string;
  title: string;
  kind: Kind;
  /** Whether it is asked for by RPC, which few contestants have. */
  isRpc: boolean;
  /** Operations in one request. */
  perRequest: number;
}

const PAGE = 50;
const BATCH = 10;

export const works: Work[] = [
  { name: 'get', title: 'Get one', kind: 'get' },
  { name: 'list', title: 'List of 50, filtered and sorted', kind: 'list' },
  { name: 'search', title: 'Search', kind: 'search' },
  { name: 'create', title: 'Create with its event', kind: 'create' },
  { name: 'patch', title: 'Patch with If-Match, and its event', kind: 'patch' },
  { name: 'rpc-get', title: 'RPC: get one', kind: 'get' },
  { name: 'rpc-list', title: 'RPC: list of 50', kind: 'list' },
  { name: 'rpc-create', title: 'RPC: create with its event', kind: 'create' },
  { name: 'rpc-batch', title: 'RPC: batch of 10 gets, per get', kind: 'batch' },
].map((work) => ({
  ...work,
  kind: work.kind as Kind,
  isRpc: work.name.startsWith('rpc-'),
  perRequest: work.kind === 'batch' ? BATCH : 1,
}));

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
const query = (procedure: string, input: object) => `/trpc/agents.${procedure}?input=${encoded(input)}`;

function batchPath(ids: string[]): string {
  const inputs = Object.fromEntries(ids.map((id, index) => [index, { id }]));
  return `/trpc/${ids.map(() => 'agents.get').join(',')}?batch=1&input=${encoded(inputs)}`;
}

/** A stream of requests for each connection, none of which meets a record that another one changes. */
export async function streamsOf(
  work: Work,
  { targets, connections, client }: { targets: Targets; connections: number; client: Client },
): Promise<(() => Request)[]> {
  const versions = work.kind === 'patch' ? await versionsOf(client, targets.ids) : new Map<string, number>();
  return Array.from({ length: connections }, (_, index) => {
    const ids = targets.ids.filter((_, at) => at % connections === index);
    return streamOf(work, { ...targets, ids }, versions);
  });
}

function streamOf({ kind, isRpc }: Work, targets: Targets, versions: Map<string, number>): () => Request {
  const { ids, regions, searches, officeIds } = targets;
  let position = Math.floor(ids.length * 0.37);
  const next = (list: string[]) => list[position++ % list.length] as string;
  const get = (path: string): Request => ({ method: 'GET', path });
  const list = (region: string) =>
    isRpc
      ? query('list', { limit: PAGE, status: 'active', sort: 'lastName', region })
      : `/agents?limit=${PAGE}&status=active&region=${region}&sort=lastName`;
  const patch = (id: string): Request => {
    const version = versions.get(id) ?? 1;
    versions.set(id, version + 1);
    const headers = { 'If-Match': `"${version}"` };
    return { method: 'PATCH', path: `/agents/${id}`, headers, body: { title: `Consultant ${version}` } };
  };
  const requests: Record<Kind, () => Request> = {
    get: () => get(isRpc ? query('get', { id: next(ids) }) : `/agents/${next(ids)}`),
    list: () => get(list(next(regions))),
    search: () => get(`/agents?q=${encodeURIComponent(next(searches))}&limit=${PAGE}`),
    create: () => ({
      method: 'POST',
      path: isRpc ? '/trpc/agents.create' : '/agents',
      body: newAgent(officeIds),
    }),
    patch: () => patch(next(ids)),
    batch: () => get(batchPath(Array.from({ length: BATCH }, () => next(ids)))),
  };
  return requests[kind];
}

async function versionsOf(client: Client, ids: string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; version: number }>(
    'select id, version from agent where id = any($1)',
    [ids],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** The records of an answer, as the API of Roster shows them. */
export function recordsIn({ kind, isRpc }: Work, answer: unknown): Json[] {
  const dataOf = (one: unknown) => (isRpc ? (one as { result: { data: Json } }).result.data : (one as Json));
  if (kind === 'batch') return (answer as unknown[]).map(dataOf);
  const data = dataOf(answer);
  return 'items' in data ? (data.items as Json[]) : [data];
}
