import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { keys, startAt } from '../support/terminal.ts';
import { useTestService } from '../support/test-service.ts';

const { url, key, client } = useTestService();
const main = new URL('../../src/roster.js', import.meta.url).pathname;

it('an import asks on a terminal what columns and words are, how days are written and what empty cells do, before the file is sent', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'roster-import-asked-')), 'staff.csv');
  writeFileSync(
    file,
    'Nome,Apelido,E-mail,Fone,Estado,licenses[0].number,licenses[0].expiresOn,Cargo\nAna,Reis,ana@asked.example,+351 210 000 000,Dormant,A1,31/12/2030,\n',
  );
  const { id } = await client().agents.create.mutate({
    firstName: 'Ana',
    lastName: 'Reis',
    email: 'ana@asked.example',
    title: 'Broker',
  });
  using terminal = startAt(process.execPath, [main, 'agents', 'import', file], {
    ROSTER_URL: url(),
    ROSTER_KEY: key(),
  });
  await terminal.sees('Which field is "Fone"?');
  await terminal.sees('Cells such as "+351 210 000 000"');
  expect((await client().imports.list.query({})).items).toEqual([]);
  // The answer, and not the question, is what is no field.
  terminal.type('tele');
  await terminal.sees('There is no field "tele". Try ');
  terminal.type(keys.backspace.repeat(4));
  terminal.type('number');
  await terminal.sees('There is no field "number". Try licenses[0].number');
  terminal.type(keys.backspace.repeat(6));
  terminal.type(`phone${keys.enter}`);
  await terminal.sees('What is "Dormant" in "Estado" (1 of the first rows)?');
  terminal.type(`active${keys.enter}`);
  await terminal.sees('How are the days of "licenses[0].expiresOn" written, such as "31/12/2030"?');
  terminal.type(keys.enter);
  await terminal.sees('What do the empty cells of "Cargo" do?');
  terminal.type(`Clear${keys.enter}`);
  await terminal.sees('1 row clears fields with empty cells (title: 1)');
  await terminal.sees('Write them?');
  terminal.type(`yes${keys.enter}`);
  await terminal.sees('Undo it with: roster imports undo');
  expect(await terminal.exit).toBe(0);
  const { items } = await client().agents.list.query({ email: 'ana@asked.example' });
  expect(items).toMatchObject([
    {
      id,
      displayName: 'Ana Reis',
      title: null,
      phone: '+351210000000',
      licenses: [{ expiresOn: '2030-12-31' }],
    },
  ]);
});

it('an import asks on a terminal which country phone numbers without a country code are from, and suggests that of their office', async () => {
  await client().offices.create.mutate({ name: 'Casa Rio', address: { country: 'BR' } });
  const file = join(mkdtempSync(join(tmpdir(), 'roster-import-phones-')), 'staff.csv');
  const row = 'Rui,Lins,Casa Rio,rui@asked.example,213 000 555';
  writeFileSync(file, `firstName,lastName,officeName,email,phone\n${row}\n`);
  using terminal = startAt(process.execPath, [main, 'agents', 'import', file], {
    ROSTER_URL: url(),
    ROSTER_KEY: key(),
  });
  await terminal.sees('Phone numbers without a country code are from (Brazil)');
  await terminal.sees('In 1 of the first rows, by the office of each: Brazil 1');
  terminal.type('Atlantis');
  await terminal.sees('This must be a country such as Portugal or PT');
  terminal.type(`${keys.backspace.repeat(8)}portugal${keys.enter}`);
  await terminal.sees('Phone numbers without a country code are read as: Portugal (1 row)');
  expect(await terminal.exit).toBe(0);
  const { items } = await client().agents.list.query({ email: 'rui@asked.example' });
  expect(items).toMatchObject([{ phone: '+351213000555' }]);
});

it('an import of which nothing else is to be asked asks nothing on a terminal about empty cells, and keeps the fields', async () => {
  const { id } = await client().offices.create.mutate({ name: 'Casa Minho', phone: '+351253000001' });
  const file = join(mkdtempSync(join(tmpdir(), 'roster-import-unasked-')), 'offices.csv');
  writeFileSync(file, `id,name,phone\n${id},Casa Minho Braga,\n`);
  using terminal = startAt(process.execPath, [main, 'offices', 'import', file], {
    ROSTER_URL: url(),
    ROSTER_KEY: key(),
  });
  expect(await terminal.exit).toBe(0);
  expect(await client().offices.get.query({ id })).toMatchObject({
    name: 'Casa Minho Braga',
    phone: '+351253000001',
  });
});

it('an import says on a terminal in which row the header is, and which required fields no column sets', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'roster-import-noted-')), 'staff.csv');
  writeFileSync(file, 'Staff of the branches\n\nTitle,E-mail\nBroker,ana@noted.example\n');
  using terminal = startAt(process.execPath, [main, 'agents', 'import', file], {
    ROSTER_URL: url(),
    ROSTER_KEY: key(),
  });
  await terminal.sees('The header is in row 3. The 2 rows above are ignored.');
  await terminal.sees(
    'No column sets firstName or lastName. Rows that would create a record will have errors.',
  );
  expect(await terminal.exit).toBe(1);
});
