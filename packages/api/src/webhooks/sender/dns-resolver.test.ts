import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createResolver } from './dns-resolver.ts';
import { createSender } from './http-sender.ts';

const IPV4 = 1;

interface DnsServer {
  address: string;
  /** The names it was asked for, each as often as it was. */
  asked: string[];
  close(): Promise<void>;
}

/** The name in the question of a DNS message (RFC 1035, section 4.1.2), its type, and where the question ends. */
function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** An answer with one IPv4 address, or none to a question about IPv6. */
function responseTo(message: Buffer): Buffer {
  const { type, end } = questionOf(message);
  const head = Buffer.from(message.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(type === IPV4 ? 1 : 0, 6);
  head.fill(0, 8);
  const address = Buffer.from([0xc0, 0x0c, 0, IPV4, 0, 1, 0, 0, 0, 60, 0, 4, 127, 1, 2, 3]);
  return Buffer.concat([head, message.subarray(12, end), ...(type === IPV4 ? [address] : [])]);
}

/** A DNS server that knows every name but those that begin with `silent`, for which it never answers. */
async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, { port, address }) => {
    const { name } = questionOf(message);
    asked.push(name);
    if (!name.startsWith('silent')) socket.send(responseTo(message), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

function resolved(name: string, options: Parameters<typeof createResolver>[0] = {}) {
  const resolve = createResolver({ servers: [server.address], ...options });
  return new Promise<dns.LookupAddress[]>((done, fail) => {
    resolve(name, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
  });
}

describe('a name whose DNS server does not respond', () => {
  it('delays no other lookup and no file operation', async () => {
    let pending = 40;
    for (let index = 0; index < 40; index += 1)
      resolved(`silent-${index}.example.com`).catch(() => {
        pending -= 1;
      });
    await expect.poll(() => new Set(server.asked).size).toBeGreaterThanOrEqual(40);
    expect(await resolved('hooks.example.com')).toEqual([{ address: '127.1.2.3', family: 4 }]);
    await dns.promises.lookup('localhost');
    await readFile(import.meta.filename);
    expect(pending).toBe(40);
  });

  it('fails after the timeout', async () => {
    const failed = resolved('silent.example.com', { timeoutMs: 100 });
    await expect(failed).rejects.toMatchObject({
      code: 'ETIMEOUT',
      message: 'No DNS server responded for silent.example.com.',
    });
  });
});

describe('a name that is resolved without DNS', () => {
  const names = ['localhost', 'LOCALHOST', 'localhost.', 'hooks.localhost'];
  it.each(names)('is %s', async (name) => {
    const addresses = (await resolved(name)).map(({ address }) => address);
    expect(addresses).toContain('127.0.0.1');
    expect(server.asked.filter((one) => one.includes('localhost'))).toEqual([]);
  });

  it('is one of the hosts file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'roster-hosts-'));
    const hostsFile = join(directory, 'hosts');
    try {
      await writeFile(
        hostsFile,
        '# 10.0.0.1 listed.test\n10.0.0.2\tother.test Listed.Test # comment\nfd00::2 listed.test\nnone listed.test\n',
      );
      expect(await resolved('listed.test', { hostsFile })).toEqual([
        { address: '10.0.0.2', family: 4 },
        { address: 'fd00::2', family: 6 },
      ]);
      expect(await resolved('unlisted.test', { hostsFile })).toEqual([{ address: '127.1.2.3', family: 4 }]);
      expect(server.asked).not.toContain('listed.test');
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

it('a message is sent without dns.lookup, which needs a thread', async () => {
  const receiver = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const lookup = vi.spyOn(dns, 'lookup');
  const { port } = receiver.address() as AddressInfo;
  const { attempt } = await createSender({ isPrivateAllowed: true }).send({
    url: `http://localhost:${port}/`,
    headers: {},
    body: '{}',
  });
  receiver.close();
  expect(attempt).toMatchObject({ status: 200, body: 'ok' });
  expect(lookup).not.toHaveBeenCalled();
});
