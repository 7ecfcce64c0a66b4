import { expect } from 'vitest';
import type { TestServer } from '../index.ts';

/** An entity as the RESO Web API shows it. */
export type Entity = Record<string, unknown>;

export interface EntityPage {
  '@odata.context': string;
  '@odata.count'?: number;
  '@odata.nextLink'?: string;
  value: Entity[];
}

interface ResoError {
  code: string;
  message: string;
  details: { code: string; target: string; message: string }[];
}

type Headers = Record<string, string>;

/** Requests to the RESO Web API of a server; a path is under its root, or a link that it gave. */
export function resoOf(server: TestServer) {
  const send = (method: string, path: string, body?: unknown, headers?: Headers) =>
    server.request(
      method,
      path.startsWith('http') ? path.slice(server.url.length) : `/reso${path}`,
      body,
      headers,
    );
  const get = async <Body = EntityPage>(path: string, headers?: Headers): Promise<Body> => {
    const response = await send('GET', path, undefined, headers);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return JSON.parse(text) as Body;
  };
  return {
    send,
    get,
    /** The entities of all pages. */
    walk: async (path: string, headers?: Headers): Promise<Entity[]> => {
      const found: Entity[] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const page: EntityPage = await get(next, headers);
        found.push(...page.value);
        next = page['@odata.nextLink'];
      }
      return found;
    },
    /** The error of a request, with its status. */
    error: async (
      method: string,
      path: string,
      { body, headers }: { body?: unknown; headers?: Headers } = {},
    ) => {
      const response = await send(method, path, body, headers);
      const { error } = (await response.json()) as { error: ResoError };
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.headers.get('odata-version')).toMatch(/^4\.01?$/);
      return { status: response.status, ...error };
    },
  };
}

/** The query of a filter. */
export const filter = (text: string) => `$filter=${encodeURIComponent(text)}`;
