import type { Person } from '@roster/client';
import { type SignInFixture, startSignInFixture } from '@roster/server/testing/sign-in';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Output, runCli } from '../support/run-cli.ts';
import { useTestService } from '../support/test-service.ts';

const { url, key, client } = useTestService();
const cli = (argv: string[], output: Output = 'terminal') => runCli(argv, { url: url(), key: key(), output });
const LINK = /^http:\/\/localhost:\d+\/console\/invitation#[\w-]{43}$/;

let last = 0;
function inviting(): string[] {
  last += 1;
  const address = `rui-${last}@atlantico.example`;
  return ['people', 'invite', '--name', 'Rui Costa', '--email', address, '--grant', 'role=viewer'];
}

async function aPerson(): Promise<Person> {
  last += 1;
  const email = `rui-${last}@atlantico.example`;
  return client().people.invite.mutate({ name: `Rita ${last}`, email, grants: [{ role: 'viewer' }] });
}

describe('people invite', () => {
  it('prints the link on a terminal, and that it is shown only once', async () => {
    const { exit, stdout, stderr } = await cli(inviting());
    expect(exit).toBe(0);
    expect(stdout.trim()).toMatch(LINK);
    const [, id = ''] = /^Invited Rui Costa \((\S{36})\)\n/.exec(stderr) ?? [];
    expect(stderr).toContain('The link is shown only once');
    expect((await client().people.get.query({ id })).signInWay).toBe('invitation');
  });

  it('prints the link with the person in a pipe, and alone if that is asked for', async () => {
    const { exit, stdout, stderr } = await cli(inviting(), 'pipe');
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\nlink\thttp:\/\/localhost:\d+\/console\/invitation#[\w-]{43}\n$/);
    expect((await cli([...inviting(), '--jq', '.link'], 'pipe')).stdout.trim()).toMatch(LINK);
  });

  it('does not leave the link out of the fields of its output, as it is shown only once', async () => {
    const { exit, stderr } = await cli([...inviting(), '--json', 'id,name'], 'pipe');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('omits link, which is shown only once')]);
  });

  it('invites without a mail server too, and says that no link was sent or made', async () => {
    const { exit, stdout, stderr } = await cli([...inviting(), '--is-mailed']);
    expect([exit, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(
      /The link wasn't created: .*ROSTER_SMTP_URL.*\n.*roster invitations create --person-id /,
    );
  });

  describe('with an identity provider', () => {
    let fixture: SignInFixture;
    beforeAll(async () => {
      fixture = await startSignInFixture();
    });
    afterAll(() => fixture[Symbol.asyncDispose]());

    it('says where the person signs in', async () => {
      const { server } = fixture;
      const target = { url: server.url, key: server.key, output: 'terminal' } as const;
      const { exit, stdout, stderr } = await runCli(inviting(), target);
      expect([exit, stdout]).toEqual([0, '']);
      expect(stderr).toContain('tell Rui Costa to sign in at https://roster.example/sign-in as rui-');
      const list = await runCli(['people', 'list'], target);
      expect(list.stdout).toContain('Rui Costa');
      expect(list.stderr).not.toContain('Without a way to sign in');
    });
  });
});

describe('people list', () => {
  it('names on a terminal who has no way to sign in', async () => {
    const { id, name } = await aPerson();
    const { stderr } = await cli(['people', 'list']);
    expect(stderr).toMatch(
      /^Without a way to sign in: .*\. Create a link with: roster invitations create --person-id <id>$/m,
    );
    expect(stderr).toContain(name);
    expect((await cli(['people', 'list'], 'pipe')).stderr).toBe('');
    await client().invitations.create.mutate({ personId: id });
    expect((await cli(['people', 'list'])).stderr).not.toContain(name);
  });
});

describe('invitations create', () => {
  it('prints the link, and fails with what the service says', async () => {
    const { id, name } = await aPerson();
    const made = await cli(['invitations', 'create', '--person-id', id]);
    expect(made.stdout.trim()).toMatch(LINK);
    expect(made.stderr).toContain(`Created the invitation of ${name}`);
    await client().people.deactivate.mutate({ id });
    const rejected = await cli(['invitations', 'create', '--person-id', id]);
    expect([rejected.exit, rejected.stdout]).toEqual([1, '']);
    expect(rejected.stderr).toContain('The person is inactive and cannot sign in');
  });
});
