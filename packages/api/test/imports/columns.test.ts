import { readFileSync } from 'node:fs';
import { createImportable, nearestFields } from '@roster/import';
import { previewTable, readTable } from '@roster/import/files';
import { describe, expect, it } from 'vitest';
import { recordContracts } from '../../src/records/contract/records.ts';

const records = recordContracts();
const nothing = { columns: {}, values: {}, dates: {}, columnEmptyCells: {} };
const csv = (text: string) => readTable(Buffer.from(text), { format: 'csv', delimiter: ',', isCut: false });

describe('the columns of a file', () => {
  it.each(['offices', 'agents'] as const)('of the sample of %s are all known', async (sample) => {
    const text = readFileSync(new URL(`../../../../samples/${sample}.csv`, import.meta.url), 'utf8');
    const { columns, problems } = previewTable(await csv(text), createImportable(sample, records), nothing);
    expect(columns.filter(({ field }) => field === null)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('are known by names of the Data Dictionary, of spreadsheets and in Portuguese, whatever their accents', async () => {
    const table = await csv('MemberFirstName,Surname,TELEMÓVEL,Telefone,Shoe size,import error\n');
    const { columns } = previewTable(table, createImportable('agents', records), nothing);
    expect(columns.map(({ field }) => field)).toEqual([
      ...['firstName', 'lastName', 'mobilePhone', 'phone', null, null],
    ]);
  });

  it('that are unknown have the fields nearest by letters or by words', () => {
    const nearest = (header: string) => nearestFields(header, createImportable('agents', records));
    expect(nearest('Licença até')).toEqual(
      expect.arrayContaining(['licenses[0].number', 'licenses[0].expiresOn']),
    );
    expect(nearest('Mobile no')[0]).toBe('mobilePhone');
    expect(nearest('postal')[0]).toBe('address.postalCode');
  });

  it('read Address as the street if other parts of the address have columns', async () => {
    const { columns } = previewTable(
      await csv('Address,City\n'),
      createImportable('agents', records),
      nothing,
    );
    expect(columns.map(({ field }) => field)).toEqual(['address.line1', 'address.city']);
  });
});
