import { describe, expect, it } from 'vitest';
import { changeRecord, createAgent, createRecord, readRecord } from '../support/directory.ts';
import {
  activate,
  expectAccessible,
  hasBrowser,
  press,
  smallTargets,
  tabTo,
  useConsole,
} from '../support/index.ts';

const noMouse = { isKeyboardOnly: true } as const;

/** The frame of a record, with its dialogs; the list beside it has tests of its own. */
const panel = '[aria-labelledby="panel-title"]';

describe.skipIf(!hasBrowser)('a record', () => {
  const scene = useConsole();

  it('shows its values as people read them, with links that nothing harmful can be behind', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Values Lisboa' });
    const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    const agent = await createAgent(server, 'Values', {
      officeId: office.id,
      phone: '+351210000042',
      phoneExt: '12',
      email: 'values@atlantico.example',
      website: 'https://www.atlantico.example/ana',
      languages: ['pt-PT', 'en'],
      licenses: [{ number: 'CI-1', region: '11', expiresOn: inTenDays }],
      address: { line1: 'Rua da Prata 80', postalCode: '1100-420', city: 'Lisboa', country: 'PT' },
      metadata: { costCentre: '4711' },
    });
    await using opened = await scene.open(`/agents/${agent.id}`, { as: 'viewer' });
    const { page } = opened;
    const region = page.getByRole('region', { name: 'Ana Values' });
    const href = (name: string | RegExp) => region.getByRole('link', { name }).first().getAttribute('href');
    await region.getByRole('link', { name: 'Values Lisboa' }).first().waitFor();
    expect(await href('+351 21 000 0042')).toBe('tel:+351210000042;ext=12');
    expect(await href('values@atlantico.example')).toBe('mailto:values@atlantico.example');
    expect(await href('atlantico.example/ana')).toBe('https://www.atlantico.example/ana');
    await region.locator('summary', { hasText: 'Other system and custom fields' }).click();
    for (const text of ['European Portuguese', '10 days left', '1100-420 Lisboa', 'Portugal', '4711'])
      await region.getByText(text).first().waitFor();
    expect(await region.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
    expect(await region.getByRole('button', { name: 'More actions' }).count()).toBe(0);
    await expectAccessible(page, panel);
  });

  it('fits a telephone in Portuguese, and covers the list', async () => {
    const agent = await createAgent(scene.server, 'Estreita', { title: 'Consultora' });
    const browser = { locale: 'pt-PT', viewport: { width: 320, height: 640 } };
    await using opened = await scene.open(`/agents/${agent.id}`, { browser });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Ana Estreita' }).waitFor();
    await page.getByRole('link', { name: 'Detalhes' }).waitFor();
    await page.getByText('Cargo', { exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await expectAccessible(page, panel);
    await page.getByRole('link', { name: 'Voltar à lista' }).click();
    await page.getByRole('heading', { name: 'Agentes' }).waitFor();
  });

  it('fills a telephone, also as a page: what is done first has a target of 44 px, the rest is in a menu', async () => {
    const agent = await createAgent(scene.server, 'Telefone', { mobilePhone: '+351913000106' });
    const browser = { viewport: { width: 390, height: 844 } };
    await using opened = await scene.open(`/agents/${agent.id}/page`, { as: 'editor', browser });
    const { page } = opened;
    await page.getByRole('link', { name: 'Back to the list Agents' }).waitFor();
    await page.getByRole('link', { name: 'Call' }).waitFor();
    const targets = page.locator(panel).locator('header :is(a, button), [role=toolbar] > *');
    expect(await smallTargets(targets)).toEqual([]);
    expect(
      await page.getByRole('link', { name: /^(Edit|Open as a page|Show beside the list)$/ }).count(),
    ).toBe(0);
    await expectAccessible(page, panel);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.waitForURL(/\/edit/);
  });

  it('shows what someone else changes at once, and who it was', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Live', { phone: '+351210000001' });
    const rui = await scene.person('editor', undefined, 'Rui Costa');
    await using opened = await scene.open(`/agents/${agent.id}`);
    const { page, following } = opened;
    await page.getByRole('link', { name: '+351 21 000 0001', exact: true }).waitFor();
    await following;
    await changeRecord(server, `/agents/${agent.id}`, { fields: { phone: '+351210000002' }, by: rui });
    await page.getByRole('link', { name: '+351 21 000 0002', exact: true }).waitFor();
    await page.getByText('Just changed by Rui Costa: Phone').waitFor();
  });

  it('is deactivated with a reason and taken back, without a mouse', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Status');
    await using opened = await scene.open(`/agents/${agent.id}`, { as: 'editor', ...noMouse });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'More actions' }));
    await press(page, 'Enter');
    const dialog = page.getByRole('dialog', { name: 'Deactivate Ana Status' });
    await dialog.waitFor();
    // An editor may not schedule.
    expect(await dialog.getByRole('radio').count()).toBe(0);
    await expectAccessible(page, panel);
    await tabTo(page, dialog.getByLabel('Reason'));
    await page.keyboard.type('On leave');
    await activate(page, dialog.getByRole('button', { name: 'Deactivate' }));
    await page.getByText('Inactive since').waitFor();
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({
      status: 'inactive',
      statusReason: 'On leave',
    });
    await changeRecord(server, `/agents/${agent.id}`, { fields: { title: 'Director' } });
    await activate(page, page.getByRole('button', { name: 'Undo' }));
    await page.getByText('Undone').waitFor();
    expect((await readRecord(server, 'agents', agent.id)).status).toBe('active');
  });

  it('has a change on a day scheduled and cancelled', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Scheduled');
    await using opened = await scene.open(`/agents/${agent.id}`, { as: 'manager' });
    const { page } = opened;
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate …' }).click();
    await page.getByRole('radio', { name: 'On a date' }).check();
    await page.getByRole('combobox', { name: 'Date', exact: true }).fill('2035-07-01');
    await expectAccessible(page, panel);
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByText(/^On 1 Jul 2035, in/).waitFor();
    await expectAccessible(page, panel);
    await page.getByRole('button', { name: 'Cancel deactivation' }).click();
    await page.getByText(/^On 1 Jul 2035, in/).waitFor({ state: 'detached' });
    const { status, scheduledChanges } = await readRecord(server, 'agents', agent.id);
    expect({ status, scheduledChanges }).toEqual({ status: 'active', scheduledChanges: [] });
  });

  it('has its office with the job title, and its teams, in one list, and each is changed by one press', async () => {
    const { server } = scene;
    const address = { city: 'Lisboa', country: 'PT' };
    const office = await createRecord(server, 'offices', { name: 'Listed Baixa', address });
    const agent = await createAgent(server, 'Listed', { officeId: office.id, title: 'Partner' });
    const members = [{ agentId: agent.id, role: 'lead', since: '2026-03-01' }];
    await createRecord(server, 'teams', { name: 'Equipa Listada', members });
    await using opened = await scene.open(`/agents/${agent.id}/page`);
    const { page } = opened;
    const region = page.getByRole('region', { name: 'Offices and teams' });
    const line = (text: RegExp) => region.getByRole('listitem').filter({ hasText: text });
    await line(/^Equipa Listada.*1 member.*Team lead.*since 1 Mar 2026$/).waitFor();
    await line(/^Listed Baixa.*Main office, Lisboa.*Partner.*since /).hover();
    await expectAccessible(page, panel);
    await region.getByRole('button', { name: 'Edit: Job title' }).click();
    await region.getByRole('textbox', { name: 'Job title' }).fill('Director');
    await press(page, 'Enter');
    await line(/^Listed Baixa.*Director/).hover();
    await region.getByRole('button', { name: 'Edit: Office', exact: true }).click();
    await region.getByRole('combobox', { name: 'Office' }).waitFor();
    await line(/^Equipa Listada/).waitFor();
    await press(page, 'Escape');
    await line(/^Listed Baixa.*Director/).waitFor();
  });

  it('moves to an office that is found as one types, and back, without a mouse', async () => {
    const { server } = scene;
    const [from, to] = await Promise.all(
      ['Transfer Lisboa', 'Transfer Porto Foz'].map((name) => createRecord(server, 'offices', { name })),
    );
    const agent = await createAgent(server, 'Transfer', { officeId: from?.id });
    await using opened = await scene.open(`/agents/${agent.id}`, noMouse);
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'More actions' }));
    await page.getByRole('menuitem', { name: 'Deactivate …' }).waitFor();
    await press(page, 't', 'Enter');
    const office = page.getByRole('combobox', { name: 'New office' });
    await office.waitFor();
    await page.keyboard.type('porto foz');
    await page.getByRole('option', { name: 'Transfer Porto Foz' }).waitFor();
    await expectAccessible(page, panel);
    await press(page, 'Enter');
    await activate(page, page.getByRole('button', { name: 'Transfer', exact: true }));
    await page.getByText('Ana Transfer was transferred to Transfer Porto Foz').waitFor();
    expect((await readRecord(server, 'agents', agent.id)).officeId).toBe(to?.id);
    await changeRecord(server, `/agents/${agent.id}`, { fields: { title: 'Director' } });
    await activate(page, page.getByRole('button', { name: 'Undo' }));
    await page.getByText('Undone').waitFor();
    expect((await readRecord(server, 'agents', agent.id)).officeId).toBe(from?.id);
  });

  it('of an office says which branches have no manager and how many work there, and adds an agent to it', async () => {
    const { server } = scene;
    const main = await createRecord(server, 'offices', { name: 'Main Lisboa' });
    const manager = await createAgent(server, 'Managing', { officeId: main.id });
    const [, managed] = await Promise.all(
      [
        { name: 'Branch Alone', mainOfficeId: main.id },
        { name: 'Branch Managed', mainOfficeId: main.id, managerAgentId: manager.id },
      ].map((fields) => createRecord(server, 'offices', fields)),
    );
    await createAgent(server, 'Branching', { officeId: managed?.id });
    await using opened = await scene.open(`/offices/${main.id}/page`);
    const { page } = opened;
    const branches = page.getByRole('region', { name: /^Branches/ }).getByRole('listitem');
    await branches.filter({ hasText: 'Branch Alone' }).getByText('No manager').waitFor();
    await branches.filter({ hasText: 'Branch Alone' }).getByText('0 agents').waitFor();
    await branches.filter({ hasText: 'Branch Managed' }).getByText('Ana Managing').waitFor();
    await branches.filter({ hasText: 'Branch Managed' }).getByText('1 agent', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Add agent' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Office' }).inputValue()).toBe('Main Lisboa');
  });

  it('of an office lets all its agents go to another one by a job, which one button undoes', async () => {
    const { server } = scene;
    const [from, to] = await Promise.all(
      ['Leaving Lisboa', 'Arriving Porto'].map((name) => createRecord(server, 'offices', { name })),
    );
    const moved = await createAgent(server, 'Leaving', { officeId: from?.id });
    const inactive = await createAgent(server, 'Resting', { officeId: from?.id });
    await server.request('PUT', `/agents/${inactive.id}/deactivate`, {});
    // Affiliated only: it does not move.
    const affiliated = await createAgent(server, 'Affiliated', { affiliations: [{ officeId: from?.id }] });
    const officesOf = () =>
      Promise.all(
        [moved, inactive, affiliated].map(
          async ({ id }) => (await readRecord(server, 'agents', id)).officeId,
        ),
      );
    await using opened = await scene.open(`/offices/${from?.id}`, { as: 'manager' });
    const { page } = opened;
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Transfer all agents …' }).click();
    await page.getByText('The office has 2 agents, active and inactive.').waitFor();
    await page.getByRole('combobox', { name: 'New office' }).fill('Arriving');
    await page.getByRole('option', { name: 'Arriving Porto' }).click();
    await expectAccessible(page, panel);
    await page.getByRole('button', { name: 'Transfer', exact: true }).click();
    await page.getByText('Completed').waitFor();
    expect(await officesOf()).toEqual([to?.id, to?.id, null]);
    await page.getByRole('button', { name: 'Undo all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo all' }).click();
    await page.getByRole('heading', { name: 'Undo of a bulk change of 2 agents' }).waitFor();
    await page.getByText('Completed').waitFor();
    expect(await officesOf()).toEqual([from?.id, from?.id, null]);
  });

  it('says what keeps it from being deleted; what is deleted is restored by one press', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Dependents' });
    const agent = await createAgent(server, 'Dependent', { officeId: office.id });
    await using opened = await scene.open(`/offices/${office.id}`);
    const { page, faults } = opened;
    faults.expect(/status of (409|404)/);
    const remove = async () => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete …' }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
    };
    await remove();
    await page.getByText('1 agent', { exact: true }).waitFor();
    await expectAccessible(page, panel);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await server.request('DELETE', `/agents/${agent.id}`);
    await remove();
    await page.getByText('Dependents was deleted').waitFor();
    expect((await server.request('GET', `/offices/${office.id}`)).status).toBe(404);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect((await readRecord(server, 'offices', office.id)).name).toBe('Dependents');
  });

  it('is copied for a terminal and for a program, also where the browser has no Clipboard API', async () => {
    const agent = await createAgent(scene.server, 'Copied');
    await using opened = await scene.open(`/agents/${agent.id}`);
    const { page, context } = opened;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = async (name: string) => {
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByText('Copied', { exact: true }).last().waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copy('Copy as roster command')).toBe(`roster agents get ${agent.id}`);
    expect(await copy('Copy as curl')).toContain(`${scene.server.url}/agents/${agent.id}`);
    expect(JSON.parse(await copy('Copy as JSON'))).toMatchObject({ id: agent.id, lastName: 'Copied' });
    await page.evaluate(() =>
      Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error()) }),
    );
    expect(await copy('Copy the ID')).toBe(agent.id);
  });
});
