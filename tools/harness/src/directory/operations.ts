import type { Client } from 'pg';
import type { Targets } from './data.ts';

/** What is asked of a contestant, in words of the directory; a dialect makes a request of it. */
export type Operation =
  | { kind: 'get'; id: string }
  | { kind: 'list'; region: string }
  | { kind: 'search'; q: string }
  | { kind: 'create'; agent: NewAgent }
  | { kind: 'patch'; id: string; version: number; title: string }
  | { kind: 'batch'; ids: string[] };

export interface NewAgent {
  firstName: string;
  lastName: string;
  title: string;
  email: string;
  phone: string;
  officeId: string;
  address: { line1: string; city: string; region: string; country: string };
}

/** Records of a page, and of a search. */
export const PAGE = 50;
const BATCH = 10;

/** A row of the table: one operation by one protocol. */
export interface Work {
  name: string;
  title: string;
  kind: Operation['kind'];
  protocol: 'rest' | 'rpc';
  /** Operations in one request. */
  perRequest: number;
}

export const works: Work[] = [
  { name: 'get', title: 'Get one', kind: 'get', protocol: 'rest', perRequest: 1 },
  { name: 'list', title: 'List of 50, filtered and sorted', kind: 'list', protocol: 'rest', perRequest: 1 },
  { name: 'search', title: 'Search', kind: 'search', protocol: 'rest', perRequest: 1 },
  { name: 'create', title: 'Create with its event', kind: 'create', protocol: 'rest', perRequest: 1 },
  {
    name: 'patch',
    title: 'Patch with If-Match, and its event',
    kind: 'patch',
    protocol: 'rest',
    perRequest: 1,
  },
  { name: 'rpc-get', title: 'RPC: get one', kind: 'get', protocol: 'rpc', perRequest: 1 },
  { name: 'rpc-list', title: 'RPC: list of 50', kind: 'list', protocol: 'rpc', perRequest: 1 },
  { name: 'rpc-create', title: 'RPC: create with its event', kind: 'create', protocol: 'rpc', perRequest: 1 },
  {
    name: 'rpc-batch',
    title: 'RPC: batch of 10 gets, per get',
    kind: 'batch',
    protocol: 'rpc',
    perRequest: BATCH,
  },
];

/** The work of the reference that a work is compared with: its protocol is REST, and a batch is compared get by get. */
export function comparedWith(work: string): string {
  return work === 'rpc-batch' ? 'get' : work.replace('rpc-', '');
}

export const isWrite = ({ kind }: Work): boolean => kind === 'create' || kind === 'patch';

let created = 0;

function newAgent(officeIds: string[]): NewAgent {
  created += 1;
  return {
    firstName: 'Ana',
    lastName: 'Figueiredo',
    title: 'Senior consultant',
    email: `ana.figueiredo.${created}@bench.example`,
    phone: '+15125550100',
    officeId: officeIds[created % officeIds.length] as string,
    address: { line1: '7 Congress Avenue', city: 'Austin', region: 'TX', country: 'US' },
  };
}

/** A stream of operations for each connection, none of which meets a record that another one changes. */
export async function streamsOf(
  work: Pick<Work, 'kind'>,
  { targets, connections, client }: { targets: Targets; connections: number; client: Client },
): Promise<(() => Operation)[]> {
  const versions = work.kind === 'patch' ? await versionsOf(client, targets.ids) : new Map<string, number>();
  return Array.from({ length: connections }, (_, index) => {
    const ids = targets.ids.filter((_, at) => at % connections === index);
    return streamOf(work.kind, { ...targets, ids }, versions);
  });
}

function streamOf(kind: Operation['kind'], targets: Targets, versions: Map<string, number>): () => Operation {
  const { ids, regions, searches, officeIds } = targets;
  let position = Math.floor(ids.length * 0.37);
  const next = (list: string[]) => list[position++ % list.length] as string;
  switch (kind) {
    case 'get':
      return () => ({ kind, id: next(ids) });
    case 'list':
      return () => ({ kind, region: next(regions) });
    case 'search':
      return () => ({ kind, q: next(searches) });
    case 'create':
      return () => ({ kind, agent: newAgent(officeIds) });
    case 'batch':
      return () => ({ kind, ids: Array.from({ length: BATCH }, () => next(ids)) });
    case 'patch':
      return () => {
        const id = next(ids);
        const version = versions.get(id) ?? 1;
        versions.set(id, version + 1);
        return { kind, id, version, title: `Consultant ${version}` };
      };
  }
}

async function versionsOf(client: Client, ids: string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; version: number }>(
    'select id, version from agent where id = any($1)',
    [ids],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}
