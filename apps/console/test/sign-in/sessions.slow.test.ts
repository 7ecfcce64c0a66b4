import { sessionOf } from '@roster/server/testing/people';
import { describe, expect, it } from 'vitest';
import {
  activate,
  chooseOption,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  useConsole,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('the sessions', () => {
  const scene = useConsole();

  /** The status of a response with a session. */
  async function statusOf(headers: Record<string, string>): Promise<number> {
    return (await fetch(`${scene.server.url}/me`, { headers })).status;
  }

  it('of oneself are listed for everyone, this one marked, and another one is ended by keyboard alone', async () => {
    const viewer = await scene.person('viewer');
    const other = await sessionOf(scene.server, { personId: viewer.id });
    await using opened = await scene.open('/sessions', { as: viewer, isKeyboardOnly: true });
    const { page } = opened;
    const table = page.getByRole('table', { name: 'Sessions' });
    await table.getByText('This session').waitFor();
    expect(await table.getByText('This session').count()).toBe(1);
    await expectAccessible(page);
    await expectNarrow(page);
    await activate(page, table.getByRole('button', { name: 'End' }));
    await expectAccessible(page);
    await activate(page, page.getByRole('button', { name: 'End the session' }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => table.getByRole('button', { name: 'End' }).count()).toBe(0);
    expect([await statusOf(other.headers), await statusOf(viewer.headers)]).toEqual([401, 200]);
  });

  it('of others are chosen by their name, by those who manage people', async () => {
    const other = await scene.person('viewer', undefined, 'Zita Outra');
    await using opened = await scene.open('/sessions');
    const { page } = opened;
    await chooseOption(page.getByLabel('Sessions of'), `Zita Outra (${other.email})`);
    await expect.poll(() => new URL(page.url()).searchParams.get('personId')).toBe(other.id);
    const table = page.getByRole('table', { name: 'Sessions' });
    await expect.poll(() => table.getByText('This session').count()).toBe(0);
    await table.getByRole('button', { name: 'End' }).click();
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByText('No sessions.').waitFor();
    expect(await statusOf(other.headers)).toBe(401);
  });

  it('of a key are those of the URL', async () => {
    const body = { name: 'Signs in', scopes: ['offices:read'] };
    const key = (await (await scene.server.request('POST', '/keys', body)).json()) as { id: string };
    await sessionOf(scene.server, { keyId: key.id });
    await using opened = await scene.open(`/sessions?keyId=${key.id}`);
    const { page } = opened;
    await page.getByText('The sessions that were signed in with the key Signs in').waitFor();
    await page.getByRole('cell', { name: 'A test' }).waitFor();
    await page.getByRole('button', { name: 'Show mine' }).click();
    await page.getByText('This session').waitFor();
  });

  it('end with the page that signs out', async () => {
    const viewer = await scene.person('viewer');
    await using opened = await scene.open('/sessions', { as: viewer });
    const { page, faults } = opened;
    faults.expect(/status of 401/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/console\/sign-in/);
    expect(await statusOf(viewer.headers)).toBe(401);
  });
});
