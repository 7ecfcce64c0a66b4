import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createAgent, readRecord } from '../support/directory.ts';
import {
  activate,
  expectAccessible,
  focused,
  hasBrowser,
  type OpenOptions,
  press,
  tabTo,
  typeInto,
  useConsole,
} from '../support/index.ts';

const grid = (page: Page) => page.getByRole('grid');
/** The editor of a cell, which is a dialog that is not modal. */
const editor = (page: Page, column: string) => page.getByRole('dialog', { name: column, exact: true });

/** Holds the code of the editor until a promise is fulfilled, as a slow network does. */
async function holdEditor(page: Page, until: Promise<void>): Promise<void> {
  await page.route(/\/cell-editor-/, async (route) => {
    await until;
    await route.continue();
  });
}

describe.skipIf(!hasBrowser)('a cell of the list', () => {
  const scene = useConsole();

  /** Opens the list of one agent, and goes to the cell of a column by the keyboard alone. */
  async function openAt(
    name: string,
    column: string,
    { as = 'editor', prepare }: { as?: 'editor' | 'viewer'; prepare?: OpenOptions['prepare'] } = {},
  ) {
    const opened = await scene.open(`/agents?q=${name}&columns=displayName&columns=${column}`, {
      as,
      isKeyboardOnly: true,
      ...(prepare !== undefined && { prepare }),
    });
    const { page } = opened;
    await grid(page).getByRole('link', { name }).first().waitFor();
    await tabTo(page, grid(page));
    await press(page, 'Control+Home', 'Home', 'ArrowRight', 'ArrowRight');
    return opened;
  }

  it('is edited in its place by F2, saved by Enter and taken back by one press, without a mouse', async () => {
    const agent = await createAgent(scene.server, 'Telefona', { phone: '+351210000001' });
    await using opened = await openAt('Telefona', 'phone');
    const { page } = opened;
    await press(page, 'F2');
    const field = editor(page, 'Phone').getByLabel('Phone', { exact: true });
    await expect.poll(() => focused(page)).toMatch(/Phone/);
    expect(await field.inputValue()).toBe('+351210000001');
    await expectAccessible(page);
    await press(page, 'ControlOrMeta+A');
    await page.keyboard.type('+351210000002');
    await press(page, 'Enter');
    await grid(page).getByText('+351 21 000 0002').waitFor();
    await editor(page, 'Phone').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('gridcell "+351 21 000 0002"');
    expect(await readRecord(scene.server, 'agents', agent.id)).toMatchObject({
      phone: '+351210000002',
      version: 2,
    });
    await activate(page, page.getByRole('button', { name: 'Undo' }));
    await grid(page).getByText('+351 21 000 0001').waitFor();
    expect(await readRecord(scene.server, 'agents', agent.id)).toMatchObject({
      phone: '+351210000001',
      version: 3,
    });
  });

  it('has what was typed while its editor was loaded, of which no shortcut gets a key', async () => {
    const agent = await createAgent(scene.server, 'Depressa', { title: null });
    const loaded = Promise.withResolvers<void>();
    await using opened = await openAt('Depressa', 'title', {
      prepare: (page) => holdEditor(page, loaded.promise),
    });
    const { page } = opened;
    await press(page, 'F2');
    // These are the keys of the list of offices, of the search, and of the list of shortcuts.
    await page.keyboard.type('g o/?x');
    await press(page, 'Backspace');
    expect(await editor(page, 'Job title').count()).toBe(0);
    loaded.resolve();
    const field = editor(page, 'Job title').getByLabel('Job title', { exact: true });
    await expect.poll(() => field.inputValue()).toBe('g o/?');
    await page.keyboard.type('!');
    await press(page, 'Enter');
    await grid(page).getByText('g o/?!').waitFor();
    expect(await readRecord(scene.server, 'agents', agent.id)).toMatchObject({ title: 'g o/?!' });
  });

  it('is left by Escape before its editor is loaded, and the keys act as usual again', async () => {
    await createAgent(scene.server, 'Desisto', { title: 'Broker' });
    const loaded = Promise.withResolvers<void>();
    await using opened = await openAt('Desisto', 'title', {
      prepare: (page) => holdEditor(page, loaded.promise),
    });
    const { page } = opened;
    await press(page, 'F2', 'x', 'Escape', '?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).or(page.locator('[data-modal]')).first().waitFor();
    loaded.resolve();
  });

  it('says at the cell what is wrong, and Escape leaves it without a change', async () => {
    const agent = await createAgent(scene.server, 'Correia', { email: 'correia@atlantico.example' });
    await using opened = await openAt('Correia', 'email');
    const { page, faults } = opened;
    await press(page, 'e');
    const field = editor(page, 'Email').getByLabel('Email', { exact: true });
    await field.waitFor();
    await typeInto(page, field, 'no address');
    faults.expect(/status of 422/);
    await press(page, 'Enter');
    await editor(page, 'Email')
      .getByText(/^must be an email/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await tabTo(page, field);
    await press(page, 'Escape');
    await editor(page, 'Email').waitFor({ state: 'detached' });
    await page.getByText('Draft of Ana Correia saved').waitFor();
    await expect.poll(() => focused(page)).toBe('gridcell "correia@atlantico.example"');
    expect(await readRecord(scene.server, 'agents', agent.id)).toMatchObject({ version: 1 });
  });

  it('asks which value stays if somebody else has changed the same meanwhile', async () => {
    const agent = await createAgent(scene.server, 'Conflito', { title: 'Broker' });
    await using opened = await openAt('Conflito', 'title');
    const { page, faults, following } = opened;
    await following;
    await press(page, 'F2');
    const field = editor(page, 'Job title').getByLabel('Job title', { exact: true });
    await field.waitFor();
    await typeInto(page, field, 'Partner');
    await scene.server.request('PATCH', `/agents/${agent.id}`, { title: 'Manager' });
    faults.expect(/status of 412/);
    await press(page, 'Enter');
    const question = editor(page, 'Job title').getByRole('group', { name: 'Conflict: Job title' });
    await question.getByText('Manager').first().waitFor();
    await expectAccessible(page);
    expect(await readRecord(scene.server, 'agents', agent.id)).toMatchObject({ title: 'Manager' });
  });

  it('edits the names of an agent, and lists too, and opens the record where there is nothing to edit', async () => {
    const agent = await createAgent(scene.server, 'Nomes', { languages: ['pt'] });
    await using opened = await openAt('Nomes', 'languages');
    const { page } = opened;
    await press(page, 'F2');
    const language = editor(page, 'Languages').getByRole('textbox', { name: 'Languages 1' });
    await expect.poll(() => focused(page)).toMatch(/Languages/);
    await typeInto(page, language, 'en');
    await press(page, 'Enter');
    await grid(page).getByText('en', { exact: true }).waitFor();
    await press(page, 'ArrowLeft', 'F2');
    const first = editor(page, 'Name').getByLabel('First name');
    await first.waitFor();
    await typeInto(page, first, 'Aninhas');
    await press(page, 'Enter');
    await grid(page).getByRole('link', { name: 'Aninhas Nomes' }).waitFor();
    expect(await readRecord(scene.server, 'agents', agent.id)).toMatchObject({
      firstName: 'Aninhas',
      languages: ['en'],
    });
    await page.goto(`${scene.server.url}/console/agents?q=Nomes&columns=displayName&columns=status`);
    await grid(page).getByRole('link', { name: 'Nomes' }).waitFor();
    await tabTo(page, grid(page));
    await press(page, 'Control+Home', 'End', 'Enter');
    await expect.poll(() => new URL(page.url()).pathname).toContain(agent.id);
  });

  it('is read only for someone who may not write', async () => {
    const agent = await createAgent(scene.server, 'Leitora', { phone: '+351210000001' });
    await using opened = await openAt('Leitora', 'phone', { as: 'viewer' });
    const { page } = opened;
    expect(await grid(page).getAttribute('aria-readonly')).toBe('true');
    await press(page, 'F2');
    await expect.poll(() => focused(page)).toBe('gridcell "+351 21 000 0001"');
    await press(page, 'Enter');
    await expect.poll(() => new URL(page.url()).pathname).toContain(agent.id);
    expect(await editor(page, 'Phone').count()).toBe(0);
  });
});
