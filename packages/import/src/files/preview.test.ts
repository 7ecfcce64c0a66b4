import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createImportable } from '../importable.ts';
import { readChoice } from '../values/choices.ts';
import { guessDateFormat, toIsoDay } from '../values/days.ts';
import { nearestFields } from './file-columns.ts';
import { previewTable, readTable } from './preview.ts';

const nothing = { columns: {}, values: {}, dates: {}, columnEmptyCells: {} };
const csv = (text: string) => readTable(Buffer.from(text), { format: 'csv', delimiter: ',', isCut: false });

describe('the columns of a file', () => {
  it.each(['offices', 'agents'] as const)('of the sample of %s are all known', async (sample) => {
    const text = readFileSync(new URL(`../../../../samples/${sample}.csv`, import.meta.url), 'utf8');
    const { columns, problems } = previewTable(await csv(text), createImportable(sample), nothing);
    expect(columns.filter(({ field }) => field === null)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('are known by names of the Data Dictionary, of spreadsheets and in Portuguese, whatever their accents', async () => {
    const table = await csv('MemberFirstName,Surname,TELEMÓVEL,Telefone,Shoe size,import error\n');
    const { columns } = previewTable(table, createImportable('agents'), nothing);
    expect(columns.map(({ field }) => field)).toEqual([
      ...['firstName', 'lastName', 'mobilePhone', 'phone', null, null],
    ]);
  });

  it('that are unknown have the fields nearest by letters or by words', () => {
    const nearest = (header: string) => nearestFields(header, createImportable('agents'));
    expect(nearest('Licença até')).toEqual(
      expect.arrayContaining(['licenses[0].number', 'licenses[0].expiresOn']),
    );
    expect(nearest('Mobile no')[0]).toBe('mobilePhone');
    expect(nearest('postal')[0]).toBe('address.postalCode');
  });

  it('read Address as the street if other parts of the address have columns', async () => {
    const { columns } = previewTable(await csv('Address,City\n'), createImportable('agents'), nothing);
    expect(columns.map(({ field }) => field)).toEqual(['address.line1', 'address.city']);
  });

  it('leave out a last row that the beginning of the file cuts', async () => {
    const options = { format: 'csv', delimiter: ',', isCut: true } as const;
    expect((await readTable(Buffer.from('a,b\n1,2\n3'), options)).rows).toEqual([['1', '2']]);
  });
});

it('the format of days is found by a number that no month has, and the day is first if there is none', () => {
  expect(guessDateFormat(['2027-12-31', '2028-01-31'])).toBe('iso');
  expect(guessDateFormat(['05/06/2027', '31/12/2027'])).toBe('day-first');
  expect(guessDateFormat(['05/06/2027', '12/31/2027'])).toBe('month-first');
  expect(guessDateFormat(['2027-12-31', '5.6.2027'])).toBe('day-first');
  expect(guessDateFormat(['2027/6/5'])).toBe('year-first');
  expect(guessDateFormat(['soon', ''])).toBeUndefined();
});

it('a day is written as the service takes it, and what is none stays for its error', () => {
  expect(toIsoDay('5/6/2027', 'day-first')).toBe('2027-06-05');
  expect(toIsoDay('5/6/2027', 'month-first')).toBe('2027-05-06');
  expect(toIsoDay('31.12.27', 'day-first')).toBe('2027-12-31');
  expect(toIsoDay('2027-12-31', 'day-first')).toBe('2027-12-31');
  expect(toIsoDay('2027/6/5 00:00:00', 'year-first')).toBe('2027-06-05');
  expect(toIsoDay('12/31/2027', 'day-first')).toBe('12/31/2027');
});

it('a word for a choice is read as that choice, and any other as the name of one', () => {
  const states = ['active', 'inactive'];
  expect(['Ativo', 'ACTIVE', 'Inativa', 'On leave'].map((text) => readChoice(text, states))).toEqual([
    ...['active', 'active', 'inactive', 'on_leave'],
  ]);
  expect(readChoice('Stand Alone', ['main', 'stand_alone'])).toBe('stand_alone');
});
