import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withDigests } from './digests.ts';

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const known: Record<string, string> = {
  '/v2/library/node/manifests/24.21.0-slim': digest('a'),
  '/v2/library/postgres/manifests/18.4': digest('b'),
};

/** What stands for the registry: it gives a token, and takes it. */
const server = createServer(({ url = '', headers }, response) => {
  if (url.startsWith('/token')) return void response.end(JSON.stringify({ token: 'let-me-in' }));
  const found = headers.authorization === 'Bearer let-me-in' ? known[url] : undefined;
  if (found !== undefined) response.setHeader('Docker-Content-Digest', found);
  response.writeHead(found === undefined ? 404 : 200).end();
});
let hub: { registry: string; tokens: string };
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  hub = { registry: url, tokens: url };
});
afterAll(() => server.close());

it('writes the digest beside the version of each image, in the place of an earlier one', async () => {
  const dockerfile = await readFile(join(import.meta.dirname, '../../../Dockerfile'), 'utf8');
  const pinned = await withDigests(dockerfile, hub);
  const froms = DockerfileParser.parse(pinned).getFROMs();
  expect(froms.map((from) => from.getImageDigest())).toEqual([digest('a'), digest('a')]);
  expect(validate(pinned)).toEqual([]);
  expect(await withDigests(pinned.replaceAll(digest('a'), digest('f')), hub)).toBe(pinned);
  const compose = '  database:\n    image: postgres:18.4\n  server:\n    image: roster:0.1.0\n';
  expect(await withDigests(compose, hub)).toBe(compose.replace('18.4', `18.4@${digest('b')}`));
});

it('fails at an image that the registry does not have, and names it', async () => {
  await expect(withDigests('    image: haproxy:3.2.4-alpine\n', hub)).rejects.toThrow(
    /haproxy:3\.2\.4-alpine: 404/,
  );
});
