import { readablePhone } from '@roster/contract/phones';
import type { TestServer } from '@roster/server/testing';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  changeRecord,
  createRecord,
  type Resource,
  readRecord,
  type StoredRecord,
} from '../support/directory.ts';
import { openChanges } from '../support/history.ts';
import {
  activate,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  press,
  tabTo,
  useConsole,
} from '../support/index.ts';

const noMouse = { isKeyboardOnly: true } as const;

let lastPhone = 351_910_000_000;

/** Waits until the service has found a number of pairs with a record. */
async function awaitPairs(
  server: TestServer,
  resource: Resource,
  recordId: string,
  count = 1,
): Promise<void> {
  const find = async () => {
    const path = `/${resource}/duplicates?recordId=${recordId}&includeTotal=true`;
    return ((await (await server.request('GET', path)).json()) as { total: number }).total;
  };
  await expect.poll(find).toBe(count);
}

/** Creates two agents who are the same person, the second with another spelling of the last name, and waits until they are found. */
async function createPair(
  server: TestServer,
  lastName: string,
  [one, other]: readonly [object, object] = [{}, {}],
): Promise<[StoredRecord, StoredRecord]> {
  lastPhone += 1;
  const phone = `+${lastPhone}`;
  const first = await createRecord(server, 'agents', { firstName: 'Ana', lastName, phone, ...one });
  const second = await createRecord(server, 'agents', {
    firstName: 'Ana',
    lastName: `${lastName}s`,
    phone,
    ...other,
  });
  await awaitPairs(server, 'agents', first.id);
  return [first, second];
}

const pathOf = ([one, other]: readonly StoredRecord[]) => `/duplicates/agents/${one?.id}/${other?.id}`;

/** The pairs that are listed. */
const pairsOf = (page: Page) => page.locator('main ol > li');

/** The choices of a field of a pair. */
const choicesOf = (page: Page, field: string) => page.getByRole('group', { name: field, exact: true });

describe.skipIf(!hasBrowser)('duplicates', () => {
  const scene = useConsole();

  it('are listed by what they have in common, and two of them are merged by keyboard alone', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Merge Lisboa' });
    const [first, second] = await createPair(server, 'Figueiredo', [
      { title: 'Broker', languages: ['pt'], officeId: office.id },
      { title: 'Partner', languages: ['en'], mobilePhone: '+351930000001', officeId: office.id },
    ]);
    const assistant = await createRecord(server, 'agents', {
      firstName: 'Rui',
      lastName: 'Ajudante',
      assistantToAgentId: second.id,
    });
    await using opened = await scene.open('/agents', { as: 'editor', ...noMouse });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    await press(page, 'g', 'd');
    await page.getByRole('heading', { name: 'Duplicates', level: 1 }).waitFor();
    const row = pairsOf(page).filter({ hasText: 'Ana Figueiredos' });
    await row
      .getByText(`Same phone number ${readablePhone(String(first.phone), 'US')}`)
      .last()
      .waitFor();
    await row.getByText('Similar name in the same office').last().waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await activate(page, row.getByRole('link', { name: 'Compare' }));
    await page.getByRole('heading', { name: 'Ana Figueiredo and Ana Figueiredos' }).waitFor();
    await choicesOf(page, 'Job title').waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    // The older one stays unless someone chooses; of the job titles that of the other one.
    await tabTo(page, choicesOf(page, 'Job title'));
    await press(page, 'ArrowRight');
    await press(page, 'm');
    const dialog = page.getByRole('dialog', { name: 'Merge Ana Figueiredos into Ana Figueiredo' });
    await dialog.getByText('1 agent', { exact: true }).waitFor();
    await dialog.getByText('Partner').first().waitFor();
    await expectAccessible(page, '[role=dialog]');
    await page.keyboard.type('Two imports');
    await activate(page, dialog.getByRole('button', { name: 'Merge and move 1 record' }));
    const notice = page
      .getByRole('group')
      .filter({ hasText: 'Ana Figueiredos was merged into Ana Figueiredo' });
    await notice.waitFor();
    expect(await readRecord(server, 'agents', first.id)).toMatchObject({
      title: 'Partner',
      languages: ['pt', 'en'],
      mobilePhone: '+351930000001',
      lastName: 'Figueiredo',
    });
    expect(await readRecord(server, 'agents', assistant.id)).toMatchObject({ assistantToAgentId: first.id });
    await activate(page, notice.getByRole('button', { name: 'Undo' }));
    const undo = page.getByRole('dialog', { name: 'Undo the merge?' });
    await undo.getByText('This restores Ana Figueiredos').waitFor();
    await expectAccessible(page, '[role=dialog]');
    await activate(page, undo.getByRole('button', { name: 'Undo the merge' }));
    await page.getByText('Merge undone').waitFor();
    expect(await readRecord(server, 'agents', second.id)).toMatchObject({ title: 'Partner' });
    expect(await readRecord(server, 'agents', assistant.id)).toMatchObject({ assistantToAgentId: second.id });
  });

  it('have their values chosen from either record, or from both, and the other record may stay', async () => {
    const { server } = scene;
    const [first, second] = await createPair(server, 'Escolha', [
      { title: 'Broker', languages: ['pt'], email: 'escolha@atlantico.example' },
      { title: 'Partner', languages: ['en'], designations: ['CRS'] },
    ]);
    await using opened = await scene.open(pathOf([first, second]), { as: 'editor', ...noMouse });
    const { page } = opened;
    const chosen = (field: string) => choicesOf(page, field).locator('label:has(:checked)').textContent();
    await choicesOf(page, 'Job title').waitFor();
    // What is the same is folded, and no choice.
    expect(await choicesOf(page, 'First name').count()).toBe(0);
    await page.getByText('2 fields are the same').waitFor();
    expect(await chosen('Job title')).toMatch(/Broker/);
    expect(await chosen('Languages')).toMatch(/Both/);
    await press(page, 's');
    await expect.poll(() => chosen('Job title')).toMatch(/Partner/);
    // What the one that stays has none of comes from the other one: there is nothing to choose.
    expect(await choicesOf(page, 'Email').count()).toBe(0);
    await page.getByText('1 field only A has: added').waitFor();
    await tabTo(page, choicesOf(page, 'Languages'));
    await press(page, 'ArrowUp');
    expect(await chosen('Languages')).toMatch(/English/);
    await press(page, 'Enter');
    const dialog = page.getByRole('dialog', { name: 'Merge Ana Escolha into Ana Escolhas' });
    await dialog.getByText('escolha@atlantico.example').first().waitFor();
    await activate(page, dialog.getByRole('button', { name: 'Merge', exact: true }));
    await page.getByText('Ana Escolha was merged into Ana Escolhas').waitFor();
    expect(await readRecord(server, 'agents', second.id)).toMatchObject({
      title: 'Partner',
      languages: ['en'],
      email: 'escolha@atlantico.example',
      designations: ['CRS'],
    });
  });

  it('that are decided not to be the same are listed no more, but where that is asked for, and are taken back', async () => {
    const pair = await createPair(scene.server, 'Gemeos');
    await using opened = await scene.open(pathOf(pair), { as: 'editor', ...noMouse });
    const { page } = opened;
    await page.getByRole('button', { name: 'Not the same' }).waitFor();
    await press(page, 'n');
    const dialog = page.getByRole('dialog', { name: 'Keep both as separate records' });
    await dialog.waitFor();
    await expectAccessible(page, '[role=dialog]');
    await page.keyboard.type('Twins');
    await press(page, 'Enter');
    const notice = page
      .getByRole('group')
      .filter({ hasText: "Ana Gemeos and Ana Gemeoss aren't duplicates" });
    await notice.waitFor();
    await page.goto(`${scene.server.url}/console/duplicates/agents?recordId=${pair[0].id}`);
    await page.getByText('No possible duplicates').waitFor();
    await activate(page, page.getByRole('button', { name: '1 filter' }));
    await page.getByRole('combobox', { name: 'State' }).focus();
    await page.keyboard.type('Not');
    await press(page, 'Escape');
    await activate(page, pairsOf(page).getByRole('link', { name: 'Compare' }));
    await page.getByText('“Twins”').waitFor();
    await page.getByText('Not duplicates: You').waitFor();
    await expectAccessible(page);
    await activate(page, page.getByRole('button', { name: 'Undo' }));
    await page.getByRole('button', { name: 'Not the same' }).waitFor();
    await awaitPairs(scene.server, 'agents', pair[0].id);
  });

  it('are decided in the list, where what was decided lately is listed, and taken back', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Decided Faro' });
    const at = { officeId: office.id };
    const twins = await createPair(server, 'Decidido', [at, at]);
    const [, gone] = await createPair(server, 'Unido', [at, at]);
    await using opened = await scene.open(`/duplicates/agents?officeId=${office.id}`, { as: 'editor' });
    const { page } = opened;
    const decided = page.getByRole('region', { name: 'Decided in the last 30 days' }).getByRole('listitem');
    const pair = pairsOf(page).filter({ hasText: 'Ana Decididos' });
    await pair.getByRole('button', { name: 'Not the same' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Not duplicates' }).click();
    await pair.waitFor({ state: 'detached' });
    const dismissed = decided.filter({ hasText: "Ana Decidido and Ana Decididos aren't the same" });
    await dismissed.getByRole('link', { name: 'Compare' }).waitFor();
    await pairsOf(page).getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('button', { name: /^Merge into/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
    const merged = decided.filter({ hasText: 'Ana Unidos merged into Ana Unido' });
    await merged.waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await merged.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the merge' }).click();
    await expect.poll(async () => (await readRecord(server, 'agents', gone.id)).id).toBe(gone.id);
    await merged.waitFor({ state: 'detached' });
    await dismissed.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('complementary').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Not the same' }).waitFor();
    await awaitPairs(server, 'agents', twins[0].id);
  });

  it('follow one another: after a decision the next pair of the list is shown, and after the last the list', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Sequence Porto' });
    const at = { officeId: office.id };
    for (const name of ['Seguinte', 'Anterior']) await createPair(server, name, [at, at]);
    await using opened = await scene.open(`/duplicates/agents?officeId=${office.id}`, { as: 'editor' });
    const { page } = opened;
    await expect.poll(() => pairsOf(page).count()).toBe(2);
    await pairsOf(page).first().getByRole('link', { name: 'Compare' }).click();
    await page.getByText('1 of 2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next pair' }).click();
    await page.getByText('2 of 2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Previous pair' }).click();
    await page.getByText('1 of 2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Not the same' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Not duplicates' }).click();
    await page.getByText("aren't duplicates").first().waitFor();
    await expect.poll(() => page.getByRole('heading', { name: /^Ana .* and Ana/ }).count()).toBe(1);
    await page.getByRole('button', { name: /^Merge into/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('heading', { name: 'Duplicates', level: 1 }).waitFor();
    await page.getByText('No possible duplicates').waitFor();
  });

  it('of which somebody changes one meanwhile are shown as they are now, and not merged as they were', async () => {
    const { server } = scene;
    const pair = await createPair(server, 'Entretanto', [{ title: 'Broker' }, { title: 'Partner' }]);
    await using opened = await scene.open(pathOf(pair), { as: 'editor' });
    const { page } = opened;
    await opened.following;
    const other = await opened.context.newPage();
    await other.goto(`${server.url}/console/agents/${pair[0].id}/edit`);
    await page.bringToFront();
    await page.getByRole('button', { name: /^Merge into/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge Ana Entretantos into Ana Entretanto' });
    await dialog.getByRole('heading', { name: 'What changes in Ana Entretanto' }).waitFor();
    await other.getByRole('textbox', { name: 'Job title' }).fill('Founder');
    await other.getByRole('button', { name: 'Save 1 change' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Changed since by someone else').waitFor();
    await page
      .getByText('A Ana Entretanto: Job title')
      .or(page.getByText('B Ana Entretanto: Job title'))
      .waitFor();
    await choicesOf(page, 'Job title').getByText('Founder').waitFor();
    await expectAccessible(page);
    expect((await readRecord(server, 'agents', pair[0].id)).title).toBe('Founder');
    await page.getByRole('button', { name: /^Merge into/ }).click();
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByText('was merged into Ana Entretanto').waitFor();
    expect((await readRecord(server, 'agents', pair[0].id)).title).toBe('Founder');
  });

  it('of which one has a newer version with the same values say that', async () => {
    const { server } = scene;
    const pair = await createPair(server, 'Igual', [{ title: 'Broker' }, { title: 'Partner' }]);
    await using opened = await scene.open(pathOf(pair), { as: 'editor' });
    const { page } = opened;
    await opened.following;
    await choicesOf(page, 'Job title').waitFor();
    await changeRecord(server, `/agents/${pair[0].id}`, { fields: { title: 'Director' } });
    await page.getByText(/Ana Igual: Job title$/).waitFor();
    await changeRecord(server, `/agents/${pair[0].id}`, { fields: { title: 'Broker' } });
    await page.getByText(/Ana Igual: a newer version with the same values$/).waitFor();
  });

  it('that the service has other versions of are read again before they are merged, also without news of the change', async () => {
    const { server } = scene;
    const pair = await createPair(server, 'Atrasado', [{ title: 'Broker' }, {}]);
    await using opened = await scene.open(pathOf(pair), {
      as: 'editor',
      prepare: async (page) => void (await page.route('**/events/stream*', (route) => route.abort())),
    });
    const { page } = opened;
    opened.faults.expect(/ERR_FAILED/, /status of 412/);
    await page.getByRole('button', { name: /^Merge into/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge Ana Atrasados into Ana Atrasado' });
    await dialog.getByRole('heading', { name: 'What changes in Ana Atrasado' }).waitFor();
    await changeRecord(server, `/agents/${pair[1].id}`, { fields: { title: 'Director' } });
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Changed since by someone else').waitFor();
    await choicesOf(page, 'Job title').getByText('Director').waitFor();
    expect((await readRecord(server, 'agents', pair[1].id)).title).toBe('Director');
  });

  it('are marked at a record, whose address leads to the survivor after a merge, and the history undoes it', async () => {
    const { server } = scene;
    const pair = await createPair(server, 'Marcado', [
      { title: 'Broker' },
      { title: 'Partner', fax: '+351210000009' },
    ]);
    await using opened = await scene.open(`/agents/${pair[1].id}`, { as: 'editor' });
    const { page, faults } = opened;
    await page.getByText('Possible duplicate:').waitFor();
    await expectAccessible(page, '[aria-labelledby="panel-title"]');
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('button', { name: /^Merge into/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByText('Ana Marcados was merged into Ana Marcado').waitFor();
    faults.expect(/status of 410/);
    await page.goto(`${server.url}/console/agents/${pair[1].id}`);
    await page.getByText('The record at this address was merged').waitFor();
    await page.getByRole('heading', { name: 'Ana Marcado', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/agents/${pair[0].id}`);
    // What somebody changes after the merge stays, and is named.
    await changeRecord(server, `/agents/${pair[0].id}`, { fields: { fax: '+351210000010' } });
    await page.getByRole('link', { name: 'History' }).click();
    await openChanges(page);
    await page.getByRole('button', { name: 'Undo the merge …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo the merge?' });
    await dialog.getByText('This restores Ana Marcados').waitFor();
    await dialog.getByText('Fax').waitFor();
    await expectAccessible(page, '[role=dialog]');
    // Nothing is done yet: its id still leads to the survivor.
    expect((await readRecord(server, 'agents', pair[1].id)).id).toBe(pair[0].id);
    await dialog.getByRole('button', { name: 'Undo the merge' }).click();
    const notice = page.getByRole('group').filter({ hasText: 'Merge undone' });
    await notice.getByText('Fax').waitFor();
    await openChanges(page);
    await page.getByText('Merge undone.').waitFor();
    await page.getByRole('heading', { name: 'Merged with Ana Marcados' }).first().waitFor();
    await page.getByText('Undoes the merge of Ana Marcados into Ana Marcado').waitFor();
    expect(await readRecord(server, 'agents', pair[1].id)).toMatchObject({
      title: 'Partner',
      fax: '+351210000009',
    });
    expect((await readRecord(server, 'agents', pair[0].id)).fax).toBe('+351210000010');
  });

  it('are only compared by who may not change them, and seen by who may see both', async () => {
    const { server } = scene;
    const [lisboa, porto] = await Promise.all(
      ['Limit Lisboa', 'Limit Porto'].map((name) => createRecord(server, 'offices', { name })),
    );
    const both = await createPair(server, 'Visto', [{ officeId: lisboa?.id }, { officeId: lisboa?.id }]);
    const split = await createPair(server, 'Dividido', [{ officeId: lisboa?.id }, { officeId: porto?.id }]);
    await using viewer = await scene.open(pathOf(both), { as: 'viewer' });
    await viewer.page.getByText('Visto', { exact: true }).waitFor();
    await viewer.page.getByText('Similar name in the same office').waitFor();
    expect(await viewer.page.getByRole('button', { name: /^Merge into/ }).count()).toBe(0);
    expect(await viewer.page.getByRole('radio').count()).toBe(0);
    await expectAccessible(viewer.page);
    await using limited = await scene.open('/duplicates', { as: 'editor', officeIds: [lisboa?.id ?? ''] });
    limited.faults.expect(/status of 404/);
    const { page } = limited;
    await pairsOf(page).filter({ hasText: 'Ana Vistos' }).waitFor();
    await page.getByRole('heading', { name: 'Duplicates 1', exact: true }).waitFor();
    await page.goto(`${server.url}/console${pathOf(split)}`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: /^Merge into/ }).count()).toBe(0);
  });

  it('of offices are merged with what belongs to them, in Portuguese on a telephone', async () => {
    const { server } = scene;
    const fields = { phone: '+351220000001', address: { city: 'Faro', country: 'PT' } };
    const first = await createRecord(server, 'offices', { name: 'Casa Clara Faro', ...fields });
    const second = await createRecord(server, 'offices', { name: 'Casa Clara Faro Lda', ...fields });
    for (const lastName of ['Um', 'Dois'])
      await createRecord(server, 'agents', { firstName: 'Agente', lastName, officeId: second.id });
    await awaitPairs(server, 'offices', first.id);
    await using opened = await scene.open('/duplicates/offices', {
      browser: { locale: 'pt-PT', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
    });
    const { page } = opened;
    await page.getByText('O mesmo telefone +351 22 000 0001').first().waitFor();
    await expectAccessible(page);
    await pairsOf(page).getByRole('link', { name: 'Comparar' }).click();
    await page.getByRole('button', { name: /^Fundir em/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Fundir Casa Clara Faro Lda com Casa Clara Faro' });
    await dialog.getByText('2 agentes').waitFor();
    await expectNarrow(page);
    await dialog.getByRole('button', { name: 'Fundir e passar 2 registos' }).click();
    await page.getByText('foi fundido com Casa Clara Faro').waitFor();
    const moved = await server.request('GET', `/agents?officeId=${first.id}&includeTotal=true`);
    expect(((await moved.json()) as { total: number }).total).toBe(2);
  });
});
