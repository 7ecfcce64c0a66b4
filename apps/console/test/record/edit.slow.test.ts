import { describe, expect, it } from 'vitest';
import { changeRecord, createAgent, createRecord, readRecord } from '../support/directory.ts';
import {
  activate,
  expectAccessible,
  focused,
  hasBrowser,
  press,
  tabTo,
  typeInto,
  useConsole,
} from '../support/index.ts';

const noMouse = { isKeyboardOnly: true } as const;

/** The frame of a record, with its dialogs; the list beside it has tests of its own. */
const panel = '[aria-labelledby="panel-title"]';

describe.skipIf(!hasBrowser)('a form of a record', () => {
  const scene = useConsole();

  it('creates an agent in the office of the list, and leads to what is missing, without a mouse', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Create Lisboa' });
    await using opened = await scene.open(`/agents?officeId=${office.id}`, { as: 'editor', ...noMouse });
    const { page, faults } = opened;
    faults.expect(/status of 422/);
    await page.getByRole('link', { name: 'New agent' }).waitFor();
    await press(page, 'n');
    await page.getByRole('form', { name: 'New agent' }).waitFor();
    await press(page, 'Control+s');
    await page.getByText('is required unless “Last name” is set').waitFor();
    expect(await page.getByText('is required unless').count()).toBe(1);
    await expectAccessible(page, panel);
    expect(await focused(page)).toMatch(/First name/);
    await page.keyboard.type('Eva');
    await typeInto(page, page.getByLabel('Last name'), 'Created');
    await typeInto(page, page.getByLabel('Email'), 'no address');
    await press(page, 'Enter');
    // The service's own words, at the field that its pointer names.
    await page
      .getByText(/^must be an email/)
      .first()
      .waitFor();
    await typeInto(page, page.getByLabel('Email'), 'eva.created@atlantico.example');
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Eva Created' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await readRecord(server, 'agents', id)).toMatchObject({
      firstName: 'Eva',
      lastName: 'Created',
      email: 'eva.created@atlantico.example',
      officeId: office.id,
      version: 1,
    });
  });

  it('takes an agent with one name, who is listed by it, found and edited, and cannot lose it', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'One name' });
    for (const lastName of ['Oliveira', 'Queirós'])
      await createAgent(server, lastName, { officeId: office.id });
    await using opened = await scene.open(`/agents/new?officeId=${office.id}`, { as: 'editor', ...noMouse });
    const { page, faults } = opened;
    faults.expect(/status of 422/);
    const form = page.getByRole('form', { name: 'New agent' });
    await typeInto(page, form.getByLabel('First name'), 'Pelé');
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Pelé' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    const grid = page.getByRole('grid');
    const listed = async (query: string) => {
      await page.goto(`${server.url}/console/agents?${query}&columns=displayName&columns=status`);
      await grid.getByRole('link', { name: 'Pelé' }).waitFor();
      return grid.getByRole('link').allTextContents();
    };
    expect(await listed(`officeId=${office.id}&sort=lastName`)).toEqual([
      'Ana Oliveira',
      'Pelé',
      'Ana Queirós',
    ]);
    expect(await listed('q=pele')).toEqual(['Pelé']);

    await tabTo(page, grid);
    await press(page, 'Control+Home', 'Home', 'ArrowRight', 'F2');
    const editor = page.getByRole('dialog', { name: 'Name', exact: true });
    await typeInto(page, editor.getByLabel('First name'), '');
    await press(page, 'Enter');
    await editor.getByText('is required unless “Last name” is set').first().waitFor();
    await typeInto(page, editor.getByLabel('Last name'), 'Nascimento');
    await press(page, 'Enter');
    await grid.getByRole('link', { name: 'Nascimento' }).waitFor();
    expect(await readRecord(server, 'agents', id)).toMatchObject({
      firstName: null,
      lastName: 'Nascimento',
      displayName: 'Nascimento',
    });
  });

  it('says all that is wrong at once: what it finds by itself, and what only the service knows', async () => {
    await using opened = await scene.open('/offices/new', { as: 'editor' });
    const { page, faults } = opened;
    faults.expect(/status of 422/);
    const form = page.getByRole('form', { name: 'New office' });
    await form.getByLabel('Email').fill('not an email');
    await form.getByLabel('Website').fill('www.example.com');
    const address = form.getByRole('group', { name: 'Address', exact: true });
    await address.getByLabel('Postal code').fill('1'.repeat(17));
    await form.getByRole('button', { name: 'Create' }).click();
    const errors = form.getByRole('alert').filter({ visible: true });
    await expect.poll(() => errors.count()).toBe(4);
    expect(await errors.allTextContents()).toEqual(
      expect.arrayContaining([
        'is required',
        'must have at most 16 characters',
        expect.stringMatching(/^must be an email address/),
        expect.stringMatching(/^must be an http/),
      ]),
    );
    // Each is said once, at its field, of which the first has the focus.
    expect(await page.getByText('Not saved: ').count()).toBe(0);
    expect(await focused(page)).toMatch(/^input "Name/);
    await expectAccessible(page, panel);
  });

  it('marks the parts of an optional field as required only while one of them is given', async () => {
    await using opened = await scene.open('/offices/new', { as: 'editor' });
    const { page } = opened;
    const system = page.getByRole('textbox', { name: 'Other system', exact: true });
    const key = page.getByLabel('ID in the other system');
    expect([await system.getAttribute('required'), await key.getAttribute('required')]).toEqual([null, null]);
    await system.fill('MLS');
    await expect.poll(() => key.getAttribute('required')).not.toBeNull();
  });

  it('requires the office of whoever is limited to some, and says why', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Limited Lisboa' });
    await using opened = await scene.open('/agents/new', { as: 'editor', officeIds: [office.id] });
    const { page, faults } = opened;
    faults.expect(/status of 4(?:03|22)/);
    await page.getByLabel('First name').fill('Eva');
    await page.getByLabel('Last name').fill('Limited');
    const field = page.getByRole('combobox', { name: 'Office', exact: true });
    await page
      .getByText('Your access is restricted to certain offices and their branches. Choose one of them')
      .waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('is required').waitFor();
    expect(await focused(page)).toMatch(/^combobox "Office/);
    await expectAccessible(page, panel);
    await field.fill('Limited');
    await page.getByRole('option', { name: 'Limited Lisboa' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Eva Limited' }).waitFor();
  });

  it('names the right that was taken away meanwhile as the console names it', async () => {
    const { server } = scene;
    const person = await scene.person('editor');
    await using opened = await scene.open('/agents/new', { as: person });
    const { page, faults } = opened;
    faults.expect(/status of 403/);
    await page.getByLabel('First name').fill('Eva');
    await page.getByLabel('Last name').fill('Late');
    await server.request('PATCH', `/people/${person.id}`, { grants: [{ role: 'viewer' }] });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('You need this permission: Change agents.').waitFor();
    expect(await page.getByText('include the request ID').count()).toBe(0);
    expect(await page.getByLabel('First name').inputValue()).toBe('Eva');
    await expectAccessible(page, panel);
  });

  it('changes one group in its place and takes it back by one press, without a mouse', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Group', { phone: '+351210000001', title: 'Broker' });
    await using opened = await scene.open(`/agents/${agent.id}`, { as: 'editor', ...noMouse });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'Edit: Contact' }));
    await page.getByRole('form', { name: 'Edit: Contact' }).waitFor();
    await expectAccessible(page, panel);
    await typeInto(page, page.getByLabel('Phone', { exact: true }), '+351210000002');
    await press(page, 'Enter');
    await page.getByRole('link', { name: '+351 21 000 0002' }).waitFor();
    expect(await focused(page)).toContain('Edit: Contact');
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({
      phone: '+351210000002',
      version: 2,
    });
    await changeRecord(server, `/agents/${agent.id}`, { fields: { title: 'Director' } });
    await activate(page, page.getByRole('button', { name: 'Undo' }));
    await page.getByText('Undone').waitFor();
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({
      phone: '+351210000001',
      title: 'Director',
      version: 4,
    });
  });

  it('has the focus in the field that was clicked, a list in its first item or in what adds one', async () => {
    const agent = await createAgent(scene.server, 'Focus', { languages: ['pt'], title: 'Broker' });
    await using opened = await scene.open(`/agents/${agent.id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Show empty fields' }).click();
    for (const [field, control] of [
      ['Job title', /^input "Job title"/],
      ['Languages', /^input "Languages 1"/],
      ['Designations', /^button "Add designation"/],
      ['Licences', /^button "Add licence"/],
      ['Address', /^input "Street and number"/],
      ['Office', /^combobox "Office"/],
      ['Custom fields', /^button "Add custom field"/],
    ] as const) {
      await page
        .getByRole('button', { name: `Edit: ${field}`, exact: true })
        .last()
        .click();
      await expect.poll(() => focused(page), { message: field }).toMatch(control);
      await press(page, 'Escape');
    }
  });

  it('changes licences, languages, pairs and an address', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Lists', {
      licenses: [{ number: 'A' }, { number: 'B' }],
      languages: ['pt'],
      metadata: { old: '1' },
      address: { city: 'Lisboa', country: 'PT' },
    });
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page, faults } = opened;
    faults.expect(/status of 422/);
    for (const group of ['Contact', 'Licences and numbers', 'Other system and custom fields', 'Address'])
      await page.locator('summary', { hasText: group }).click();
    await page.getByRole('button', { name: 'Remove Licences 1' }).click();
    await page.getByRole('button', { name: 'Add licence' }).click();
    await page.getByRole('textbox', { name: 'Number', exact: true }).last().fill('C');
    const expiry = page.getByLabel('Expiry date').last();
    await expiry.fill('end of 2031');
    await page.getByRole('button', { name: 'Save' }).click();
    // What is no date stays, and the field says so.
    await page.getByText('Not a date. Example: ').waitFor();
    expect(await expiry.inputValue()).toBe('end of 2031');
    await expiry.fill('31 Dec 2031');
    await page.getByRole('button', { name: 'Add language' }).click();
    await page.getByRole('textbox', { name: 'Languages 2' }).fill('en');
    await page.getByText('English').waitFor();
    await page.getByRole('button', { name: 'Remove Custom fields 1' }).click();
    await page.getByRole('button', { name: 'Add custom field' }).click();
    await page.getByLabel('Name', { exact: true }).last().fill('costCentre');
    await page.getByLabel('Value').fill('4711');
    await page.getByRole('group', { name: 'Address' }).last().getByLabel('City').fill('Porto');
    await expectAccessible(page, panel);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Porto').waitFor();
    const empty = { region: null, type: null, expiresOn: null };
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({
      licenses: [
        { ...empty, number: 'B' },
        { ...empty, number: 'C', expiresOn: '2031-12-31' },
      ],
      languages: ['pt', 'en'],
      metadata: { costCentre: '4711' },
      address: { city: 'Porto', country: 'PT' },
      version: 2,
    });
  });

  it('opens by a key, and finds the main office as one types', async () => {
    const { server } = scene;
    const main = await createRecord(server, 'offices', { name: 'Reference Matriz' });
    const branch = await createRecord(server, 'offices', { name: 'Reference Sucursal' });
    await using opened = await scene.open(`/offices/${branch.id}`, noMouse);
    const { page } = opened;
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    await press(page, 'e');
    await tabTo(page, page.getByRole('combobox', { name: 'Main office' }));
    await page.keyboard.type('matriz');
    await page.getByRole('option', { name: 'Reference Matriz' }).waitFor();
    await press(page, 'Enter', 'Control+s');
    await expect
      .poll(async () => (await readRecord(server, 'offices', branch.id)).mainOfficeId)
      .toBe(main.id);
  });

  it('saves once although the response to the first attempt was lost', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Lost', { phone: '+351210000001' });
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page, faults } = opened;
    faults.expect(/ERR_FAILED/);
    let lost = 0;
    await page.route('**/trpc/agents.update*', async (route) => {
      await route.fetch();
      lost += 1;
      await route.abort();
    });
    await page.getByLabel('Phone', { exact: true }).fill('+351210000002');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText("Couldn't reach the server").waitFor();
    expect(lost).toBeGreaterThan(0);
    await expectAccessible(page, panel);
    await page.unroute('**/trpc/agents.update*');
    // The record shows that it was saved, so that nothing is left to save.
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: '+351 21 000 0002', exact: true }).waitFor();
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({
      phone: '+351210000002',
      version: 2,
    });
  });

  it('creates once although the response to the first attempt was lost, and the page was loaded again', async () => {
    const { server } = scene;
    await using opened = await scene.open('/offices/new', { as: 'editor' });
    const { page, faults } = opened;
    faults.expect(/ERR_FAILED/);
    await page.route('**/trpc/offices.create*', async (route) => {
      await route.fetch();
      await route.abort();
    });
    const name = page.getByRole('form').getByRole('textbox').first();
    await name.fill('Created once');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByText(/^C(?:an|ould)n?'t reach the server/)
      .first()
      .waitFor();
    await page.unroute('**/trpc/offices.create*');
    await page.reload();
    await expect.poll(() => name.inputValue()).toBe('Created once');
    await page.getByRole('button', { name: 'Create' }).click();
    const again = page.getByRole('button', { name: 'Create anyway' });
    await again
      .or(page.getByRole('heading', { name: 'Created once' }))
      .first()
      .waitFor();
    if (await again.isVisible()) await again.click();
    await page.getByRole('heading', { name: 'Created once' }).waitFor();
    const found = await server.request('GET', '/offices?q=Created+once');
    expect(await found.json()).toMatchObject({ items: [{ name: 'Created once' }] });
  });
});
