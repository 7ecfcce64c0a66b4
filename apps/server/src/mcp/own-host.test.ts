import { describe, expect, it } from 'vitest';
import { foreignHost } from './routes.ts';

const local = { publicUrl: undefined, corsOrigins: [] };
const hosted = { publicUrl: 'https://roster.example', corsOrigins: ['https://app.example'] };

describe('the Host of a message', () => {
  it.each(['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', '10.1.2.3:3000', '[2001:db8::1]'])(
    'may be a loopback name or an address: %s',
    (host) => {
      expect(foreignHost({ host }, local)).toBeUndefined();
      expect(foreignHost({ host }, hosted)).toBeUndefined();
    },
  );

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:3000', 'roster.example:81', ''])(
    'may be no other name: "%s"',
    (host) => {
      expect(foreignHost({ host }, local)).toMatchObject({ status: 403 });
      expect(foreignHost({ host }, hosted)).toMatchObject({ status: 403 });
    },
  );

  it('may be that of the public URL', () => {
    expect(foreignHost({ host: 'Roster.example' }, hosted)).toBeUndefined();
    expect(foreignHost({ host: 'roster.example' }, local)).toMatchObject({ status: 403 });
  });
});

describe('the Origin of a message', () => {
  it.each([
    ['127.0.0.1:3000', 'http://127.0.0.1:3000', local],
    ['roster.example', 'https://roster.example', hosted],
    ['roster.example', 'https://app.example', hosted],
  ])('may be that of the service or one that may call the API: %s from %s', (host, origin, options) => {
    expect(foreignHost({ host, origin }, options)).toBeUndefined();
  });

  it.each([
    ['127.0.0.1:3000', 'http://127.0.0.1:3001', local],
    ['127.0.0.1:3000', 'null', local],
    ['10.1.2.3:3000', 'http://evil.example', local],
    ['roster.example', 'http://roster.example', hosted],
    ['roster.example', 'https://app.example.evil.example', hosted],
  ])('may be no other: %s from %s', (host, origin, options) => {
    expect(foreignHost({ host, origin }, options)).toMatchObject({ status: 403 });
  });
});
