import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { logged, useTestService } from '../support/test-service.ts';

const { url, key, client } = useTestService();

/** Runs a command line on a terminal. */
const at = (argv: string[], output: 'terminal' | 'pipe' = 'terminal', caller = key()) =>
  runCli(argv, { url: url(), key: caller, output, columns: 160 });

let porto = '';
beforeAll(async () => {
  const { offices, agents } = client();
  porto = (
    await offices.create.mutate({ name: 'Porto', address: { city: 'Porto' }, metadata: { unit: '7' } })
  ).id;
  for (const firstName of ['Ana', 'Rui', 'Eva'])
    await agents.create.mutate({ firstName, lastName: 'Reis', officeId: porto });
});

describe('a table', () => {
  it('has names first, and then whole ids, which commands accept', async () => {
    const { stdout } = await at(['offices', 'list']);
    expect(stdout).toMatch(new RegExp(`^NAME +ID +STATUS.*\\nPorto +${porto} +active +Porto\\n$`));
    expect((await at(['offices', 'list'], 'pipe')).stdout).toMatch(
      new RegExp(`^id\\tname.*\\n${porto}\\tPorto`),
    );
    expect((await at(['offices', 'get', porto.slice(-6)])).stderr).toContain('<id> must be a UUID');
  });

  it('has the columns in --columns, including parts and metadata, also in a pipe', async () => {
    const argv = ['offices', 'list', '--columns', 'metadata.unit, name,id'];
    expect((await at(argv)).stdout).toBe(`METADATA.UNIT  NAME   ID\n7              Porto  ${porto}\n`);
    expect((await at(argv, 'pipe')).stdout).toBe(`metadata.unit\tname\tid\n7\tPorto\t${porto}\n`);
    const unknown = await at(['offices', 'list', '--columns', 'nme']);
    expect(unknown).toMatchObject({ exit: 2, stderr: expect.stringContaining('Did you mean name?') });
    expect((await at([...argv, '--json'])).exit).toBe(2);
  });
});

describe('--jq', () => {
  it('prints the filtered JSON, strings without quotes', async () => {
    expect((await at(['offices', 'list', '--jq', '.items[] | .name'], 'pipe')).stdout).toBe('Porto\n');
    expect((await at(['offices', 'get', porto, '--jq', '.address.city, .version'])).stdout).toBe(
      'Porto\n1\n',
    );
    expect(
      (await at(['agents', 'list', '--jsonl', '--jq', '.firstName', '--sort', 'createdAt'])).stdout,
    ).toBe('Ana\nRui\nEva\n');
    expect((await at(['api', 'offices.list', '--jq', '.items|length'])).stdout).toBe('1\n');
    expect((await at(['status', '--jq', '.service'])).stdout).toBe('ready\n');
  });

  it('rejects an invalid expression with exit code 2, before any change', async () => {
    const { exit, stderr } = await at(['offices', 'create', '--name', 'Never', '--jq', '.name |']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--jq: syntax error')]);
    expect((await client().offices.list.query({ q: 'never' })).items).toEqual([]);
    const cut = await at(['offices', 'list', '--jq', '.items[']);
    expect(cut.stderr).toBe(
      'roster: offices list: --jq: syntax error, unexpected end of file\n    .items[\n          ^\n',
    );
    const failed = await at(['offices', 'list', '--jq', '.items | tonumber'], 'pipe');
    expect([failed.exit, failed.stderr]).toEqual([2, expect.stringContaining('--jq: ')]);
  });
});

describe('the actor of a change', () => {
  it('is shown by the name of the key in the log and in a history, and by its id without keys:manage', async () => {
    const { secret, id } = await client().keys.create.mutate({
      name: 'Nightly import',
      scopes: ['offices:write', 'offices:read', 'events:read'],
    });
    const made = await at(['offices', 'create', '--name', 'By key', '--json', 'id'], 'pipe', secret);
    const { id: office } = JSON.parse(made.stdout);
    await logged(client(), office, 1);
    expect((await at(['events', 'list', '--subject', office])).stdout).toContain('Nightly import');
    expect((await at(['offices', 'history', office])).stdout).toContain('by Nightly import');
    expect((await at(['events', 'list', '--subject', office], 'pipe')).stdout).toContain(id);
    expect((await at(['offices', 'history', office], 'terminal', secret)).stdout).toContain(`by ${id}`);
  });
});

describe('a change', () => {
  it('is reported as one sentence, including other records that it changed', async () => {
    const braga = await client().offices.create.mutate({ name: 'Braga' });
    for (const firstName of ['A', 'B']) {
      await client().agents.create.mutate({ firstName, lastName: 'C', officeId: braga.id });
    }
    const affiliations = [{ officeId: braga.id }];
    await client().agents.create.mutate({ firstName: 'D', lastName: 'C', affiliations });
    const said = async (...argv: string[]) => {
      const { exit, stdout, stderr } = await at(argv);
      expect([exit, stdout]).toEqual([0, '']);
      return stderr;
    };
    expect(await said('offices', 'update', braga.id, '--phone', '+351210000001')).toBe('Updated Braga\n');
    expect(await said('offices', 'deactivate', braga.id, '--cascade')).toBe(
      'Also deactivating 2 agents.\nDeactivated Braga and its 2 agents; 1 affiliation ended\n',
    );
    const [first, second] = (
      await client().agents.list.query({ officeId: braga.id, affiliation: 'primary', sort: 'createdAt' })
    ).items;
    await client().agents.update.mutate({ id: first?.id ?? '', title: 'Broker' });
    const faro = await client().offices.create.mutate({ name: 'Faro' });
    await client().agents.transfer.mutate({ id: second?.id ?? '', officeId: faro.id });
    const why = `The agent was changed since: officeId is "${faro.id}", not "${braga.id}".`;
    const lines = (await said('offices', 'reactivate', braga.id, '--cascade', '--dry-run')).split('\n');
    expect(lines[0]).toBe('2 of 3 agents would be restored.');
    expect(lines).toContain('  A C: status inactive → active');
    expect(lines.slice(3)).toEqual([
      '1 of the first 3 could not be restored:',
      `  ${second?.id}: ${why}`,
      'Nothing was undone.',
      '',
    ]);
    expect(await said('offices', 'reactivate', braga.id, '--cascade')).toBe(
      'Reactivated Braga and its 1 agent; 1 affiliation restored\n1 agent could not be reactivated:\n' +
        `  ${second?.id}  ${why}\n`,
    );
    expect((await client().agents.get.query({ id: first?.id ?? '' })).status).toBe('active');
    await client().agents.delete.mutate({ id: second?.id ?? '' });
    await client().offices.delete.mutate({ id: faro.id });
    expect(await said('offices', 'reactivate', braga.id)).toBe('Reactivated Braga\n');
    expect(await said('offices', 'revert', braga.id, '--to', '1')).toBe('Reverted Braga to version 1\n');
    const machine = await at(['offices', 'update', braga.id, '--phone', '+351210000002'], 'pipe');
    expect(machine).toMatchObject({ stderr: '', stdout: expect.stringContaining('phone\t+351210000002\n') });
    const json = await at(['offices', 'update', braga.id, '--phone', '+351210000003', '--json', 'phone']);
    expect(JSON.parse(json.stdout)).toEqual({ phone: '+351210000003' });
  });
});
