import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { keys, startAt } from '../../test/support/terminal.ts';
import { useTestService } from '../../test/support/test-service.ts';

const { url, key, client } = useTestService();
const main = new URL('../../src/roster.js', import.meta.url).pathname;

it('an import asks on a terminal what columns and words are and how days are written, before the file is sent', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'roster-import-asked-')), 'staff.csv');
  writeFileSync(
    file,
    'Nome,Apelido,E-mail,Fone,Estado,licenses[0].number,licenses[0].expiresOn\nAna,Reis,ana@asked.example,+351 210 000 000,Dormant,A1,31/12/2030\n',
  );
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
  await terminal.sees('Undo it with: roster imports undo');
  expect(await terminal.exit).toBe(0);
  const { items } = await client().agents.list.query({ email: 'ana@asked.example' });
  expect(items).toMatchObject([
    { displayName: 'Ana Reis', phone: '+351210000000', licenses: [{ expiresOn: '2030-12-31' }] },
  ]);
});
