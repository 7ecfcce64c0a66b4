import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const service = useTestService(async ({ client, name }) => {
  const office = await client().offices.create.mutate({ name: 'Atlântico' });
  name('office', office);
});
const { at, client } = service;

describe('api', () => {
  it('runs a query and prints the response unchanged', async () => {
    const { exit, stdout, stderr } = await at('pipe', ['api', 'offices.get', '{"id":"<office>"}']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Atlântico', version: 1 });
    expect(JSON.parse((await at('terminal', ['api', 'agents.list'])).stdout)).toEqual({ items: [] });
  });

  it('applies a change once under an idempotency key', async () => {
    const argv = ['api', 'offices.create', '{"name":"Once"}', '--idempotency-key', 'api'];
    const first = await at('pipe', argv);
    expect(first).toMatchObject({ exit: 0, stderr: '' });
    expect(await at('pipe', argv)).toEqual(first);
  });

  it('reads its input from stdin and from a file', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'roster-cli-')), 'office.json');
    writeFileSync(path, '{"name":"From a file"}');
    const from = async (argv: string[], input = '') =>
      JSON.parse((await at('pipe', ['api', 'offices.create', ...argv], { input })).stdout).name;
    expect(await from(['--input', path])).toBe('From a file');
    expect(await from([`@${path}`])).toBe('From a file');
    expect(await from(['-'], '{"name":"From stdin"}')).toBe('From stdin');
    expect(await from(['--input', '-'], '{"name":"From stdin too"}')).toBe('From stdin too');
  });

  it('prints an error as a problem object', async () => {
    const { exit, stdout, stderr } = await at('terminal', ['api', 'offices.create', '{}']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ code: 'validation_failed', status: 422 });
  });

  it('asks for confirmation before it deletes, except with --yes', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Gone' });
    const argv = ['api', 'offices.delete', JSON.stringify({ id })];
    expect(await at('pipe', argv)).toEqual({
      exit: 2,
      stdout: '',
      stderr: "roster: api: can't ask for confirmation\nAdd --yes to delete without confirmation.\n",
    });
    expect(await at('terminal', argv, { input: 'Gnoe\n' })).toMatchObject({ exit: 1 });
    expect(await at('pipe', [...argv, '--yes'])).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect((await at('pipe', ['api', 'offices.get', JSON.stringify({ id })])).exit).toBe(1);
  });

  it.each([
    [['offices.craete'], 'there is no procedure offices.craete\nThe nearest of the '],
    [['nope'], 'there is no procedure nope\nThe nearest of the '],
    [['offices.create', '{'], 'the input is not JSON: '],
    [['offices.create', '[]'], 'the input takes a JSON object\n'],
    [
      ['offices.create', '{}', '--input', '-'],
      'the input is given twice\nUse either the argument or --input.\n',
    ],
    [['keys.create', '--idempotency-key', 'x'], '--idempotency-key does not apply to keys.create\n'],
    [['offices.create', '--input', '/nowhere.json'], '--input cannot read /nowhere.json (ENOENT)\n'],
  ])('with an invalid command line exits with 2: %j', async (argv, stderr) => {
    const outcome = await at('pipe', ['api', ...argv]);
    expect(outcome).toMatchObject({ exit: 2, stdout: '' });
    expect(outcome.stderr).toContain(`roster: api: ${stderr}`);
  });
});
