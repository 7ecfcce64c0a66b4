import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectionOf } from '../../src/service/connection.ts';
import { runCli } from '../support/run-cli.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();

/** An empty temporary directory. */
const emptyDirectory = () => mkdtempSync(join(tmpdir(), 'roster-cli-'));

const ADDRESS = 'http://127.0.0.1:4000';

/** Writes the key and the address of a service that was started in `root`; no address if it is empty. */
function leaveKey(
  root: string,
  { key = 'local-key', dataDir = '.roster', mode = 0o600, url = ADDRESS } = {},
): string {
  const file = join(root, dataDir, 'key');
  mkdirSync(dirname(file), { recursive: true });
  const urlFile = join(dirname(file), 'url');
  if (url === '') rmSync(urlFile, { force: true });
  else writeFileSync(urlFile, `${url}\n`, { mode: 0o600 });
  writeFileSync(file, `${key}\n`);
  chmodSync(file, mode);
  return file;
}

/** A directory some levels below another. */
function below(root: string): string {
  const path = join(root, 'a', 'b');
  mkdirSync(path, { recursive: true });
  return path;
}

const local = { ROSTER_URL: ADDRESS };

describe('the key file of a service on this machine', () => {
  it('is found in the working directory', () => {
    const cwd = emptyDirectory();
    const file = leaveKey(cwd);
    expect(connectionOf({}, { env: {}, cwd })).toMatchObject({ key: 'local-key', keySource: file });
  });

  it('is found in the nearest parent directory that has one', () => {
    const root = emptyDirectory();
    const cwd = below(root);
    leaveKey(root, { key: 'far' });
    expect(connectionOf({}, { env: {}, cwd }).key).toBe('far');
    leaveKey(dirname(cwd), { key: 'near' });
    expect(connectionOf({}, { env: {}, cwd }).key).toBe('near');
  });

  it('is found in ROSTER_DATA_DIR, absolute or relative to a parent directory', () => {
    const root = emptyDirectory();
    leaveKey(root, { key: 'default' });
    leaveKey(root, { key: 'elsewhere', dataDir: 'data/roster' });
    const connect = (ROSTER_DATA_DIR: string, cwd: string) =>
      connectionOf({}, { env: { ROSTER_DATA_DIR }, cwd }).key;
    expect(connect('data/roster', below(root))).toBe('elsewhere');
    expect(connect(join(root, 'data', 'roster'), emptyDirectory())).toBe('elsewhere');
    expect(connect('', root)).toBe('default');
    expect(connect('nowhere', root)).toBeUndefined();
  });

  it('yields to --key and ROSTER_KEY', () => {
    const cwd = emptyDirectory();
    leaveKey(cwd, { mode: 0o644 });
    expect(connectionOf({ key: 'flag' }, { env: { ROSTER_KEY: 'variable' }, cwd }).key).toBe('flag');
    expect(connectionOf({}, { env: { ROSTER_KEY: 'variable' }, cwd }).key).toBe('variable');
  });

  it.each(['http://127.0.0.1:4000', 'http://127.0.0.1:4000/', 'http://127.1:4000', 'http://localhost:4000'])(
    'is sent to %s, which is the address that the service has recorded',
    (url) => {
      const cwd = emptyDirectory();
      leaveKey(cwd);
      expect(connectionOf({ url }, { env: {}, cwd }).key).toBe('local-key');
      const connection = connectionOf({}, { env: { ROSTER_URL: url }, cwd });
      expect(connection).toMatchObject({ key: 'local-key', url: ADDRESS });
    },
  );

  it.each([
    'http://127.0.0.1:3000',
    'http://localhost:3000',
    'http://127.0.0.2:4000',
    'https://127.0.0.1:4000',
    'http://127.0.0.1:4000/roster',
    'http://[::1]:4000',
    'http://roster.example',
    'http://localhost.roster.example:4000',
    'http://127.0.0.1.roster.example:4000',
    'http://127.0.0.1:4000@roster.example',
    'http://roster.example#@127.0.0.1:4000',
    'http://0.0.0.0:4000',
  ])('is never sent to %s, and the error says why', (url) => {
    const cwd = emptyDirectory();
    const file = leaveKey(cwd, { mode: 0o644 });
    const withheld = `The key in ${file} belongs to ${ADDRESS} and is sent to no other address.`;
    const nothing = { url, key: undefined, keySource: undefined, withheld };
    expect(connectionOf({ url }, { env: {}, cwd })).toMatchObject(nothing);
    expect(connectionOf({}, { env: { ROSTER_URL: url }, cwd })).toMatchObject(nothing);
  });

  it('comes with the address that the service has recorded, in the nearest parent directory', () => {
    const root = emptyDirectory();
    leaveKey(root, { url: 'http://127.0.0.1:4400' });
    const found = connectionOf({}, { env: {}, cwd: below(root) });
    const urlSource = join(root, '.roster', 'url');
    expect(found).toMatchObject({ url: 'http://127.0.0.1:4400', urlSource, key: 'local-key' });
  });

  it('is not sent while no address is recorded, because another server may use the port', () => {
    const cwd = emptyDirectory();
    const file = leaveKey(cwd, { url: '' });
    const found = connectionOf({}, { env: {}, cwd });
    expect(found).toMatchObject({ url: 'http://127.0.0.1:3000', key: undefined });
    expect(found.withheld).toContain(
      `The key in ${file} is not sent, because no server has written its address to`,
    );
  });

  it.each(['ftp://127.0.0.1', '127.0.0.1:4000', ' '])('is not used if the recorded address is %j', (url) => {
    const cwd = emptyDirectory();
    leaveKey(cwd, { url });
    expect(() => connectionOf({}, { env: {}, cwd })).toThrow(
      /url does not contain the address of a service$/,
    );
  });

  it('is not used if other users can write the recorded address', () => {
    const cwd = emptyDirectory();
    leaveKey(cwd);
    chmodSync(join(cwd, '.roster', 'url'), 0o622);
    expect(() => connectionOf({}, { env: {}, cwd })).toThrow(/address in .* can be read by other users/);
  });

  it.each([0o644, 0o640, 0o604, 0o602])(
    'is not used with mode %o, with which other users can access it',
    (mode) => {
      const cwd = emptyDirectory();
      const file = leaveKey(cwd, { mode });
      expect(() => connectionOf({}, { env: local, cwd })).toThrow(
        expect.objectContaining({
          message: `the key in ${file} can be read by other users`,
          hint: `Restrict it: chmod 600 ${file}`,
          exitCode: 4,
        }),
      );
    },
  );

  it('is not searched further up if the nearest one is unusable', () => {
    const root = emptyDirectory();
    leaveKey(root);
    const cwd = below(root);
    mkdirSync(join(cwd, '.roster', 'key'), { recursive: true, mode: 0o700 });
    writeFileSync(join(cwd, '.roster', 'url'), ADDRESS, { mode: 0o600 });
    expect(() => connectionOf({}, { env: {}, cwd })).toThrow(/cannot be read \(EISDIR\)/);
    leaveKey(dirname(cwd), { key: '' });
    expect(() => connectionOf({}, { env: {}, cwd: dirname(cwd) })).toThrow(/is not one line/);
  });

  it('is ignored if the data directory is a file', () => {
    const cwd = emptyDirectory();
    writeFileSync(join(cwd, '.roster'), '');
    expect(connectionOf({}, { env: {}, cwd }).key).toBeUndefined();
  });
});

describe('a command without --key and ROSTER_KEY', () => {
  it('uses the service that was started in its directory', async () => {
    const cwd = emptyDirectory();
    leaveKey(cwd, { key: service.key(), url: service.url() });
    const outcome = await runCli(['offices', 'list'], { url: service.url(), cwd: below(cwd) });
    expect(outcome).toMatchObject({ exit: 0, stderr: 'No offices match.\n' });
  });

  it('prints every place where a key is looked up, and which key was rejected', async () => {
    const cwd = emptyDirectory();
    const where =
      'Roster looks for a key in --key, ROSTER_KEY, the profile (roster login) and, for a service on this machine, in .roster/key here or in a parent directory.\n';
    const without = await runCli(['offices', 'list'], { url: service.url(), cwd });
    expect(without).toMatchObject({ exit: 4, stdout: '' });
    expect(without.stderr).toContain(`roster: offices list: The request has no key\n${where}`);
    const file = leaveKey(cwd, { url: service.url() });
    const stale = await runCli(['offices', 'list'], { url: service.url(), cwd });
    expect(stale.exit).toBe(4);
    expect(stale.stderr).toContain(`\nThe key came from ${file}. ${where}`);
  });

  it('prints that the key of another address is not sent, and how to set one', async () => {
    const cwd = emptyDirectory();
    const file = leaveKey(cwd, { key: service.key() });
    const { exit, stderr } = await runCli(['offices', 'list'], { url: service.url(), cwd });
    expect(exit).toBe(4);
    expect(stderr).toContain(
      `The key in ${file} belongs to ${ADDRESS} and is sent to no other address. Roster looks for a key in --key,`,
    );
    const status = await runCli(['status'], { url: service.url(), cwd });
    expect(status.stderr).toContain(
      `sent to no other address. Set one with: roster login, --key or ROSTER_KEY.`,
    );
  });

  it('exits with 4 and sends nothing if other users can read the key', async () => {
    const cwd = emptyDirectory();
    const file = leaveKey(cwd, { mode: 0o666, url: service.url() });
    expect(await runCli(['keys', 'list'], { url: service.url(), cwd })).toEqual({
      exit: 4,
      stdout: '',
      stderr: `roster: keys list: the key in ${file} can be read by other users\nRestrict it: chmod 600 ${file}\n`,
    });
  });
});
