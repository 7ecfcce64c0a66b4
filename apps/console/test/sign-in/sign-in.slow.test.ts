import { describe, expect, it } from 'vitest';
import {
  expectAccessible,
  hasBrowser,
  press,
  seedOffices,
  signIn,
  typeInto,
  useConsole,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('signing in', () => {
  const scene = useConsole({ seed: (server) => seedOffices(server, 3) });

  it('takes a key, says what is wrong with another, and returns to the view with its filters', async () => {
    await using opened = await scene.open('/offices?status=active', { as: null, isKeyboardOnly: true });
    const { page, faults } = opened;
    faults.expect(/status of 401/);
    await page.getByRole('heading', { name: 'Sign in to Roster' }).waitFor();
    const field = page.getByRole('textbox', { name: 'API key' });
    await typeInto(page, field, 'rst_wrong');
    await press(page, 'Enter');
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
    await expectAccessible(page);
    await typeInto(page, field, scene.server.key);
    await press(page, 'Enter');
    await page.getByText('Office 000003').waitFor();
    expect(new URL(page.url()).search).toBe('?status=active');
  });

  it('ends with signing out, also for the tabs that are open', async () => {
    await using opened = await scene.open('/offices');
    const { page, context, faults } = opened;
    faults.expect(/status of 401/);
    await page.getByText('Office 000003').waitFor();
    const other = await context.newPage();
    await other.goto(`${scene.server.url}/console/offices`);
    await other.getByText('Office 000003').waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menu').waitFor();
    await expectAccessible(page, '[role=menu]');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/console\/sign-in/);
    await other.getByRole('alert').filter({ hasText: "You're signed out" }).waitFor();
    await page.goto(`${scene.server.url}/console/offices`);
    await page.getByRole('heading', { name: 'Sign in to Roster' }).waitFor();
  });

  it('goes on where it was when the session ends and someone signs in again in another tab', async () => {
    await using opened = await scene.open('/offices');
    const { page, context, faults } = opened;
    faults.expect(/status of 401/);
    await page.getByText('Office 000003').waitFor();
    const headers = { Origin: scene.server.url, 'Content-Type': 'application/json' };
    expect((await context.request.post(`${scene.server.url}/sign-out`, { headers, data: {} })).ok()).toBe(
      true,
    );
    await page.getByRole('link', { name: 'Activity' }).click();
    const banner = page.getByRole('alert').filter({ hasText: "You're signed out" });
    await banner.waitFor();
    await expectAccessible(page);
    const opening = context.waitForEvent('page');
    await banner.getByRole('link', { name: 'Sign in' }).click();
    const other = await opening;
    await other.getByRole('textbox', { name: 'API key' }).fill(scene.server.key);
    await other.keyboard.press('Enter');
    await banner.waitFor({ state: 'detached' });
    await page
      .getByRole('list', { name: 'Changes' })
      .getByText(/created$/)
      .first()
      .waitFor();
  });

  it('goes on in an open tab when another one is opened by whoever has signed in elsewhere', async () => {
    await using opened = await scene.open('/offices');
    const { page, context, faults } = opened;
    faults.expect(/status of 401/);
    await page.getByText('Office 000003').waitFor();
    const headers = { Origin: scene.server.url, 'Content-Type': 'application/json' };
    await context.request.post(`${scene.server.url}/sign-out`, { headers, data: {} });
    await page.getByRole('link', { name: 'Activity' }).click();
    const banner = page.getByRole('alert').filter({ hasText: "You're signed out" });
    await banner.waitFor();
    await signIn(context, scene.server.url, await scene.person('viewer'));
    const other = await context.newPage();
    await other.goto(`${scene.server.url}/console/offices`);
    await banner.waitFor({ state: 'detached' });
    await page
      .getByRole('list', { name: 'Changes' })
      .getByText(/created$/)
      .first()
      .waitFor();
  });
});
