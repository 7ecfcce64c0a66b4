import { describe, expect, it } from 'vitest';
import { createAgent, readRecord } from '../support/directory.ts';
import { expectAccessible, hasBrowser, signIn, useConsole } from '../support/index.ts';

/** The frame of a record, with its dialogs; the list beside it has tests of its own. */
const panel = '[aria-labelledby="panel-title"]';

describe.skipIf(!hasBrowser)('what was typed', () => {
  const scene = useConsole();
  const phone = 'Phone';

  it('is there after a reload, with its age, and can be discarded', async () => {
    const agent = await createAgent(scene.server, 'Reload', { phone: '+351210000001' });
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page } = opened;
    const field = page.getByLabel(phone, { exact: true });
    await field.fill('+351210000005');
    await page.reload();
    await page
      .getByText(/^Unsaved draft from/)
      .first()
      .waitFor();
    expect(await field.inputValue()).toBe('+351210000005');
    await expectAccessible(page, panel);
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await expect.poll(() => field.inputValue()).toBe('+351210000001');
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe('+351210000001');
  });

  it('is kept when the form is left, which the page says, and offered with the record', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Left', { phone: '+351210000001' });
    await using opened = await scene.open(`/agents/${agent.id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Edit: Contact' }).click();
    await page.getByLabel(phone, { exact: true }).fill('+351210000005');
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByText('Draft of Ana Left saved').waitFor();
    await page.goBack();
    await page.getByText('Not saved: Phone').waitFor();
    await expectAccessible(page, panel);
    await page.getByRole('link', { name: 'Continue editing' }).click();
    expect(await page.getByLabel(phone, { exact: true }).inputValue()).toBe('+351210000005');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Ana Left' }).waitFor();
    await expect.poll(async () => (await readRecord(server, 'agents', agent.id)).phone).toBe('+351210000005');
  });

  it('marks each field that it has changed, which the button counts, and takes no key after "back"', async () => {
    const agent = await createAgent(scene.server, 'Marked', { phone: '+351210000001', nickname: 'Anita' });
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page } = opened;
    const field = page.getByLabel(phone, { exact: true });
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await field.fill('+351210000005');
    await page.locator('summary', { hasText: 'Name' }).click();
    await page.getByLabel('Nickname').fill('Ani');
    await page.getByRole('button', { name: 'Save 2 changes' }).waitFor();
    await page.reload();
    await page.getByText('2 unsaved fields').waitFor();
    expect(await page.getByText('Changed, not saved').count()).toBe(2);
    expect(await page.getByLabel('Nickname').inputValue()).toBe('Ani');
    await expectAccessible(page, panel);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Save 2 changes' }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('button', { name: 'Save 2 changes' }).waitFor();
    await page.keyboard.type('7');
    expect(await field.inputValue()).toBe('+351210000005');
  });

  it('survives the end of the session, and is saved after a new one', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Session', { phone: '+351210000001' });
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page, context, person, faults } = opened;
    faults.expect(/status of 401/);
    await page.getByLabel(phone, { exact: true }).fill('+351210000005');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/^You're signed out/)
      .first()
      .waitFor();
    expect(await page.getByLabel(phone, { exact: true }).inputValue()).toBe('+351210000005');
    if (person === undefined) throw new Error('nobody was signed in');
    await signIn(context, server.url, person);
    await page.reload();
    await page
      .getByText(/^Unsaved draft from/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await readRecord(server, 'agents', agent.id)).phone).toBe('+351210000005');
  });

  it('survives a service that cannot be reached', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Away', { phone: '+351210000001' });
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page, context, faults } = opened;
    faults.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
    await page.getByLabel(phone, { exact: true }).fill('+351210000005');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText("Can't reach the server").first().waitFor();
    await context.setOffline(false);
    // It says so no longer than it is so.
    await page.getByText('The service is available again. Your input is kept. Try again.').waitFor();
    expect(await page.getByText("Can't reach the server").count()).toBe(0);
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await expect.poll(async () => (await readRecord(server, 'agents', agent.id)).phone).toBe('+351210000005');
  });

  it('belongs to its tab: two tabs on one record have two drafts', async () => {
    const agent = await createAgent(scene.server, 'Tabs', { phone: '+351210000001' });
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page, context } = opened;
    const field = page.getByLabel(phone, { exact: true });
    await field.fill('first');
    const other = await context.newPage();
    await other.goto(page.url());
    const otherField = other.getByLabel(phone, { exact: true });
    await expect.poll(() => otherField.inputValue()).toBe('+351210000001');
    await otherField.fill('second');
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe('first');
    await other.reload();
    await expect.poll(() => otherField.inputValue()).toBe('second');
  });

  it('is discarded by Cancel, which can be undone, and without the fields of other forms', async () => {
    const agent = await createAgent(scene.server, 'Cancelled', { phone: '+351210000001', nickname: 'Ani' });
    await using opened = await scene.open(`/agents/${agent.id}`);
    const { page } = opened;
    const field = page.getByLabel(phone, { exact: true });
    await page.locator('summary', { hasText: 'Name' }).click();
    await page.getByRole('button', { name: 'Edit: Name', exact: true }).click();
    await page.getByLabel('Nickname').fill('Anita');
    await page.getByRole('button', { name: 'Close, keep draft' }).click();
    await page.getByText('Not saved: Nickname').waitFor();
    await page.getByRole('button', { name: 'Edit: Contact' }).click();
    await field.fill('+351210000005');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Changes to Ana Cancelled discarded').waitFor();
    await page.getByText('Not saved: Nickname').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => field.inputValue()).toBe('+351210000005');
    await page.getByRole('button', { name: 'Save 2 changes' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Ana Cancelled' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Edit: Contact' }).waitFor();
    expect(await page.getByText(/^Unsaved draft from|^Not saved/).count()).toBe(0);
  });

  it('of a new record is there when the form is opened again', async () => {
    await using opened = await scene.open('/offices/new');
    const { page } = opened;
    await page
      .getByLabel('Name *')
      .or(page.getByLabel('Name', { exact: true }))
      .first()
      .fill('Draft office');
    await page.getByRole('button', { name: 'Close, keep draft' }).click();
    await page.getByText('Draft of the new record saved').waitFor();
    await page.getByRole('link', { name: 'New office' }).click();
    const name = page.getByRole('form').getByRole('textbox').first();
    await expect.poll(() => name.inputValue()).toBe('Draft office');
  });

  it('into a record that somebody deletes meanwhile is kept until it is restored, which the page says', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Deleted', { phone: '+351210000001' });
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page, faults, following } = opened;
    const field = page.getByLabel(phone, { exact: true });
    await field.fill('+351210000005');
    await following;
    faults.expect(/status of 404/);
    await server.request('DELETE', `/agents/${agent.id}`);
    await page.getByRole('heading', { name: 'Ana Deleted' }).waitFor();
    await page
      .getByText('Ana Deleted was deleted. To save your changes, restore the record first.')
      .waitFor();
    await page.getByText('Your draft is kept. Restore the record to continue.').waitFor();
    expect(await page.getByText('Continue editing').count()).toBe(0);
    await expectAccessible(page, panel);
    await page.reload();
    await page.getByRole('heading', { name: 'Ana Deleted' }).waitFor();
    await page.getByText('Not saved: Phone').waitFor();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect.poll(() => field.inputValue()).toBe('+351210000005');
  });
});
