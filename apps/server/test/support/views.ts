import type { View } from '@roster/api';
import { expect } from 'vitest';
import { personWith } from './auth/people.ts';
import { bodyOf } from './fixtures.ts';
import { useServer } from './use-server.ts';

type Headers = Record<string, string>;

/** A server for the tests of a file, and what saves, changes and lists views at it. */
export function useViews() {
  const server = useServer();
  return {
    server,
    viewer: () => personWith(server(), [{ role: 'viewer' }]),
    /** Saves a view of active agents, unless `view` says otherwise. */
    async save(headers: Headers, view: object = {}): Promise<View> {
      const body = { name: 'Active', resource: 'agents', query: { status: 'active' }, ...view };
      const response = await server().request('POST', '/views', body, headers);
      expect(response.status).toBe(201);
      return bodyOf<View>(response);
    },
    /** The status of the response to a request for a view. */
    async statusOf(method: string, id: string, headers: Headers, body?: object): Promise<number> {
      return (await server().request(method, `/views/${id}`, body, headers)).status;
    },
    /** The ids of the views that a caller sees. */
    async idsFor(headers: Headers, query = ''): Promise<string[]> {
      const { items } = await bodyOf<{ items: View[] }>(
        await server().request('GET', `/views?limit=200${query}`, undefined, headers),
      );
      return items.map(({ id }) => id);
    },
  };
}
