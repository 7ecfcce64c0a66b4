import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createAgent, createRecord, readRecord } from '../support/directory.ts';
import {
  chooseOption,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  settleChanges,
  useConsole,
} from '../support/index.ts';

/** The frame of a record, with its dialogs; the list beside it has tests of its own. */
const panel = '[aria-labelledby="panel-title"]';

describe.skipIf(!hasBrowser)('a team', () => {
  const scene = useConsole();

  it('is created, seen in the list and its record, renamed, deactivated and brought back', async () => {
    const { server } = scene;
    await createRecord(server, 'teams', { name: 'Equipa Antiga' });
    await using opened = await scene.open('/teams', { as: 'editor' });
    const { page } = opened;
    await opened.following;
    await page.getByRole('row', { name: 'Equipa Antiga' }).waitFor();
    await page.getByRole('link', { name: 'New team' }).click();
    const form = page.getByRole('form', { name: 'New team' });
    await form.getByRole('textbox', { name: /^Name/ }).fill('Equipa Ribeira');
    await expectAccessible(page, panel);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Equipa Ribeira' }).waitFor();
    // Whoever has created a record does not wait for it.
    await page.getByRole('row', { name: 'Equipa Ribeira' }).waitFor();
    await page.getByRole('heading', { name: 'Teams 2' }).waitFor();
    expect(await page.getByRole('button', { name: /: show$/ }).count()).toBe(0);
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: /^Name/ }).fill('Equipa Douro');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByRole('heading', { name: 'Equipa Douro' }).waitFor();

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate …' }).click();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    const notice = page.getByRole('group').filter({ hasText: 'Equipa Douro was deactivated' });
    await notice.waitFor();
    expect(await readRecord(server, 'teams', id)).toMatchObject({ name: 'Equipa Douro', status: 'inactive' });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await readRecord(server, 'teams', id)).toMatchObject({ status: 'active' });
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('Reactivated').first().waitFor();
  });

  it('says who is in it, and is found from the agent and the office', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Members Lisboa' });
    const [lead, resting] = await Promise.all([
      createAgent(server, 'Leading'),
      createAgent(server, 'Resting'),
    ]);
    await server.request('PUT', `/agents/${resting.id}/deactivate`, {});
    const members = [
      { agentId: lead.id, role: 'lead', title: 'Founder', since: '2026-03-01' },
      { agentId: resting.id, role: 'buyer_agent', until: '2030-09-01' },
    ];
    const socialLinks = ['https://social.example/team'];
    const fields = { name: 'Equipa Tejo', officeId: office.id, tollFreePhone: '+351800000042', socialLinks };
    const team = await createRecord(server, 'teams', { ...fields, members });
    await using opened = await scene.open(`/teams/${team.id}`, { as: 'viewer' });
    const { page } = opened;
    const shown = page.getByRole('region', { name: 'Members', exact: true }).getByRole('listitem');
    await shown.filter({ hasText: /^Ana Leading.*Team lead.*Founder.*since 1 Mar 2026/ }).waitFor();
    await shown.filter({ hasText: /^Ana Resting.*Inactive.*Buyer agent.*until 1 Sept? 2030/ }).waitFor();
    await page.getByRole('link', { name: 'social.example/team' }).waitFor();
    await page.getByRole('link', { name: '+351 800 000 042' }).waitFor();
    await expectAccessible(page, panel);
    const teams = page.getByRole('region', { name: 'Teams' }).getByRole('link', { name: 'Equipa Tejo' });
    await shown.getByRole('link', { name: 'Ana Leading' }).click();
    await page.getByRole('heading', { name: 'Ana Leading' }).waitFor();
    await teams.click();
    await page.getByRole('heading', { name: 'Equipa Tejo' }).waitFor();
    await page.locator(panel).getByRole('link', { name: 'Members Lisboa' }).first().click();
    await page.getByRole('heading', { name: 'Members Lisboa' }).waitFor();
    await teams.waitFor();
  });

  it('shows of its members those that a limited person may see, on a phone, without saying how many there are, and asks for each once', async () => {
    const { server } = scene;
    const own = await createRecord(server, 'offices', { name: 'Escritório Próprio' });
    const other = await createRecord(server, 'offices', { name: 'Escritório Alheio' });
    const agents = await Promise.all([
      createAgent(server, 'Vista', { officeId: own.id }),
      createAgent(server, 'Também', { officeId: own.id }),
      createAgent(server, 'Oculta', { officeId: other.id }),
    ]);
    const members = agents.map(({ id }, index) => ({ agentId: id, role: index === 0 ? 'lead' : 'member' }));
    const team = await createRecord(server, 'teams', { name: 'Equipa Mista', officeId: own.id, members });
    await settleChanges(server);
    await using opened = await scene.open(`/teams/${team.id}`, {
      as: 'viewer',
      officeIds: [own.id],
      browser: { locale: 'pt-PT', viewport: { width: 390, height: 844 } },
    });
    const { page } = opened;
    const region = page.getByRole('region', { name: 'Membros', exact: true });
    await region.getByText('Ana Vista').waitFor();
    await region.getByText('Ana Também').waitFor();
    expect(await region.getByRole('listitem').count()).toBe(2);
    expect(await page.locator(panel).textContent()).not.toContain('Oculta');
    expect(await region.textContent()).not.toMatch(/\b3\b/);
    const asked = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => decodeURIComponent(name)),
    );
    const timesAsked = agents.map(
      ({ id }) => asked.filter((url) => /agents\.(get|list)/.test(url) && url.includes(id)).length,
    );
    expect(timesAsked).toEqual([1, 1, 0]);
    await expectNarrow(page);
    await expectAccessible(page, panel);
  });

  it('gets members by a picker of agents, and lets one go', async () => {
    const { server } = scene;
    const [stays, leaves] = await Promise.all([
      createAgent(server, 'Picked'),
      createAgent(server, 'Leaving'),
    ]);
    const members = [{ agentId: leaves.id, role: 'coordinator' }];
    const team = await createRecord(server, 'teams', { name: 'Equipa Sado', members });
    await using opened = await scene.open(`/teams/${team.id}/edit`, { as: 'editor' });
    const { page } = opened;
    await page.getByRole('button', { name: 'Remove Members 1' }).click();
    const add = page.getByRole('button', { name: 'Add member' });
    await add.click();
    await page.getByRole('combobox', { name: /^Agent/ }).fill('Ana Picked');
    await page.getByRole('option', { name: 'Ana Picked' }).click();
    await chooseOption(page.getByRole('combobox', { name: 'Role in the team' }), 'Team lead');
    await page.getByLabel('Since').fill('2026-03-01');
    // A row without an agent is no member.
    await add.click();
    await expectAccessible(page, panel);
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByRole('region', { name: 'Members', exact: true }).getByText('Team lead').waitFor();
    expect(await readRecord(server, 'teams', team.id)).toMatchObject({
      members: [{ agentId: stays.id, role: 'lead', title: null, since: '2026-03-01', until: null }],
    });
  });

  it('keeps the members that two tabs add at the same time', async () => {
    const { server } = scene;
    const agents = await Promise.all(['Primeira', 'Segunda'].map((name) => createAgent(server, name)));
    const team = await createRecord(server, 'teams', { name: 'Equipa Dupla' });
    await using one = await scene.open(`/teams/${team.id}/edit`, { as: 'editor' });
    await using other = await scene.open(`/teams/${team.id}/edit`, { as: 'editor' });
    other.faults.expect(/status of 412/);
    for (const [index, { page }] of [one, other].entries()) {
      const name = `Ana ${index === 0 ? 'Primeira' : 'Segunda'}`;
      await page.getByRole('button', { name: 'Add member' }).click();
      await page.getByRole('combobox', { name: /^Agent/ }).fill(name);
      await page.getByRole('option', { name }).click();
    }
    await one.page.getByRole('button', { name: 'Save 1 change' }).click();
    await one.page.getByRole('region', { name: 'Members', exact: true }).waitFor();
    await other.page.getByRole('button', { name: 'Save 1 change' }).click();
    await other.page.getByRole('region', { name: 'Members', exact: true }).waitFor();
    const { members } = await readRecord(server, 'teams', team.id);
    expect((members as { agentId: string }[]).map(({ agentId }) => agentId)).toEqual(
      agents.map(({ id }) => id).sort(),
    );
  });
  it('comes from a file with a row for each member, goes into one, and is undone', async () => {
    const { server } = scene;
    const agents = await Promise.all(
      ['um', 'dois', 'três'].map((name, index) =>
        createAgent(server, name, { email: `linha${index}@rows.example` }),
      ),
    );
    const rows = agents.map(
      (_, index) => `Equipa Linhas,linha${index}@rows.example,${index === 0 ? 'lead' : ''}`,
    );
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({
      name: 'teams.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Team,Agent email,Role', ...rows].join('\n')),
    });
    await page.getByRole('combobox', { name: 'Agent email' }).waitFor();
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByRole('button', { name: /^Import 1 row/ }).waitFor();
    await page.getByRole('button', { name: /^Import 1 row/ }).click();
    await page.getByText('Import complete').waitFor();
    const found = async () => {
      const response = await server.request('GET', '/teams?q=Linhas');
      return ((await response.json()) as { items: { members: { role: string }[] }[] }).items;
    };
    expect((await found()).map(({ members }) => members.map(({ role }) => role).sort())).toEqual([
      ['lead', 'member', 'member'],
    ]);
    await using list = await scene.open('/teams?q=Linhas', { as: 'manager' });
    await list.page.getByRole('row', { name: 'Equipa Linhas' }).waitFor();
    await list.page.getByRole('button', { name: 'More', exact: true }).click();
    await list.page.getByRole('menuitem', { name: 'Export…', exact: true }).click();
    await chooseOption(list.page.getByRole('combobox', { name: 'Format' }), 'CSV, for spreadsheets');
    await list.page.getByRole('checkbox', { name: /^All fields/ }).check();
    await list.page.getByRole('checkbox', { name: 'A row for each item of: Members' }).check();
    // As a browser without the picker of files does it.
    await list.page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    const download = list.page.waitForEvent('download');
    await list.page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    for (const { email } of agents)
      expect(text.split('\n').filter((line) => line.includes(String(email)))).toHaveLength(1);
    await page.getByRole('button', { name: 'Undo all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo all' }).click();
    await expect.poll(found).toEqual([]);
  });
});
