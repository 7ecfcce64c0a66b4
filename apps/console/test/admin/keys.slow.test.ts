import type { KeyWithSecret } from '@roster/api';
import { sessionOf, type TestPerson } from '@roster/server/testing/people';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  activate,
  chooseOption,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  press,
  seedOffices,
  signIn,
  tabTo,
  typeInto,
  useConsole,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('the keys', () => {
  const scene = useConsole({ seed: (server) => seedOffices(server, 3) });

  async function createKey(fields: object): Promise<KeyWithSecret> {
    const body = { scopes: ['offices:read'], ...fields };
    const response = await scene.server.request('POST', '/keys', body);
    expect(response.status).toBe(201);
    return (await response.json()) as KeyWithSecret;
  }

  /** The status of a response with a secret. */
  async function statusOf(secret: string): Promise<number> {
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${scene.server.url}/offices`, { headers })).status;
  }

  const dialog = (page: Page) => page.getByRole('dialog');
  const secretOf = (page: Page) =>
    dialog(page).getByRole('textbox', { name: 'Copy the secret now' }).inputValue();

  it('are created by keyboard alone, for some offices, and the secret stays until it is said to be kept', async () => {
    await using opened = await scene.open('/keys', { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'New key' }));
    await expectAccessible(page);
    await expectNarrow(page);
    await typeInto(page, page.getByRole('textbox', { name: 'Name' }), 'Shop window');
    await activate(page, page.getByRole('combobox', { name: 'Offices' }), 'ArrowDown');
    await press(page, 'ArrowDown', 'Enter');
    await typeInto(page, page.getByRole('combobox', { name: 'Add an office' }), 'Office 000002');
    await page.getByRole('option', { name: /Office 000002/ }).waitFor();
    await press(page, 'Enter');
    await page.getByRole('list', { name: 'Chosen offices' }).getByText('Office 000002').waitFor();
    await activate(page, page.getByRole('button', { name: 'Create key' }));
    await dialog(page).getByText('It is shown only this once').waitFor();
    const secret = await secretOf(page);
    await press(page, 'Escape', 'Escape', 'Escape');
    expect(await secretOf(page)).toBe(secret);
    await expectAccessible(page);
    await activate(page, page.getByRole('button', { name: "I've saved it" }));
    await page.getByRole('cell', { name: 'Shop window' }).waitFor();
    expect(await statusOf(secret)).toBe(200);
    expect(await page.content()).not.toContain(secret);
  });

  it('have errors at their fields, and what was typed is dropped only when that is confirmed', async () => {
    await using opened = await scene.open('/keys?create=true');
    const { page, faults } = opened;
    faults.expect(/status of 4\d\d/);
    await page.getByRole('textbox', { name: 'Name' }).fill('   ');
    await page.getByRole('button', { name: 'Create key' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
    await name.fill('Not yet');
    await press(page, 'Escape');
    await page.getByText('Discard what you typed?').waitFor();
    await page.getByRole('button', { name: 'Continue editing' }).click();
    expect(await name.inputValue()).toBe('Not yet');
    await press(page, 'Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });

  it('that are rotated say until when each of the two secrets works', async () => {
    const key = await createKey({ name: 'Rotated' });
    await using opened = await scene.open(`/keys/${key.id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Rotate' }).waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await chooseOption(dialog(page).getByLabel('Overlap'), '1 hour');
    const before = Date.now();
    await dialog(page).getByRole('button', { name: 'Rotate' }).click();
    await dialog(page).getByText('The previous secret works until').waitFor();
    await dialog(page).getByText('The new secret works until').waitFor();
    const ends = await dialog(page).getByRole('time').last().getAttribute('datetime');
    const rotatedAt = Date.parse(ends ?? '') - 3_600_000;
    expect(rotatedAt).toBeGreaterThanOrEqual(before - 1_000);
    expect(rotatedAt).toBeLessThanOrEqual(Date.now());
    expect([await statusOf(key.secret), await statusOf(await secretOf(page))]).toEqual([200, 200]);
  });

  it('are divided into tabs, and say on which day a new one ends', async () => {
    const { id } = await createKey({ name: 'Gone' });
    await createKey({ name: 'Still there' });
    await scene.server.request('PUT', `/keys/${id}/revoke`);
    await using opened = await scene.open('/keys');
    const { page } = opened;
    await page.getByRole('row', { name: /Still there/ }).waitFor();
    expect(await page.getByRole('row', { name: /Gone/ }).count()).toBe(0);
    await page.getByRole('link', { name: /^Revoked \d+$/ }).click();
    await page.getByRole('row', { name: /Gone/ }).waitFor();
    await page.getByRole('searchbox').fill('still');
    await page.getByText('No matching keys').waitFor();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByRole('row', { name: /Still there/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog(page)
      .getByRole('combobox', { name: 'Ends' })
      .getByText(/^In 90 days .*20\d\d$/)
      .waitFor();
  });

  it('are revoked only after a question that says when they were last used', async () => {
    const { id, secret } = await createKey({ name: 'Revoked' });
    expect(await statusOf(secret)).toBe(200);
    await using opened = await scene.open(`/keys/${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog(page)
      .getByText(/was last used/)
      .waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Revoke permanently' }).click();
    await page
      .getByRole('region', { name: 'Revoked' })
      .getByText('Revoked', { exact: true })
      .last()
      .waitFor();
    await expect.poll(() => statusOf(secret)).toBe(401);
  });

  it('of somebody else’s change are not overwritten silently', async () => {
    const { id } = await createKey({ name: 'Both' });
    await using opened = await scene.open(`/keys/${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Change' }).click();
    const name = dialog(page).getByRole('textbox', { name: 'Name' });
    await name.fill('Mine');
    await scene.server.request('PATCH', `/keys/${id}`, { name: 'Theirs' });
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page)
      .getByText(/Someone else changed this key/)
      .waitFor();
    expect(await name.inputValue()).toBe('Mine');
    await page.getByRole('heading', { name: 'Theirs', includeHidden: true }).waitFor();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
  });

  it('that somebody else creates appear without a reload', async () => {
    await using opened = await scene.open('/keys');
    await opened.page.getByRole('button', { name: 'New key' }).waitFor();
    await createKey({ name: 'From elsewhere' });
    await opened.page.getByRole('cell', { name: 'From elsewhere' }).waitFor();
  });

  it('offer only the scopes that the caller has', async () => {
    const key = await createKey({ name: 'Limited', scopes: ['keys:manage', 'agents:read'] });
    const session = await sessionOf(scene.server, { keyId: key.id });
    const caller: TestPerson = { id: key.id, email: '', ...session };
    await using opened = await scene.open('/keys?create=true', { as: caller });
    const { page } = opened;
    await page.getByRole('checkbox', { name: /keys:manage/ }).waitFor();
    const names = await page
      .getByRole('group', { name: 'Single permissions' })
      .getByRole('code')
      .allTextContents();
    expect(names.sort()).toEqual(['agents:read', 'keys:manage']);
  });

  it('keep what was typed when the session ends, and are created after signing in again', async () => {
    const person = await scene.person('admin');
    await using opened = await scene.open('/keys', { as: person, isKeyboardOnly: true });
    const { page, faults, context } = opened;
    await activate(page, page.getByRole('button', { name: 'New key' }));
    await typeInto(page, page.getByRole('textbox', { name: 'Name' }), 'Survivor');
    faults.expect(/status of 401/);
    await scene.server.request('PUT', `/sessions/${person.sessionId}/revoke`);
    const create = page.getByRole('button', { name: 'Create key' });
    await activate(page, create);
    await tabTo(page, dialog(page).getByRole('link', { name: 'Sign in' }));
    const again = await sessionOf(scene.server, { personId: person.id });
    await signIn(context, scene.server.url, { ...person, ...again });
    await activate(page, create);
    await dialog(page).getByText('It is shown only this once').waitFor();
    await activate(page, page.getByRole('button', { name: "I've saved it" }));
    await page.getByRole('cell', { name: 'Survivor' }).waitFor();
  });

  it('give the focus back to their row when their panel is closed', async () => {
    await createKey({ name: 'Looked at' });
    await using opened = await scene.open('/keys', { isKeyboardOnly: true });
    const { page } = opened;
    const row = page.getByRole('link', { name: 'Looked at' });
    await activate(page, row);
    await page.getByRole('heading', { name: 'Looked at' }).waitFor();
    await activate(
      page,
      page.getByRole('region', { name: 'Looked at' }).getByRole('link', { name: 'Back to the list' }),
    );
    await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('cover their list on a narrow screen, so that the keyboard stays in the panel until it is closed', async () => {
    await createKey({ name: 'On a telephone' });
    await using opened = await scene.open('/keys', { browser: { viewport: { width: 400, height: 700 } } });
    const { page } = opened;
    await page.getByRole('link', { name: 'On a telephone' }).click();
    const panel = page.getByRole('region', { name: 'On a telephone' });
    await panel.getByRole('heading', { name: 'On a telephone' }).waitFor();
    expect(await page.locator('main [inert]').count()).toBe(1);
    await expectAccessible(page);
    await panel.getByRole('link', { name: 'Back to the list' }).click();
    await expect.poll(() => page.locator('main [inert]').count()).toBe(0);
  });

  it('stay on the page of someone who may no longer read them, with the name of the right', async () => {
    const admin = await scene.person('admin');
    await createKey({ name: 'Still shown' });
    await using opened = await scene.open('/keys', { as: admin });
    const { page, faults } = opened;
    await page.getByRole('cell', { name: 'Still shown' }).waitFor();
    faults.expect(/status of 403/);
    await scene.server.request('PATCH', `/people/${admin.id}`, { grants: [{ role: 'viewer' }] });
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByText('You need this permission: Manage keys.').waitFor();
    await expect
      .poll(() => page.getByRole('navigation').getByRole('link', { name: 'API keys' }).count())
      .toBe(0);
  });
});
