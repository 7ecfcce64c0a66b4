import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordAddress } from './data-directory.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'roster-address-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

it.each([
  ['http://0.0.0.0:3000', 'http://127.0.0.1:3000'],
  ['http://[::]:3000', 'http://[::1]:3000'],
  ['http://192.168.0.1:3000', 'http://192.168.0.1:3000'],
])(
  'records %s as %s in place of a server that was killed, and leaves the record of a later start alone',
  async (url, address) => {
    const file = join(home, 'url');
    const forget = await recordAddress(file, url);
    expect(await readFile(file, 'utf8')).toBe(`${address}\n`);
    const forgetLater = await recordAddress(file, 'http://127.0.0.1:4400');
    await forget();
    expect(await readFile(file, 'utf8')).toBe('http://127.0.0.1:4400\n');
    await forgetLater();
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  },
);
