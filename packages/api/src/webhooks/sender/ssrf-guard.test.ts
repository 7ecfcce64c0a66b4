import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { checkUrl, ForbiddenTarget, isPublic, type Resolve, safeLookup } from './ssrf-guard.ts';

const ours = [
  ...['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254'],
  ...['0.0.0.0', '0.1.2.3', '100.64.0.1', '224.0.0.1', '255.255.255.255', '240.0.0.1'],
  ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
  ...['::', '::1', 'fe80::1', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', '100::1', '4000::1', '::2'],
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001::1', '2001:db8::1', '3fff::1', '5f00::1'],
];
const everybodys = ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8'];

describe('an address', () => {
  it.each(ours)('%s is not public', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each(everybodys)('%s is public', (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

const publicOnly = { isPrivateAllowed: false };
const anywhere = { isPrivateAllowed: true };

describe('a URL', () => {
  it.each(ours.map((address) => (address.includes(':') ? `https://[${address}]/` : `https://${address}/`)))(
    '%s is rejected, unless private networks are allowed',
    (url) => {
      expect(checkUrl(url, publicOnly)).toMatch(/private network/);
      expect(checkUrl(url, anywhere)).toBeUndefined();
    },
  );

  it.each([
    ...[
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0177.0.0.1/',
      'https://127.1/',
      'https://①②⑦.0.0.1/',
    ],
    ...['https://127.0.0.1./', 'https://localhost/', 'https://LOCALHOST./', 'https://hooks.localhost:8443/'],
    ...['https://[::ffff:7f00:1]/', 'https://[0:0:0:0:0:0:0:1]/'],
  ])('%s is rejected, however it is written', (url) => {
    expect(checkUrl(url, publicOnly)).toMatch(/private network/);
  });

  it.each(['https://hooks.example.com/x?y=1', 'https://8.8.8.8/', 'https://[2606:4700::1]:8443/hook'])(
    '%s is taken',
    (url) => {
      expect(checkUrl(url, publicOnly)).toBeUndefined();
    },
  );

  it('must be https, or http if private networks are allowed', () => {
    expect(checkUrl('http://hooks.example.com/', publicOnly)).toBe('must be an https URL');
    expect(checkUrl('http://hooks.example.com/', anywhere)).toBeUndefined();
    for (const url of ['file:///etc/passwd', 'ftp://hooks.example.com/', 'hooks.example.com', '']) {
      expect(checkUrl(url, anywhere)).toMatch(/^must be an/);
    }
  });

  it.each([publicOnly, anywhere])('must not have credentials (%j)', (allowed) => {
    for (const url of ['https://ana@hooks.example.com/', 'https://:x@hooks.example.com/']) {
      expect(checkUrl(url, allowed)).toBe('must not have a user name or password');
    }
  });
});

/** A resolver that knows one name. */
const knowing =
  (...addresses: string[]): Resolve =>
  (_, __, done) =>
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

function looked(resolve: Resolve, all: boolean, isPrivateAllowed = false): Promise<unknown> {
  return new Promise((done, fail) => {
    safeLookup({ isPrivateAllowed }, resolve)('hooks.example.com', { all }, (error, address, family) =>
      error ? fail(error) : done(all ? address : [address, family]),
    );
  });
}

describe('a name', () => {
  it.each([true, false])('resolves to its public addresses (all of them: %s)', async (all) => {
    const first = { address: '8.8.8.8', family: 4 };
    const second = { address: '2606:4700::1', family: 6 };
    const response = await looked(knowing('8.8.8.8', '2606:4700::1'), all);
    expect(response).toEqual(all ? [first, second] : ['8.8.8.8', 4]);
  });

  it.each(['127.0.0.1', '10.1.2.3', '::1', '::ffff:192.168.0.1', '169.254.169.254'])(
    'with the address %s among others is rejected',
    async (address) => {
      for (const addresses of [[address], ['8.8.8.8', address], [address, '8.8.8.8']]) {
        for (const all of [true, false]) {
          await expect(looked(knowing(...addresses), all)).rejects.toThrow(ForbiddenTarget);
          expect(await looked(knowing(...addresses), all, true)).toBeDefined();
        }
      }
    },
  );

  it('that is unknown is rejected with the error of the resolver', async () => {
    const unknown: Resolve = (_, __, done) => done(new Error('ENOTFOUND'), []);
    await expect(looked(unknown, true)).rejects.toThrow('ENOTFOUND');
    await expect(looked(knowing(), true)).rejects.toThrow('no address');
  });
});
