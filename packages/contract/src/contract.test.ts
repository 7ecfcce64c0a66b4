import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rpcOnly, operations as serviceOperations } from '@roster/api';
import { fieldAt, inputFields } from '@roster/fields';
import { checkFields } from '@roster/fields/check';
import { expect, it } from 'vitest';
import { generatedFiles } from '../scripts/generate.ts';
import { operations } from './operations.ts';
import { records } from './records.ts';

const root = join(import.meta.dirname, '../../..');

it('the generated files follow from the schemas of the service (`npm run generate`)', () => {
  for (const [path, text] of Object.entries(generatedFiles()))
    expect(readFileSync(join(root, path), 'utf8') === text, path).toBe(true);
});

it('has every operation of the service, and each field of its input', () => {
  expect(Object.keys(operations)).toEqual(serviceOperations.map(({ procedure }) => procedure));
  for (const { procedure, input } of serviceOperations) {
    const { $ref = '', $defs = {}, ...own } = input.toJSONSchema({ io: 'input', unrepresentable: 'any' });
    const { properties = {} } = $defs[$ref.replace('#/$defs/', '')] ?? own;
    const operation = operations[procedure];
    const names = operation === undefined ? [] : inputFields(operation).map(({ name }) => name);
    expect([...names, ...rpcOnly], procedure).toEqual(expect.arrayContaining(Object.keys(properties)));
  }
});

it('describes every field of a record, and says which ones only the service sets', () => {
  for (const { fields } of Object.values(records)) {
    expect(fields.filter(({ description }) => description === '')).toEqual([]);
    const readOnly = fields.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name);
    expect(readOnly).toEqual(expect.arrayContaining(['id', 'status', 'version', 'scheduledChanges']));
    expect(readOnly).not.toContain('email');
  }
});

it('says which records a field refers to: of an id, of the ids in a list, in parts, and of inputs that are no fields', () => {
  const field = (path: string) => fieldAt(records.agents.fields, path)?.refersTo;
  expect(['officeId', 'affiliations[0].officeId', 'assistantToAgentId', 'mlsId'].map(field)).toEqual([
    ...['offices', 'offices', 'agents', undefined],
  ]);
  expect(records.agents.filters.find(({ name }) => name === 'ids')?.refersTo).toBe('agents');
  expect(
    operations['offices.transferAgents']?.fields.find(({ name }) => name === 'toOfficeId')?.refersTo,
  ).toBe('offices');
});

it('names fields that there are as the name, the parent and the columns of a list', () => {
  for (const { fields, nameField, parentField, listFields } of Object.values(records)) {
    const names = [nameField, ...(parentField === undefined ? [] : [parentField]), ...listFields];
    expect(names.filter((path) => fieldAt(fields, path) === undefined)).toEqual([]);
  }
});

it('has no pattern of a kind of text in each of its fields', () => {
  const dates = JSON.stringify(operations['offices.create']).match(/\\\\d/g);
  expect(dates).toBeNull();
});

it.each([
  [
    'offices.create',
    { name: 'Casa', address: { country: 'PT' }, licenses: [{ number: 'A1' }], metadata: { a: 'b' } },
    true,
  ],
  ['offices.create', { address: null }, false],
  ['offices.create', { name: '' }, false],
  ['offices.create', { name: 'Casa', licenses: [{ region: '11' }] }, false],
  ['offices.create', { name: 'Casa', noSuchField: 'x' }, false],
  [
    'offices.update',
    { id: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', metadata: { a: null }, branchType: null },
    true,
  ],
  ['offices.update', { id: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', branchType: 'tower' }, false],
  ['agents.bulk', { filter: { all: true }, change: { type: 'delete' }, dryRun: true }, true],
  ['agents.bulk', { filter: { all: false }, change: { type: 'delete' }, dryRun: true }, false],
  ['agents.bulk', { filter: { all: true }, change: { type: 'transfer' }, dryRun: true }, false],
  ['views.create', { name: 'Mine', resource: 'agents', query: { q: 'ana', status: ['active'] } }, true],
  ['views.create', { name: 'Mine', resource: 'keys' }, false],
])(
  '%s: the check of the contract accepts or rejects what the schema of the service does: %j',
  async (procedure, input, isValid) => {
    const operation = operations[procedure];
    const service = serviceOperations.find((one) => one.procedure === procedure);
    if (operation === undefined || service === undefined) throw new Error(`There is no ${procedure}`);
    expect((await service.input.safeParseAsync(input)).success).toBe(isValid);
    expect(checkFields(inputFields(operation), input).length === 0).toBe(isValid);
  },
);
