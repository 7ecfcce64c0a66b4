import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const { at, client, name } = service;

const shown = (name: string) => `<${name}>`.padEnd(36, '-');

/** An office of version 2. */
async function aChangedOffice(called: string): Promise<string> {
  const { id } = await client().offices.create.mutate({ name: 'First' });
  await client().offices.update.mutate({ id, name: 'Second' });
  name(called, { id });
  return id;
}

describe('--if-version', () => {
  it.each([
    ['update', ['--name', 'Third']],
    ['deactivate', []],
    ['delete', ['--yes']],
  ])(
    'lets %s pass with the current version, and rejects another one with a hint',
    async (operation, options) => {
      await aChangedOffice('office');
      const argv = ['offices', operation, '<office>', ...options];
      expect(await at('pipe', [...argv, '--if-version', '1'])).toEqual({
        exit: 1,
        stdout: '',
        stderr:
          `roster: offices ${operation}: The record has version 2, not 1\n` +
          'Read the current version with: roster offices get <id>, then retry with --if-version and that version.\n' +
          'Request ID: <id>\n',
      });
      expect((await at('pipe', [...argv, '--if-version', '2'])).exit).toBe(0);
    },
  );

  it('works for reactivate and restore', async () => {
    const { id } = await client().agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' });
    await client().agents.deactivate.mutate({ id });
    expect((await at('pipe', ['agents', 'reactivate', id, '--if-version', '1'])).exit).toBe(1);
    expect((await at('pipe', ['agents', 'reactivate', id, '--if-version', '2'])).exit).toBe(0);
    await client().agents.delete.mutate({ id });
    expect((await at('pipe', ['agents', 'restore', id, '--if-version', '2'])).exit).toBe(1);
    expect((await at('pipe', ['agents', 'restore', id, '--if-version', '3'])).exit).toBe(0);
  });

  it('prints the current version with --json', async () => {
    await aChangedOffice('stale');
    const { exit, stderr } = await at('pipe', [
      'offices',
      'delete',
      '<stale>',
      '--yes',
      '--if-version',
      '1',
      '--json',
    ]);
    expect(exit).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'version_conflict', status: 412, currentVersion: 2 });
  });

  it('is validated by the service', async () => {
    await aChangedOffice('office');
    const { exit, stderr } = await at('pipe', ['offices', 'deactivate', '<office>', '--if-version', 'two']);
    expect(exit).toBe(2);
    expect(stderr).toContain('--if-version must be a whole number');
  });

  it('is not a change by itself', async () => {
    await aChangedOffice('office');
    const { exit, stderr } = await at('pipe', ['offices', 'update', '<office>', '--if-version', '2']);
    expect(exit).toBe(2);
    expect(stderr).toContain('there is nothing to change');
  });
});

/** A server that records its requests, fails the first call and serves the second. */
async function flakyService() {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    if (keys.length === 1) return void request.socket.destroy();
    response.setHeader('Content-Type', 'application/json').end('{"result":{"data":{"id":"1"}}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('--idempotency-key', () => {
  it.each([
    ['offices', ['--name', 'Once']],
    ['agents', ['--first-name', 'Ana', '--last-name', 'Once']],
  ])('applies %s create once, however often it is run', async (resource, fields) => {
    const argv = [
      resource,
      'create',
      ...fields,
      '--idempotency-key',
      `${resource} 1`,
      '--json',
      'id,version',
    ];
    const first = await at('pipe', argv);
    expect(first).toMatchObject({ exit: 0, stderr: '' });
    expect(await at('pipe', argv)).toEqual(first);
    const { stdout } = await at('pipe', [...argv.slice(0, -4), '--idempotency-key', 'another', '--json']);
    expect(JSON.parse(stdout).id).not.toBe(JSON.parse(first.stdout).id);
  });

  it('applies update once', async () => {
    const { id } = await client().offices.create.mutate({ name: 'First' });
    const argv = ['offices', 'update', id, '--name', 'Second', '--idempotency-key', 'u', '--json'];
    const first = await at('pipe', argv);
    expect(JSON.parse(first.stdout)).toMatchObject({ name: 'Second', version: 2 });
    await client().offices.update.mutate({ id, name: 'Third' });
    expect(await at('pipe', argv)).toEqual(first);
    expect(await client().offices.get.query({ id })).toMatchObject({ name: 'Third' });
  });

  it('belongs to one change: another one with the same key fails, with a hint', async () => {
    const argv = ['offices', 'create', '--idempotency-key', 'taken', '--name'];
    await at('pipe', [...argv, 'One']);
    expect(await at('pipe', [...argv, 'Two'])).toEqual({
      exit: 1,
      stdout: '',
      stderr:
        'roster: offices create: The first request with this Idempotency-Key had a different body. ' +
        'Its response is kept for 24 hours\n' +
        'Use a different --idempotency-key for a different change.\nRequest ID: <id>\n',
    });
  });

  it.each([
    [['offices', 'create', '--name', 'x', '--no-check']],
    [['agents', 'update', shown('x'), '--bio', 'x']],
    [['keys', 'update', shown('x'), '--name', 'x']],
  ])('is generated for each run of %j, and reused by retries of the client', async (argv) => {
    const seen: unknown[] = [];
    for (const _ of [1, 2]) {
      await using service = await flakyService();
      expect((await runCli(argv, { url: service.url, key: 'k' })).exit).toBe(0);
      const [first, second] = service.keys;
      expect(first).toMatch(/^[0-9a-f-]{36}$/);
      expect(second).toBe(first);
      seen.push(first);
    }
    expect(new Set(seen).size).toBe(2);
  });

  it('is not sent by commands that return a secret, which are not retried', async () => {
    await using service = await flakyService();
    const argv = ['keys', 'create', '--name', 'x', '--scope', 'offices:read'];
    expect((await runCli(argv, { url: service.url, key: 'k' })).exit).toBe(1);
    expect(service.keys).toEqual([undefined]);
  });

  it('that cannot be sent in a header is a usage error, and one that the service rejects an error of the service', async () => {
    const argv = ['offices', 'create', '--name', 'x', '--idempotency-key'];
    expect(await at('pipe', [...argv, '東京'])).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'roster: offices create: --idempotency-key takes visible ASCII characters\n',
    });
    const { exit, stderr } = await at('pipe', [...argv, 'x'.repeat(256)]);
    expect(exit).toBe(2);
    expect(stderr).toContain('--idempotency-key must be 1 to 255 visible ASCII characters');
  });
});
