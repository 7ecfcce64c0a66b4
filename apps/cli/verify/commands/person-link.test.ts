import type { Person } from '@roster/client';
import { type SignInFixture, startSignInFixture } from '@roster/server/testing/sign-in';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Output, runCli } from '../../test/support/run-cli.ts';
import { useTestService } from '../../test/support/test-service.ts';

const { url, key, client } = useTestService();
const cli = (argv: string[], output: Output = 'terminal') =>
  runCli(['people', ...argv], { url: url(), key: key(), output });

let last = 0;
function inviting(): string[] {
  last += 1;
  return [
    'invite',
    '--name',
    'Rui Costa',
    '--email',
    `rui-${last}@atlantico.example`,
    '--grant',
    'role=viewer',
  ];
}

async function aPerson(): Promise<Person> {
  last += 1;
  const email = `rui-${last}@atlantico.example`;
  return client().people.invite.mutate({ name: 'Rui Costa', email, grants: [{ role: 'viewer' }] });
}

describe('people invite', () => {
  it('says on a terminal that nothing is there to sign in with, and which command makes a link', async () => {
    const { exit, stderr } = await cli(inviting());
    expect(exit).toBe(0);
    const [, id] = /^Invited Rui Costa \((\S{36})\)\n/.exec(stderr) ?? [];
    expect(stderr).toContain('No identity provider is set up, so Rui Costa can sign in only with a link');
    expect(stderr).toContain(`\n  roster people link ${id}\n`);
  });

  it('prints the person alone in a pipe', async () => {
    const { exit, stdout, stderr } = await cli(inviting(), 'pipe');
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toContain('\nstatus\tinvited\n');
  });

  describe('with an identity provider', () => {
    let fixture: SignInFixture;
    beforeAll(async () => {
      fixture = await startSignInFixture();
    });
    afterAll(() => fixture[Symbol.asyncDispose]());

    it('says where the person signs in', async () => {
      const { server } = fixture;
      const argv = ['people', ...inviting()];
      const { exit, stderr } = await runCli(argv, { url: server.url, key: server.key, output: 'terminal' });
      expect(exit).toBe(0);
      expect(stderr).toContain('tell Rui Costa to sign in at https://roster.example/sign-in as rui-');
      const list = await runCli(['people', 'list'], { url: server.url, key: server.key, output: 'terminal' });
      expect(list.stdout).toContain('Rui Costa');
      expect(list.stderr).not.toContain('nothing to sign in with');
    });
  });
});

describe('people list', () => {
  it('names on a terminal who is invited and has nothing to sign in with', async () => {
    const { id } = await aPerson();
    const needed =
      /^Invited, with nothing to sign in with yet: Rui Costa.*\. roster people link <id> makes a link\.$/m;
    expect((await cli(['list'])).stderr).toMatch(needed);
    expect((await cli(['list'], 'pipe')).stderr).toBe('');
    expect((await cli(['list', '--json'])).stderr).toBe('');
    await cli(['delete', id, '--yes']);
  });

  it('names nobody who can sign in', async () => {
    await aPerson();
    expect((await cli(['list', '--status', 'active'])).stderr).not.toContain('nothing to sign in with');
  });
});

describe('people link', () => {
  it('prints a link on a terminal, which signs the person in', async () => {
    const { id } = await aPerson();
    const { exit, stdout, stderr } = await cli(['link', id]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringMatching(/^It works once, until 20/) });
    expect((await fetch(stdout.trim())).status).toBe(200);
    expect((await client().people.get.query({ id })).status).toBe('active');
  });

  it('prints the link with its end in a pipe, or one of both', async () => {
    const { id } = await aPerson();
    expect((await cli(['link', id], 'pipe')).stdout).toMatch(/\nurl\thttp\S+\nexpiresAt\t20\S+\n$/);
    expect((await cli(['link', id, '--jq', '.url'], 'pipe')).stdout).toMatch(
      /^http\S+\/sign-in\/link\?token=\S+\n$/,
    );
  });

  it('fails with what the service says', async () => {
    const { id } = await aPerson();
    await client().people.deactivate.mutate({ id });
    expect(await cli(['link', id])).toEqual({
      exit: 1,
      stdout: '',
      stderr: 'roster: people link: no link was made: The person is inactive, and cannot sign in\n',
    });
    const { secret } = await client().keys.create.mutate({ name: 'Reader', scopes: ['offices:read'] });
    const denied = await runCli(['people', 'link', id], { url: url(), key: secret });
    expect(denied).toMatchObject({ exit: 4, stderr: expect.stringContaining('people:manage') });
  });
});
