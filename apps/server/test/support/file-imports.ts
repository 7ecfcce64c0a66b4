import { setTimeout } from 'node:timers/promises';
import type { Import, ImportError, ImportRow } from '@roster/api';
import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { TestServer } from './index.ts';

type Requests = Pick<TestServer, 'request'>;

/** Uploads offices, or what the path says, and returns the response. */
export function upload(
  server: Requests,
  body: string | Uint8Array,
  { path = '/imports/offices/file', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  return server.request('POST', path, body, { 'Content-Type': 'text/csv', ...headers });
}

/** Waits until the job of an import, or another one, has ended, and returns it. */
export async function ended<Job extends { finishedAt: string | null } = Import>(
  server: Requests,
  path: string,
): Promise<Job> {
  for (;;) {
    const job = (await (await server.request('GET', path)).json()) as Job;
    if (job.finishedAt !== null) return job;
    await setTimeout(20);
  }
}

/** Uploads a file, and waits until it is checked, or written. */
export async function imported(
  server: Requests,
  body: string | Uint8Array,
  options?: Parameters<typeof upload>[2],
): Promise<Import> {
  const response = await upload(server, body, options);
  if (response.status !== 202) throw new Error(await response.text());
  const { id } = (await response.json()) as Import;
  return ended(server, `/imports/${id}`);
}

/** Writes an import that was checked, and waits for its end. */
export async function written(server: Requests, id: string, input: object = {}): Promise<Import> {
  const response = await server.request('PUT', `/imports/${id}/write`, input);
  if (response.status !== 200) throw new Error(await response.text());
  return ended(server, `/imports/${id}`);
}

const itemsOf = async <Item>(server: Requests, path: string) =>
  ((await (await server.request('GET', path)).json()) as { items: Item[] }).items;

export const rowsOf = (server: Requests, id: string) => itemsOf<ImportRow>(server, `/imports/${id}/rows`);
export const errorsOf = (server: Requests, id: string) =>
  itemsOf<ImportError>(server, `/imports/${id}/errors`);

/** The files that are being received, or whose rows are to be read, with the number of pieces that are stored. */
export async function uploadsOf(db: Kysely<Database>): Promise<{ pieces: number; isKept: boolean }[]> {
  const { rows } = await sql<{ pieces: number; isKept: boolean }>`
    select (select count(*)::int from upload_chunk where upload_id = id) as pieces, import_id is not null as "isKept"
    from upload`.execute(db);
  return rows;
}
