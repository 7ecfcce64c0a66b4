import type { TestServer } from '@roster/server/testing';
import type { TestPerson } from '@roster/server/testing/people';

/** A record as the service returns it. */
export interface StoredRecord {
  id: string;
  version: number;
  status: string;
  [field: string]: unknown;
}

export type Resource = 'offices' | 'agents' | 'teams';

async function responseOf(response: Response): Promise<StoredRecord> {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as StoredRecord;
}

/** Creates a record, by the key of the server. */
export async function createRecord(
  server: TestServer,
  resource: Resource,
  fields: object,
): Promise<StoredRecord> {
  return responseOf(await server.request('POST', `/${resource}`, fields));
}

/** Creates an agent whose last name no other test has. */
export function createAgent(
  server: TestServer,
  lastName: string,
  fields: object = {},
): Promise<StoredRecord> {
  return createRecord(server, 'agents', { firstName: 'Ana', lastName, ...fields });
}

/** A record as it is now. */
export async function readRecord(server: TestServer, resource: Resource, id: string): Promise<StoredRecord> {
  return responseOf(await server.request('GET', `/${resource}/${id}`));
}

/** Changes a record, by someone else than who has the page open. */
export async function changeRecord(
  server: TestServer,
  path: string,
  { fields, by }: { fields: object; by?: TestPerson },
): Promise<StoredRecord> {
  const response = await server.request('PATCH', path, fields, {
    'Content-Type': 'application/merge-patch+json',
    ...by?.headers,
  });
  return responseOf(response);
}
