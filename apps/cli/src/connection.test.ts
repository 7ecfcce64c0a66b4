import { parse } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { connectionOf } from './connection.ts';

const env = { ROSTER_URL: 'http://env.example', ROSTER_KEY: 'env-key' };
const cwd = parse(process.cwd()).root;

it('takes flags before the environment, and the environment before the default', () => {
  expect(connectionOf({ url: 'http://flag.example', key: 'flag-key' }, { env, cwd })).toEqual({
    url: 'http://flag.example',
    key: 'flag-key',
    keySource: '--key',
  });
  expect(connectionOf({}, { env, cwd })).toEqual({
    url: 'http://env.example',
    key: 'env-key',
    keySource: 'ROSTER_KEY',
  });
  expect(connectionOf({}, { env: { ROSTER_URL: '', ROSTER_KEY: '' }, cwd })).toEqual({
    url: 'http://127.0.0.1:3000',
    key: undefined,
    keySource: undefined,
  });
});

it.each(['localhost:3000', 'roster.example', 'ftp://roster.example'])(
  'refuses %s, which is no http URL',
  (url) => {
    expect(() => connectionOf({ url }, { env: {}, cwd })).toThrow(
      expect.objectContaining({ message: `"${url}" is not an http or https URL`, exitCode: 2 }),
    );
  },
);

it.each(['東京', 'two words', 'two\nlines'])('refuses the key %j, which no header can carry', (key) => {
  expect(() => connectionOf({ key }, { env: {}, cwd })).toThrow(
    expect.objectContaining({
      message: 'the key from --key is not one line of visible ASCII characters',
      exitCode: 2,
    }),
  );
});

it('takes a key without the line break that came with it', () => {
  expect(connectionOf({}, { env: { ROSTER_KEY: 'k\r\n' }, cwd }).key).toBe('k');
});
