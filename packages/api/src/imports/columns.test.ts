import { readFileSync } from 'node:fs';
import { createImportable, nearestFields } from '@roster/import';
import { previewTable, readTable } from '@roster/import/files';
import { describe, expect, it } from 'vitest';
import { recordContracts } from './contract.ts';

const records = recordContracts();
const nothing = { columns: {}, values: {}, dates: {}, columnEmptyCells: {}, dateOrder: 'day-first' } as const;
const csv = (text: string) => readTable(Buffer.from(text), { format: 'csv', delimiter: ',', isCut: false });

describe('the columns of a file', () => {
  it.each(['offices', 'agents'] as const)('of the sample of %s are all known', async (sample) => {
    const text = readFileSync(new URL(`../../../../samples/${sample}.csv`, import.meta.url), 'utf8');
    const { columns, problems } = previewTable(await csv(text), createImportable(sample, records), nothing);
    expect(columns.filter(({ field }) => field === null)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('are known by names of the Data Dictionary, of spreadsheets and in Portuguese, whatever their accents', async () => {
    const table = await csv('MemberFirstName,Surname,TELEMÓVEL,Telefone,Shoe size,What to correct\n');
    const { columns } = previewTable(table, createImportable('agents', records), nothing);
    expect(columns.map(({ field }) => field)).toEqual([
      ...['firstName', 'lastName', 'mobilePhone', 'phone', null, null],
    ]);
  });

  it('that are unknown have the fields nearest by letters or by words', () => {
    const nearest = (header: string) => nearestFields(header, createImportable('agents', records));
    expect(nearest('Licença válida')).toEqual(
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

/** The headers of further lists than those in the folder of files, and the field of each; null for one that is left out. */
const layouts: Record<string, Record<string, string | null>> = {
  'a register of licences': {
    'License Number': 'licenses[0].number',
    'License Type': 'licenses[0].type',
    'License State': 'licenses[0].region',
    'Expiration Date': 'licenses[0].expiresOn',
    'Last Name': 'lastName',
    'First Name': 'firstName',
    'Name Suffix': 'nameSuffix',
    'Employing Broker': 'officeName',
    'County Name': 'address.county',
    'Zip Code': 'address.postalCode',
  },
  'a roster of an MLS': {
    'Member ID': 'id',
    'MLS #': 'mlsId',
    'NRDS ID': 'nationalAssociationId',
    Office: null,
    'Office Name': 'officeName',
    'Office Phone': 'phone',
    'Cell Phone': 'mobilePhone',
    'Direct Line': 'directPhone',
    Designation: 'designations',
    'Languages Spoken': 'languages',
    Headshot: 'photoUrl',
  },
  'um programa em português': {
    'Nome próprio': 'firstName',
    Sobrenome: 'lastName',
    Alcunha: 'nickname',
    Cargo: 'title',
    Imobiliária: 'officeName',
    'Telefone fixo': 'phone',
    Telemóvel: 'mobilePhone',
    'Linha direta': 'directPhone',
    'Endereço de e-mail': 'email',
    Morada: 'address.line1',
    Complemento: 'address.line2',
    Município: 'address.city',
    Distrito: 'address.region',
    'Código postal': 'address.postalCode',
    País: 'address.country',
    'Número de licença': 'licenses[0].number',
    'Tipo de licença': 'licenses[0].type',
    'Data de validade': 'licenses[0].expiresOn',
    Idiomas: 'languages',
    Situação: 'status',
  },
};

it('a column with whole names alone is split, and one beside first and last names is the display name', async () => {
  const preview = async (text: string) =>
    previewTable(await csv(text), createImportable('agents', records), nothing).columns[0];
  expect(await preview('Licensee Name,Email\n"DOE, JANE M",a@example.com\n')).toMatchObject({
    field: 'wholeName',
    names: [{ text: 'DOE, JANE M', firstName: 'JANE', middleName: 'M', lastName: 'DOE' }],
  });
  expect(await preview('Full Name,First Name,Last Name\n')).toMatchObject({
    field: 'displayName',
    names: null,
  });
});

describe('the columns of', () => {
  it.each(Object.entries(layouts))('%s are known by their names', async (_, fields) => {
    const table = await csv(`${Object.keys(fields).join(',')}\n`);
    const { columns, missing } = previewTable(table, createImportable('agents', records), nothing);
    expect(Object.fromEntries(columns.map(({ name, field }) => [name, field]))).toEqual(fields);
    expect(missing).toEqual('Member ID' in fields ? ['firstName', 'lastName'] : []);
  });
});
