import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { keys, startAt } from '../../test/support/terminal.ts';
import { useTestService } from '../../test/support/test-service.ts';

const { url, key, client } = useTestService();
const main = new URL('../../src/roster.js', import.meta.url).pathname;

/** Runs a command line in a pseudo-terminal. */
function roster(...argv: string[]) {
  return startAt(process.execPath, [main, ...argv], { ROSTER_URL: url(), ROSTER_KEY: key() });
}

describe('a user on a terminal', () => {
  it('is prompted for an agent field by field, with validation while typing', async () => {
    using terminal = roster('agents', 'create');
    await terminal.sees('First name');
    terminal.type(keys.enter);
    await terminal.sees('First name is required');
    terminal.type(`Ana${keys.enter}`);
    await terminal.sees('Last name');
    terminal.type(`Reis${keys.enter}`);
    await terminal.sees('More fields?');
    await terminal.pressUntil(keys.down, '❯◯ Email');
    terminal.type(`${keys.space}${keys.enter}`);
    await terminal.sees('? Email');
    terminal.type('ana');
    await terminal.sees('Email must be an e-mail address such as ana@example.com');
    terminal.type('@b.example');
    await terminal.sees('ana@b.example');
    terminal.type(keys.enter);
    await terminal.sees(
      'The same without prompts: roster agents create --first-name Ana --last-name Reis --email ana@b.example',
    );
    expect(await terminal.exit).toBe(0);
    const { items } = await client().agents.list.query({ email: 'ana@b.example' });
    expect(items).toMatchObject([{ displayName: 'Ana Reis' }]);
    expect(terminal.text()).toContain(items[0]?.id);
  });

  it('selects enum values, and leaves with Ctrl-C without creating anything', async () => {
    using terminal = roster('keys', 'create');
    await terminal.sees('Name');
    terminal.type(`Website${keys.enter}`);
    await terminal.sees('offices:read');
    terminal.type(keys.space);
    terminal.type(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
    expect((await client().keys.list.query({})).items).toEqual([]);
  });

  it('is prompted for the other half of a pair', async () => {
    using terminal = roster('offices', 'create');
    await terminal.sees('? Name');
    terminal.type(`Paired${keys.enter}`);
    await terminal.sees('More fields?');
    await terminal.pressUntil(keys.down, '❯◯ Source name');
    terminal.type(`${keys.space}${keys.enter}`);
    await terminal.sees('? Source name');
    terminal.type(`MLS${keys.enter}`);
    await terminal.sees('? Source key');
    terminal.type(keys.enter);
    await terminal.sees('Source key is required');
    terminal.type(`it's 1${keys.enter}`);
    await terminal.sees(`--source-name MLS --source-key 'it'\\''s 1'`);
    expect(await terminal.exit).toBe(0);
    const { items } = await client().offices.list.query({ sourceName: ['MLS'] });
    expect(items).toMatchObject([{ name: 'Paired', source: { name: 'MLS', key: "it's 1" } }]);
  });

  it('cancels the deletion of a record with Ctrl-C', async () => {
    const { id } = await client().offices.create.mutate({ name: 'Kept' });
    using terminal = roster('offices', 'delete', id);
    await terminal.sees('Delete the office "Kept"? Type its name to confirm:');
    terminal.type(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
    expect(await client().offices.get.query({ id })).toMatchObject({ name: 'Kept' });
  });

  it('logs in with a key that is not echoed', async () => {
    using terminal = startAt(process.execPath, [main, 'login'], {});
    await terminal.sees('URL of the service (http://127.0.0.1:3000)');
    terminal.type(`${url()}${keys.enter}`);
    await terminal.sees('Key');
    terminal.type(`${key()}${keys.enter}`);
    await terminal.sees(`Logged in to ${url()}`);
    expect(await terminal.exit).toBe(0);
    expect(terminal.text()).not.toContain(key());
  });
});
