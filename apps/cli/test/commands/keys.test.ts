import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService(async ({ client, name }) => {
  const { keys } = client();
  name('site', await keys.create.mutate({ name: 'Website', scopes: ['offices:read'] }));
  const cron = await keys.create.mutate({
    name: 'Nightly import',
    scopes: ['offices:write', 'agents:write'],
    expiresAt: '2099-01-31T08:00:00Z',
  });
  await keys.revoke.mutate({ id: cron.id });
  name('cron', cron);
});
const { at, client } = service;

const form = /^rst_[\w-]{51}$/;

/** The key that a command printed as JSON. */
async function printed(...argv: string[]): Promise<Record<string, unknown>> {
  const { exit, stdout, stderr } = await at('pipe', ['keys', ...argv, '--json']);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Whether a secret can list offices. */
async function opens(key: unknown): Promise<boolean> {
  const { exit } = await runCli(['offices', 'list'], { url: service.url(), key: String(key) });
  return exit === 0;
}

describe('keys list', () => {
  it('shows scopes and expiry, and no secret', async () => {
    const { exit, stdout, stderr } = await at('pipe', ['keys', 'list', '--sort', 'name']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const [header, cron, site] = stdout.split('\n').map((line) => line.split('\t'));
    expect(header).toEqual(['id', 'name', 'hint', 'scopes', 'revokedAt', 'expiresAt', 'lastUsedAt']);
    expect(cron?.slice(1)).toEqual([
      'Nightly import',
      expect.stringMatching(/^rst_.{8}$/),
      'offices:write, agents:write',
      expect.stringMatching(/^20/),
      '2099-01-31T08:00:00.000Z',
      '',
    ]);
    expect(site?.slice(1)).toEqual(['Website', expect.any(String), 'offices:read', '', '', '']);
  });

  it('is a table on a terminal', async () => {
    const { stdout } = await at('terminal', ['keys', 'list'], { columns: 120 });
    expect(stdout).toMatch(/^NAME {2,}ID {36}SECRET {2,}SCOPES {2,}REVOKED {2,}EXPIRES {2,}LAST USED\n/);
    expect(stdout).toMatch(/ {2}2099-01-31\S*…\n/);
  });
});

describe('keys create', () => {
  const argv = ['create', '--name', 'Bot', '--scope', 'offices:read', '--scope', 'agents:read'];

  it('prints the key with its secret, which works immediately', async () => {
    const key = await printed(...argv, '--expires-at', '2099-01-01T00:00:00Z');
    expect(key).toMatchObject({
      name: 'Bot',
      scopes: ['offices:read', 'agents:read'],
      expiresAt: '2099-01-01T00:00:00.000Z',
      secret: expect.stringMatching(form),
    });
    expect(await opens(key.secret)).toBe(true);
  });

  it('says on a terminal that the secret is shown only once', async () => {
    const { exit, stdout, stderr } = await at('terminal', ['keys', ...argv]);
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringMatching(
        /^Created Bot \(\S{36}\)\nThe secret is shown only once: store it now, it can't be shown again.\n$/,
      ),
    });
    expect(stdout).toMatch(/^secret +rst_[\w-]{51}\n$/);
  });

  it('prints no note in a pipe', async () => {
    const { stdout, stderr } = await at('pipe', ['keys', ...argv]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/\nsecret\trst_/);
  });

  it('rejects --json without the secret', async () => {
    const before = await client().keys.list.query({ limit: 200 });
    expect(await at('pipe', ['keys', ...argv, '--json', 'id,name'])).toEqual({
      exit: 2,
      stdout: '',
      stderr:
        'roster: keys create: --json omits secret, which is shown only once\n' +
        'Add secret to the fields, or leave out the fields.\n',
    });
    expect(await client().keys.list.query({ limit: 200 })).toEqual(before);
    const { stdout } = await at('pipe', ['keys', ...argv, '--json', 'secret']);
    expect(JSON.parse(stdout)).toEqual({ secret: expect.stringMatching(form) });
  });

  it('lists every invalid field', async () => {
    const { exit, stderr } = await at('pipe', ['keys', 'create', '--data', '{"scopes":["all"]}']);
    expect(exit).toBe(2);
    expect(stderr).toContain(
      '\n  --data: name is required\n  --data: scopes.0 must be one of offices:read, ',
    );
    expect(stderr).toContain('roster keys create --help --all describes each field.\n');
  });
});

describe('keys get, update, revoke and rotate', () => {
  it('read and change a key', async () => {
    expect(await printed('get', '<site>')).toMatchObject({ name: 'Website', expiresAt: null });
    const changed = await printed(
      'update',
      '<site>',
      '--name',
      'Site',
      '--scope',
      'agents:read',
      '--expires-at',
      '2099-01-01T00:00:00Z',
    );
    expect(changed).toMatchObject({ name: 'Site', scopes: ['agents:read'] });
    expect(changed.expiresAt).toBe('2099-01-01T00:00:00.000Z');
    expect(await printed('update', '<site>', '--expires-at', '')).toMatchObject({ expiresAt: null });
  });

  it('rotate: the new secret works, and the old one until the overlap ends', async () => {
    const { id, secret } = await client().keys.create.mutate({ name: 'Old', scopes: ['offices:read'] });
    const second = await printed('rotate', id, '--overlap-seconds', '60');
    expect(await Promise.all([opens(secret), opens(second.secret)])).toEqual([true, true]);
    const third = await printed('rotate', id, '--overlap-seconds', '0');
    expect(third).toMatchObject({ id, secret: expect.stringMatching(form) });
    expect(await Promise.all([opens(secret), opens(second.secret), opens(third.secret)])).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('rotate says on a terminal that the secret is shown only once, and revoke shows none', async () => {
    const { id } = await client().keys.create.mutate({ name: 'Once', scopes: ['offices:read'] });
    const rotated = await at('terminal', ['keys', 'rotate', id]);
    expect(rotated.stderr).toMatch(/^Rotated the secret of Once\nThe secret is shown only once/);
    expect(rotated.stdout).toMatch(/^secret {2}rst_[\w-]+\n$/);
    const revoked = await at('terminal', ['keys', 'revoke', id]);
    expect(revoked).toEqual({ exit: 0, stdout: '', stderr: 'Revoked Once\n' });
  });

  it('revoke ends a key, and a revoked key cannot be rotated', async () => {
    const { id, secret } = await client().keys.create.mutate({ name: 'Gone', scopes: ['offices:read'] });
    expect((await printed('revoke', id)).revokedAt).toMatch(/^20/);
    expect(await opens(secret)).toBe(false);
    expect(await at('pipe', ['keys', 'rotate', id])).toEqual({
      exit: 1,
      stdout: '',
      stderr:
        'roster: keys rotate: The key is revoked, for good\n' +
        'Create a new key with: roster keys create\nRequest ID: <id>\n',
    });
  });

  it('suggest how to find an id, and do not suggest restore', async () => {
    const { exit, stderr } = await at('pipe', ['keys', 'get', '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11']);
    expect(exit).toBe(1);
    expect(stderr).toContain('\nFind the ID with: roster keys list\nRequest ID');
  });

  it('have no delete', async () => {
    expect((await at('pipe', ['keys', 'delete', '<site>'])).exit).toBe(2);
  });
});

describe('a key', () => {
  it.each([
    [['offices', 'create', '--name', 'x'], 'offices:write'],
    [['agents', 'list'], 'agents:read'],
    [['keys', 'list'], 'keys:manage'],
  ])('without the scope ends %j with 4, and %s is named', async (argv, scope) => {
    const { secret } = await client().keys.create.mutate({ name: 'Reader', scopes: ['offices:read'] });
    expect(await at('pipe', argv, { key: secret })).toEqual({
      exit: 4,
      stdout: '',
      stderr:
        `roster: ${argv.slice(0, 2).join(' ')}: The key needs the scope ${scope}\n` +
        'Use a key with the required scope: --key, ROSTER_KEY or --profile.\nRequest ID: <id>\n',
    });
  });

  it.each(['rst_garbage', 'Bearer', '%00'])('that is invalid (%j) ends the command with 4', async (key) => {
    const { exit, stdout, stderr } = await at('pipe', ['offices', 'list', '--key', key]);
    expect({ exit, stdout }).toEqual({ exit: 4, stdout: '' });
    expect(stderr).toContain('The key came from --key. Roster looks for a key in');
  });
});
