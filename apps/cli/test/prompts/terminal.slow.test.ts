import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { keys, startAt } from '../support/terminal.ts';
import { useTestService } from '../support/test-service.ts';

const { url, key, client } = useTestService();
const main = new URL('../../src/roster.js', import.meta.url).pathname;

/** Runs a command line in a pseudo-terminal. */
function roster(...argv: string[]) {
  return startAt(process.execPath, [main, ...argv], { ROSTER_URL: url(), ROSTER_KEY: key() });
}

describe('a user on a terminal', () => {
  it('leaves the prompt for a key with Ctrl-D as with Ctrl-C', async () => {
    using terminal = roster('login');
    await terminal.sees('Key');
    terminal.type(keys.ctrlD);
    expect(await terminal.exit).toBe(130);
    expect(terminal.text()).not.toMatch(/Warning|await/);
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
