import { describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const { at, client, name, printed } = service;

describe('delete and restore', () => {
  it('delete without confirmation with --yes, and restore', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Gone' });
    name('gone', { id });
    expect(await at('pipe', ['offices', 'delete', '<gone>', '--yes'])).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Deleted office ${'<gone>'.padEnd(36, '-')}. Restore it with: roster offices restore ${'<gone>'.padEnd(36, '-')}\n`,
    });
    expect((await at('pipe', ['offices', 'get', '<gone>'])).exit).toBe(1);
    expect(await printed('offices', 'restore', '<gone>')).toMatchObject({ name: 'Gone', version: 2 });
  });

  it('do not delete if stdin is not a terminal', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Kept' });
    expect(await at('pipe', ['offices', 'delete', id])).toEqual({
      exit: 2,
      stdout: '',
      stderr:
        "roster: offices delete: can't ask for confirmation\nAdd --yes to delete without confirmation.\n",
    });
    expect(await printed('offices', 'get', id)).toMatchObject({ name: 'Kept' });
  });

  it('delete if the user types the name', async () => {
    const { id } = await client().offices.create.mutate({ name: '東京 Office' });
    const { exit, stdout, stderr } = await at('terminal', ['offices', 'delete', id], {
      input: '東京 Office\n',
    });
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' });
    expect(stderr).toMatch(
      /^Delete the office "東京 Office"\? Type its name to confirm: Deleted office "東京 Office" \(/,
    );
  });

  it('name the record by its name and id on a terminal', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Named' });
    const deleted = await at('terminal', ['offices', 'delete', id, '--yes']);
    expect(deleted).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Deleted office "Named" (${id}). Restore it with: roster offices restore ${id}\n`,
    });
    const restored = await at('terminal', ['offices', 'restore', id]);
    expect(restored).toMatchObject({ exit: 0, stderr: 'Restored Named\n' });
    const { secret } = await client().keys.create.mutate({ name: 'Writer', scopes: ['offices:write'] });
    expect(await at('terminal', ['offices', 'delete', id, '--yes'], { key: secret })).toMatchObject({
      exit: 0,
      stderr: `Deleted office ${id}. Restore it with: roster offices restore ${id}\n`,
    });
  });

  it.each(['Tokyo\n', '\n', ''])('delete nothing if the user types %j instead of the name', async (input) => {
    const agent = await client().agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' });
    const outcome = await at('terminal', ['agents', 'delete', agent.id], { input });
    expect(outcome).toEqual({
      exit: 1,
      stdout: '',
      stderr:
        'Delete the agent "Ana Reis"? Type its name to confirm: roster: agents delete: the name does not match; nothing was deleted\n',
    });
    expect(await printed('agents', 'get', agent.id)).toMatchObject({ id: agent.id });
  });

  it('list the number of dependent records', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Full' });
    await client().agents.create.mutate({ firstName: 'A', lastName: 'B', officeId: id });
    const { exit, stderr } = await at('pipe', ['offices', 'delete', id, '--yes']);
    expect(exit).toBe(1);
    expect(stderr).toMatch(
      /^roster: offices delete: .+\n {2}agents: 1\nMove or delete them first, or deactivate it instead: roster offices deactivate <id>\n/,
    );
  });
});
