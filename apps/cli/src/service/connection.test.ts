import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { connectionOf, writeConfig } from './connection.ts';

const env = { ROSTER_URL: 'http://env.example', ROSTER_KEY: 'env-key' };
const cwd = parse(process.cwd()).root;

/** The environment of a user whose config file has these profiles. */
function userWith(profiles: Record<string, { url: string; key: string }>) {
  const user = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'roster-config-')) };
  writeConfig(user, { profiles });
  return user;
}

const defaultProfile = { url: 'http://default.example', key: 'default-key' };
const work = { url: 'http://work.example/roster/', key: 'work-key' };
const user = userWith({ default: defaultProfile, work });

it('options take precedence over the environment, and the environment over the default', () => {
  expect(connectionOf({ url: 'http://flag.example', key: 'flag-key' }, { env, cwd })).toEqual({
    url: 'http://flag.example',
    urlSource: '--url',
    key: 'flag-key',
    keySource: '--key',
    profile: undefined,
  });
  expect(connectionOf({}, { env, cwd })).toMatchObject({
    url: 'http://env.example',
    urlSource: 'ROSTER_URL',
    key: 'env-key',
    keySource: 'ROSTER_KEY',
  });
  expect(connectionOf({}, { env: { ROSTER_URL: '', ROSTER_KEY: '' }, cwd })).toMatchObject({
    url: 'http://127.0.0.1:3000',
    key: undefined,
    keySource: undefined,
  });
});

describe('a profile', () => {
  const connect = (options: Record<string, unknown>, more: Record<string, string> = {}) => {
    const { url, key, profile } = connectionOf(options, { env: { ...user, ...more }, cwd });
    return [url, key, profile];
  };

  it('named default is used if no other is selected', () => {
    expect(connect({})).toEqual(['http://default.example', 'default-key', 'default']);
  });

  it('is selected by --profile, or else by ROSTER_PROFILE', () => {
    expect(connect({}, { ROSTER_PROFILE: 'work' })).toEqual([work.url, 'work-key', 'work']);
    expect(connect({ profile: 'default' }, { ROSTER_PROFILE: 'work' })[2]).toBe('default');
  });

  it('yields to ROSTER_URL and ROSTER_KEY, unless an option selects it', () => {
    expect(connect({}, env)).toEqual(['http://env.example', 'env-key', undefined]);
    expect(connect({}, { ...env, ROSTER_PROFILE: 'work' })).toEqual([
      'http://env.example',
      'env-key',
      undefined,
    ]);
    expect(connect({ profile: 'work' }, env)).toEqual([work.url, 'work-key', 'work']);
  });

  it('yields to --url and --key, each by itself', () => {
    expect(connect({ profile: 'work', key: 'flag-key' })).toEqual([work.url, 'flag-key', 'work']);
    expect(connect({ profile: 'work', url: 'http://work.example/roster' })[1]).toBe('work-key');
  });

  it('never sends its key to another service', () => {
    expect(connect({ url: 'http://flag.example' })).toEqual(['http://flag.example', undefined, undefined]);
    expect(connect({ url: 'http://work.example', profile: 'work' })[1]).toBeUndefined();
    expect(connect({}, { ROSTER_URL: 'http://default.example:81' })[1]).toBeUndefined();
  });

  it('that does not exist is a usage error, which suggests the closest name', () => {
    expect(() => connect({ profile: 'wrok' })).toThrow(
      expect.objectContaining({
        message: 'there is no profile wrok',
        hint: 'Did you mean work? Create it with: roster login --profile wrok',
        exitCode: 2,
      }),
    );
    expect(() => connect({ profile: 'toString' })).toThrow('there is no profile toString');
  });
});

describe('the config file', () => {
  const fileOf = ({ XDG_CONFIG_HOME }: { XDG_CONFIG_HOME: string }) =>
    join(XDG_CONFIG_HOME, 'roster', 'config.json');

  it.each([0o644, 0o640, 0o604])(
    'is rejected with mode %o, with which other users can read its keys',
    (mode) => {
      const open = userWith({ default: defaultProfile });
      chmodSync(fileOf(open), mode);
      expect(() => connectionOf({}, { env: open, cwd })).toThrow(
        expect.objectContaining({ hint: `Restrict it: chmod 600 ${fileOf(open)}`, exitCode: 4 }),
      );
      // It does not matter if the file is not needed.
      expect(connectionOf({}, { env: { ...open, ...env }, cwd }).key).toBe('env-key');
    },
  );

  it.each(['', '{', '[]', '{"profiles":1}', '{"profiles":{"default":{"url":"http://a.example"}}}'])(
    'is rejected if it contains %j',
    (text) => {
      const broken = userWith({});
      writeFileSync(fileOf(broken), text);
      expect(() => connectionOf({}, { env: broken, cwd })).toThrow('is not a config file of roster');
    },
  );

  it('is found in .config at home if XDG_CONFIG_HOME is not set', () => {
    const HOME = mkdtempSync(join(tmpdir(), 'roster-home-'));
    mkdirSync(join(HOME, '.config'));
    writeConfig({ HOME }, { profiles: { default: defaultProfile } });
    expect(connectionOf({}, { env: { HOME }, cwd }).keySource).toBe(
      `the profile default in ${join(HOME, '.config', 'roster', 'config.json')}`,
    );
  });
});

it.each(['localhost:3000', 'roster.example', 'ftp://roster.example'])(
  'rejects %s, which is not an http URL',
  (url) => {
    expect(() => connectionOf({ url }, { env: {}, cwd })).toThrow(
      expect.objectContaining({ message: `"${url}" is not an http or https URL`, exitCode: 2 }),
    );
  },
);

it.each(['東京', 'two words', 'two\nlines'])(
  'rejects the key %j, which cannot be sent in a header',
  (key) => {
    expect(() => connectionOf({ key }, { env: {}, cwd })).toThrow(
      expect.objectContaining({
        message: 'the key from --key is not one line of visible ASCII characters',
        exitCode: 2,
      }),
    );
  },
);

it('removes the line break after a key', () => {
  expect(connectionOf({}, { env: { ROSTER_KEY: 'k\r\n' }, cwd }).key).toBe('k');
});
