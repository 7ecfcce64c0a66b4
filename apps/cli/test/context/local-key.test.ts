import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectionOf } from '../../src/context/connection.ts';
import { runCli } from '../support/run-cli.ts';
import { useDirectory } from '../support/test-service.ts';

const directory = useDirectory();

/** An empty directory of a test's own. */
const place = () => mkdtempSync(join(tmpdir(), 'roster-cli-'));

const ADDRESS = 'http://127.0.0.1:4000';

/** Puts a key and an address where a service that was started in `root` puts them; none where it is empty. */
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

describe('the key that a service on this machine has left', () => {
  it('is found in the working directory', () => {
    const cwd = place();
    const file = leaveKey(cwd);
    expect(connectionOf({}, { env: {}, cwd })).toMatchObject({ key: 'local-key', keySource: file });
  });

  it('is found in the nearest directory above that has one', () => {
    const root = place();
    const cwd = below(root);
    leaveKey(root, { key: 'far' });
    expect(connectionOf({}, { env: {}, cwd }).key).toBe('far');
    leaveKey(dirname(cwd), { key: 'near' });
    expect(connectionOf({}, { env: {}, cwd }).key).toBe('near');
  });

  it('is found where ROSTER_DATA_DIR says, absolute or in the directories above', () => {
    const root = place();
    leaveKey(root, { key: 'default' });
    leaveKey(root, { key: 'elsewhere', dataDir: 'data/roster' });
    const connect = (ROSTER_DATA_DIR: string, cwd: string) =>
      connectionOf({}, { env: { ROSTER_DATA_DIR }, cwd }).key;
    expect(connect('data/roster', below(root))).toBe('elsewhere');
    expect(connect(join(root, 'data', 'roster'), place())).toBe('elsewhere');
    expect(connect('', root)).toBe('default');
    expect(connect('nowhere', root)).toBeUndefined();
  });

  it('comes after --key and ROSTER_KEY', () => {
    const cwd = place();
    leaveKey(cwd, { mode: 0o644 });
    expect(connectionOf({ key: 'flag' }, { env: { ROSTER_KEY: 'variable' }, cwd }).key).toBe('flag');
    expect(connectionOf({}, { env: { ROSTER_KEY: 'variable' }, cwd }).key).toBe('variable');
  });

  it.each(['http://127.0.0.1:4000', 'http://127.0.0.1:4000/', 'http://127.1:4000', 'http://localhost:4000'])(
    'is sent to %s, which is the address that the service has recorded',
    (url) => {
      const cwd = place();
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
  ])('is never sent to %s, and the reason is kept for the message', (url) => {
    const cwd = place();
    const file = leaveKey(cwd, { mode: 0o644 });
    const withheld = `The key in ${file} belongs to ${ADDRESS} and is sent to no other address.`;
    const nothing = { url, key: undefined, keySource: undefined, withheld };
    expect(connectionOf({ url }, { env: {}, cwd })).toMatchObject(nothing);
    expect(connectionOf({}, { env: { ROSTER_URL: url }, cwd })).toMatchObject(nothing);
  });

  it('leads to the address that the service has recorded, in the nearest directory above', () => {
    const root = place();
    leaveKey(root, { url: 'http://127.0.0.1:4400' });
    const found = connectionOf({}, { env: {}, cwd: below(root) });
    const urlSource = join(root, '.roster', 'url');
    expect(found).toMatchObject({ url: 'http://127.0.0.1:4400', urlSource, key: 'local-key' });
  });

  it('is sent nowhere while no service says where it listens: another may have its place', () => {
    const cwd = place();
    const file = leaveKey(cwd, { url: '' });
    const found = connectionOf({}, { env: {}, cwd });
    expect(found).toMatchObject({ url: 'http://127.0.0.1:3000', key: undefined });
    expect(found.withheld).toContain(`The key in ${file} is not sent, because no service says in`);
  });

  it.each(['ftp://127.0.0.1', '127.0.0.1:4000', ' '])('is not used where the record is %j', (url) => {
    const cwd = place();
    leaveKey(cwd, { url });
    expect(() => connectionOf({}, { env: {}, cwd })).toThrow(/url holds no address of a service$/);
  });

  it('is not used where others may write the address it goes to', () => {
    const cwd = place();
    leaveKey(cwd);
    chmodSync(join(cwd, '.roster', 'url'), 0o622);
    expect(() => connectionOf({}, { env: {}, cwd })).toThrow(/address in .* is open to other users/);
  });

  it.each([0o644, 0o640, 0o604, 0o602])('is not used with mode %o, which lets others at it', (mode) => {
    const cwd = place();
    const file = leaveKey(cwd, { mode });
    expect(() => connectionOf({}, { env: local, cwd })).toThrow(
      expect.objectContaining({
        message: `the key in ${file} is open to other users`,
        remedy: `Close it: chmod 600 ${file}`,
        exitCode: 4,
      }),
    );
  });

  it('is not looked for further up where the nearest one cannot be used', () => {
    const root = place();
    leaveKey(root);
    const cwd = below(root);
    mkdirSync(join(cwd, '.roster', 'key'), { recursive: true, mode: 0o700 });
    writeFileSync(join(cwd, '.roster', 'url'), ADDRESS, { mode: 0o600 });
    expect(() => connectionOf({}, { env: {}, cwd })).toThrow(/cannot be read \(EISDIR\)/);
    leaveKey(dirname(cwd), { key: '' });
    expect(() => connectionOf({}, { env: {}, cwd: dirname(cwd) })).toThrow(/is not one line/);
  });

  it('is missed where the data directory is a file', () => {
    const cwd = place();
    writeFileSync(join(cwd, '.roster'), '');
    expect(connectionOf({}, { env: {}, cwd }).key).toBeUndefined();
  });
});

describe('a command without --key and ROSTER_KEY', () => {
  it('works beside the service of its directory', async () => {
    const cwd = place();
    leaveKey(cwd, { key: directory.key(), url: directory.url() });
    const outcome = await runCli(['offices', 'list'], { url: directory.url(), cwd: below(cwd) });
    expect(outcome).toMatchObject({ exit: 0, stderr: 'No offices match.\n' });
  });

  it('is told everywhere a key is looked for, and which one was refused', async () => {
    const cwd = place();
    const where =
      'A key is looked for in --key, then in ROSTER_KEY, then in the profile (roster login), then for a service on this machine in .roster/key, here or in a directory above.\n';
    const without = await runCli(['offices', 'list'], { url: directory.url(), cwd });
    expect(without).toMatchObject({ exit: 4, stdout: '' });
    expect(without.stderr).toContain(`roster: offices list: The request carries no key\n${where}`);
    const file = leaveKey(cwd, { url: directory.url() });
    const stale = await runCli(['offices', 'list'], { url: directory.url(), cwd });
    expect(stale.exit).toBe(4);
    expect(stale.stderr).toContain(`\nThe key came from ${file}. ${where}`);
  });

  it('is told that the key of another address is not sent, and how to give one', async () => {
    const cwd = place();
    const file = leaveKey(cwd, { key: directory.key() });
    const { exit, stderr } = await runCli(['offices', 'list'], { url: directory.url(), cwd });
    expect(exit).toBe(4);
    expect(stderr).toContain(
      `The key in ${file} belongs to ${ADDRESS} and is sent to no other address. A key is looked for in --key, then`,
    );
    const status = await runCli(['status'], { url: directory.url(), cwd });
    expect(status.stderr).toContain(
      `sent to no other address. Give one with: roster login, --key or ROSTER_KEY.`,
    );
  });

  it('ends with 4 where the key is open to others, and sends nothing', async () => {
    const cwd = place();
    const file = leaveKey(cwd, { mode: 0o666, url: directory.url() });
    expect(await runCli(['keys', 'list'], { url: directory.url(), cwd })).toEqual({
      exit: 4,
      stdout: '',
      stderr: `roster: keys list: the key in ${file} is open to other users\nClose it: chmod 600 ${file}\n`,
    });
  });
});
