import { expect, it } from 'vitest';
import { connectionOf } from './connection.ts';

const env = { ROSTER_URL: 'http://env.example', ROSTER_KEY: 'env-key' };

it('takes flags before the environment, and the environment before the default', () => {
  expect(connectionOf({ url: 'http://flag.example', key: 'flag-key' }, env)).toEqual({
    url: 'http://flag.example',
    key: 'flag-key',
  });
  expect(connectionOf({}, env)).toEqual({ url: 'http://env.example', key: 'env-key' });
  expect(connectionOf({}, { ROSTER_URL: '', ROSTER_KEY: '' })).toEqual({
    url: 'http://127.0.0.1:3000',
    key: undefined,
  });
});

it.each(['localhost:3000', 'roster.example', 'ftp://roster.example'])(
  'refuses %s, which is no http URL',
  (url) => {
    expect(() => connectionOf({ url }, {})).toThrow(
      expect.objectContaining({ message: `"${url}" is not an http or https URL`, exitCode: 2 }),
    );
  },
);
