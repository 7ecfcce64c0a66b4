import { describe, expect, it } from 'vitest';
import { changeRecord, createAgent, readRecord } from '../support/directory.ts';
import {
  activate,
  expectAccessible,
  focused,
  hasBrowser,
  press,
  typeInto,
  useConsole,
} from '../support/index.ts';

/** The frame of a record, with its dialogs; the list beside it has tests of its own. */
const panel = '[aria-labelledby="panel-title"]';

describe.skipIf(!hasBrowser)('two people on one record', () => {
  const scene = useConsole();

  it('are asked only for what both have changed, without a mouse', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Conflict', {
      phone: '+351210000001',
      title: 'A',
      languages: ['pt'],
    });
    const rui = await scene.person('editor', undefined, 'Rui Costa');
    await using opened = await scene.open(`/agents/${agent.id}/edit`, { isKeyboardOnly: true });
    const { page, faults } = opened;
    faults.expect(/status of 412/);
    await typeInto(page, page.getByLabel('Phone', { exact: true }), '+351210000007');
    await typeInto(page, page.getByLabel('Job title'), 'Mine alone');
    const theirs = { phone: '+351210000008', languages: ['pt', 'en'], directPhone: '+351210000009' };
    await changeRecord(server, `/agents/${agent.id}`, { fields: theirs, by: rui });
    await press(page, 'Control+s');
    const question = page.getByRole('group', { name: 'Conflict: Phone' });
    await question.getByText(/^Rui Costa has changed this field, too/).waitFor();
    await question.getByText('+351 21 000 0008').waitFor();
    expect(await page.getByRole('group', { name: /^Conflict/ }).count()).toBe(1);
    // A choice is no call.
    expect(await question.getByRole('link').count()).toBe(0);
    await expectAccessible(page, panel);
    // The attempt to save leads to the question.
    expect(await focused(page)).toMatch(/^fieldset "Conflict: Phone/);
    await activate(page, question.getByRole('button', { name: 'Keep mine' }));
    await question.waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(/Phone/);
    await press(page, 'Control+s');
    await expect
      .poll(() => readRecord(server, 'agents', agent.id))
      .toMatchObject({
        phone: '+351210000007',
        title: 'Mine alone',
        languages: ['pt', 'en'],
        directPhone: '+351210000009',
        version: 3,
      });
  });

  it('are one in two tabs if it is the same person, to whom the question says so', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Twice', { title: 'A' });
    const rui = await scene.person('editor', undefined, 'Rui Costa');
    await using opened = await scene.open(`/agents/${agent.id}/edit`, { as: rui });
    const { page, faults } = opened;
    faults.expect(/status of 412/);
    await page.getByLabel('Job title').fill('Here');
    await changeRecord(server, `/agents/${agent.id}`, { fields: { title: 'There' }, by: rui });
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    const question = page.getByRole('group', { name: 'Conflict: Job title' });
    await question.getByText(/^This field changed in a different tab/).waitFor();
    await expectAccessible(page, panel);
    await question.getByRole('button', { name: 'Keep the other' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Job title').inputValue()).toBe('There');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Ana Twice' }).waitFor();
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({ title: 'There' });
  });

  it('are not asked if their changes have nothing in common', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Silent', { licenses: [{ number: 'A' }] });
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page, faults } = opened;
    faults.expect(/status of 412/);
    await page.locator('summary', { hasText: 'Licences and numbers' }).click();
    await page.getByRole('button', { name: 'Add licence' }).click();
    await page.getByRole('textbox', { name: 'Number', exact: true }).last().fill('MINE');
    const licenses = [{ number: 'A', expiresOn: '2031-01-01' }, { number: 'THEIRS' }];
    await changeRecord(server, `/agents/${agent.id}`, { fields: { licenses } });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await readRecord(server, 'agents', agent.id)).licenses)
      .toMatchObject([{ number: 'A', expiresOn: '2031-01-01' }, { number: 'THEIRS' }, { number: 'MINE' }]);
  });

  it('see what the other changes while they type, and nothing typed is replaced', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Watched', { phone: '+351210000001', title: 'A' });
    const rui = await scene.person('editor', undefined, 'Rui Costa');
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page, following } = opened;
    const phone = page.getByLabel('Phone', { exact: true });
    const title = page.getByLabel('Job title');
    await phone.fill('+351210000007');
    await following;
    await changeRecord(server, `/agents/${agent.id}`, { fields: { title: 'B' }, by: rui });
    const banner = page.getByText(/^Just changed by Rui Costa: Job title \(.*\d:\d\d.*\)$/).first();
    await banner.waitFor();
    // Who has scrolled to the end of a long form sees it too.
    for (const group of await page.locator('details > summary').all()) await group.click();
    await page.getByRole('button', { name: 'Add custom field' }).scrollIntoViewIfNeeded();
    const [top, frame] = await Promise.all(
      [banner, page.locator(panel)].map((one) =>
        one.evaluate((element) => element.getBoundingClientRect().top),
      ),
    );
    expect(top).toBeGreaterThan(frame ?? 0);
    expect(top).toBeLessThan(400);
    expect(await phone.inputValue()).toBe('+351210000007');
    await expectAccessible(page, panel);
    // What was not touched follows the record.
    await expect.poll(() => title.inputValue()).toBe('B');
    expect(await phone.inputValue()).toBe('+351210000007');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await readRecord(server, 'agents', agent.id)).phone).toBe('+351210000007');
  });
});
