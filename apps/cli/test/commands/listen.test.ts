import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@roster/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { logged, useTestService } from '../support/test-service.ts';

const { url, key, client } = useTestService();

interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

let received: Received[] = [];
let status = 204;
const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push({ path: request.url ?? '', headers: request.headers, body });
  response.writeHead(status).end();
});
const receiverUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
beforeEach(() => {
  received = [];
  status = 204;
});
afterAll(
  () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
);

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;

/** Listens until a text was written, and forwards to the receiver of this test unless told otherwise. */
async function listened(argv: string[], until: string, output: 'terminal' | 'pipe' = 'pipe') {
  const interruption = new AbortController();
  let written = '';
  const target = argv.includes('--forward-to') ? [] : ['--forward-to', `${receiverUrl()}/hook?a=1`];
  return runCli(['webhooks', 'listen', ...target, ...argv], {
    url: url(),
    key: key(),
    output,
    signal: interruption.signal,
    onWrite: (text) => {
      written += text;
      if (written.includes(until)) interruption.abort();
    },
  });
}

describe('webhooks listen', () => {
  it('sends the same bytes as a webhook of the service, with a signature that verifyWebhook accepts', async () => {
    const { webhooks, offices } = client();
    const made = await webhooks.create.mutate({ url: `${receiverUrl()}/real` });
    const { id } = await offices.create.mutate({ name: 'Porto', metadata: { unit: '7' } });
    await offices.update.mutate({
      id,
      bio: 'x'.repeat(4_000),
      website: `https://x.example/${'y'.repeat(1_900)}`,
    });
    await logged(client(), id, 2);
    await expect.poll(() => received.length).toBe(2);
    await webhooks.delete.mutate({ id: made.id });
    const real = received;
    received = [];
    const argv = ['--after', '0', '--subject', id, '--secret', SECRET];
    const { exit, stdout } = await listened(argv, 'office.updated');
    expect(exit).toBe(130);
    expect(received.map(({ body }) => body)).toEqual(real.map(({ body }) => body));
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(
      real.map(({ headers }) => headers['webhook-id']),
    );
    for (const { headers, body, path } of received) {
      expect(path).toBe('/hook?a=1');
      await expect(verifyWebhook({ headers, body, secret: SECRET })).resolves.toMatchObject({
        data: { subject: id },
      });
    }
    for (const { headers, body } of real)
      await expect(verifyWebhook({ headers, body, secret: made.secret })).resolves.toMatchObject({
        data: { subject: id },
      });
    expect(stdout).toMatch(
      /^position\ttype\tsubject\tmessageId\tstatus\tdurationMs\terror\n\d+\toffice.created\t/,
    );
    expect((await webhooks.list.query({})).items).toEqual([]);
  });

  it('generates and shows a secret, starts now, and prints the response of the receiver', async () => {
    status = 503;
    const run = listened(['--jsonl'], '"error"');
    await expect
      .poll(
        async () => {
          await client().offices.create.mutate({ name: 'Faro' });
          return received.length;
        },
        { interval: 200 },
      )
      .toBeGreaterThan(0);
    const { stdout, stderr } = await run;
    const [, secret = ''] = /signed with the secret (\S+)/.exec(stderr) ?? [];
    const [{ headers, body }] = received as [Received];
    await expect(verifyWebhook({ headers, body, secret })).resolves.toMatchObject({ type: 'office.created' });
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      status: 503,
      error: 'the receiver responded with 503',
    });
    expect(stderr).toContain('Continue with: --after ');
  });

  it('continues if the receiver cannot be reached, and prints a line with the error per event', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Braga' });
    await logged(client(), id, 1);
    const argv = ['--after', '0', '--subject', id, '--forward-to', 'http://127.0.0.1:9/'];
    const { stdout } = await listened(argv, '→', 'terminal');
    expect(stdout).toMatch(
      new RegExp(`^office.created ${id} evt_\\d+ → (ECONNREFUSED|bad port) \\(\\d+ ms\\)\n$`),
    );
  });

  it.each([
    [['--forward-to', 'localhost:8080'], '--forward-to must be an http or https URL'],
    [['--secret', 'x'], '--secret must be whsec_ and base64'],
    [['--type', 'office.made'], "option '--type <text>' argument 'office.made' is invalid"],
  ])('rejects %j with exit code 2', async (argv, message) => {
    const { exit, stderr } = await listened(argv, 'never');
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
