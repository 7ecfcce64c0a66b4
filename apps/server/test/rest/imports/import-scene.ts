import type { Body } from '../../support/fixtures.ts';
import { useServer } from '../../support/use-server.ts';

export const ana = { firstName: 'Ana', lastName: 'Silva' };

/** A server for the tests of a file, and what sends it imports. */
export function useImports() {
  const server = useServer();
  return {
    server,
    post: (collection: 'offices' | 'agents', body: Body, headers?: Record<string, string>) =>
      server().request('POST', `/imports/${collection}`, body, headers),
  };
}
