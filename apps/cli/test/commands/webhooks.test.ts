import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

/** A receiver that counts its requests. */
let receiver: Server;
let received = 0;
let url: string;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume().once('end', () => {
      received += 1;
      response.writeHead(202).end('taken');
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(() => receiver.close());

const { at, client } = useTestService();

async function printed(...argv: string[]): Promise<Record<string, string>> {
  const { exit, stdout, stderr } = await at('pipe', ['webhooks', ...argv, '--json']);
  expect({ exit, stderr }, argv.join(' ')).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(stdout);
}

const quiet = ['--type', 'office.purged'];

describe('webhooks create and rotate', () => {
  it('print the secret, and say on a terminal that it is shown only once', async () => {
    const argv = ['webhooks', 'create', '--target-url', url, ...quiet, '--description', 'Website'];
    const { exit, stdout, stderr } = await at('terminal', argv);
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringMatching(
        /^Created http:\S+ \(\S{36}\)\nThe secret is shown only once: store it now, it can't be shown again.\n$/,
      ),
    });
    expect(stdout).toMatch(/^secret +whsec_[A-Za-z0-9+/]{43}=\n/);
    const { id = '', secret } = await printed('create', '--target-url', url, ...quiet);
    const rotated = await printed('rotate', id, '--overlap-seconds', '0');
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
  });

  it('report an invalid URL', async () => {
    const { exit, stderr } = await at('pipe', ['webhooks', 'create', '--target-url', 'ftp://x']);
    expect(exit).toBe(2);
    expect(stderr).toContain('--target-url must be an https URL');
  });
});

describe('webhooks list, get, update and delete', () => {
  it('read and change a webhook', async () => {
    const { id = '' } = await printed('create', '--target-url', url, ...quiet);
    const changed = await printed('update', id, '--status', 'disabled', '--type', '', '--description', 'Off');
    expect(changed).toMatchObject({ status: 'disabled', types: null, description: 'Off' });
    expect(await printed('get', id)).toEqual(changed);
    const { stdout } = await at('pipe', ['webhooks', 'list', '--limit', '1']);
    const [header, row] = stdout.split('\n').map((line) => line.split('\t'));
    expect(header).toEqual(['id', 'url', 'status', 'types', 'failingSince', 'readTo']);
    expect(row?.slice(0, 5)).toEqual([id, url, 'disabled', '', '']);
    const gone = await at('pipe', ['webhooks', 'delete', id, '--yes']);
    expect(gone).toEqual({ exit: 0, stdout: '', stderr: `Deleted webhook ${id}.\n` });
    expect((await at('pipe', ['webhooks', 'get', id])).stderr).toContain(
      '\nFind the ID with: roster webhooks list\n',
    );
  });
});

describe('webhooks test, deliveries and replay', () => {
  it('print the result of a test', async () => {
    const { id = '' } = await printed('create', '--target-url', url, ...quiet);
    const before = received;
    expect(await printed('test', id)).toMatchObject({ status: 202, error: null, body: 'taken' });
    expect(received).toBe(before + 1);
  });

  it('list deliveries page by page, and deliver again', async () => {
    const { id = '' } = await printed('create', '--target-url', url, '--type', 'office.created');
    const offices = await Promise.all(
      ['Lisboa', 'Porto'].map((name) => client().offices.create.mutate({ name })),
    );
    const statuses = async () => {
      const { items } = await client().webhooks.deliveries.query({ id });
      return items.map(({ status }) => status);
    };
    await expect.poll(statuses).toEqual(['delivered', 'delivered']);
    const { stdout, stderr } = await at('pipe', ['webhooks', 'deliveries', id, '--limit', '1', '--all']);
    expect(stderr).toBe('');
    const [header, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(header).toEqual(['messageId', 'type', 'status', 'subject', 'finishedAt', 'nextAttemptAt']);
    expect(rows.map(([, , status]) => status)).toEqual(['delivered', 'delivered']);
    expect(rows.map(([, , , subject]) => subject).sort()).toEqual(offices.map((office) => office.id).sort());
    const page = await at('pipe', ['webhooks', 'deliveries', id, '--limit', '1']);
    expect(page.stderr).toBe('Showing 1 delivery; there are more (--all, --limit).\n');
    const failed = await at('pipe', ['webhooks', 'deliveries', id, '--status', 'failed']);
    expect(failed.stderr).toBe('No deliveries match.\n');
    await printed('replay', id, '--after', '0');
    await expect.poll(statuses).toEqual(Array(4).fill('delivered'));
  });

  it('give a hint for an expired cursor', async () => {
    const { id = '' } = await printed('create', '--target-url', url, ...quiet);
    const { exit, stderr } = await at('pipe', ['webhooks', 'replay', id, '--after', '999999']);
    expect(exit).toBe(1);
    expect(stderr).toContain('\nUse --after 0 to start at the beginning of the log');
  });
});
