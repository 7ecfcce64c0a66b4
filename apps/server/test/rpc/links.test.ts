import type { ServiceRouter } from '@roster/api/server';
import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { exchange } from '../support/http/raw.ts';
import { clientOf, type LinkName, links } from '../support/http/rpc-links.ts';
import { useServer } from '../support/use-server.ts';

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

const server = useServer();

async function rejection(call: Promise<unknown>): Promise<TRPCClientError<ServiceRouter>> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof TRPCClientError) return error;
  throw new Error('the call was not rejected by the server');
}

describe.each(Object.keys(links) as LinkName[])("tRPC's own client over %s", (name) => {
  it('gets the result or the error of each call', async () => {
    const client = clientOf(name, server());
    const { id } = await client.offices.create.mutate({ name: 'Porto' });
    const [office, missing] = await Promise.all([
      client.offices.get.query({ id }),
      rejection(client.offices.get.query({ id: UNKNOWN_ID })),
    ]);
    expect(office).toMatchObject({ id, name: 'Porto' });
    expect(missing.data?.problem).toMatchObject({ code: 'not_found', status: 404 });
  });

  it('gets the error of every call of a request without a valid key', async () => {
    const client = clientOf(name, { url: server().url, key: 'rst_nobody' });
    const calls = [client.offices.list.query({}), client.agents.list.query({})];
    for (const { data } of await Promise.all(calls.map(rejection))) {
      expect(data).toMatchObject({ httpStatus: 401, problem: { code: 'unauthenticated' } });
    }
  });
});

describe('a streamed batch', () => {
  const path = `/trpc/offices.list,agents.list?batch=1&input=${encodeURIComponent('{"0":{},"1":{}}')}`;
  const sent = (header: string) =>
    exchange(
      server().url,
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server().key}\r\n${header}: application/jsonl\r\n` +
        'Accept-Encoding: gzip\r\nConnection: close\r\n\r\n',
    );

  it.each(['trpc-accept', 'accept'])(
    'requested by %s has one framing of its body (RFC 9112, section 6.1)',
    async (header) => {
      const { status, headers } = await sent(header);
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toBe('application/jsonl');
      expect(headers.get('Transfer-Encoding')).toBe('chunked');
      expect(headers.has('Content-Length')).toBe(false);
      expect(headers.get('Content-Encoding')).toBeNull();
    },
  );
});
