import { describe, expect, it } from 'vitest';
import { contracts, fieldOf } from '../../../../api/contract/contracts.ts';
import {
  emptyParts,
  fromForm,
  isEqual,
  patchOf,
  type Row,
  row,
  toForm,
  valueIn,
  withoutEmptyRows,
} from './form-values.ts';

const examples = Object.fromEntries(
  contracts.agents.fields.map(({ name, example }) => [name, example ?? null]),
);
const field = (name: string) => {
  const found = fieldOf('agents', name);
  if (found === undefined) throw new Error(`${name} is no field`);
  return found;
};

describe('a form', () => {
  it.each(contracts.agents.fields.map(({ name }) => name))('gives back %s as it was read', (name) => {
    const value = examples[name] ?? null;
    expect(valueIn(field(name), examples)).toEqual(value);
    expect(patchOf([field(name)], examples, { [name]: value })).toEqual({});
  });

  it('trims texts, and clears what is empty', () => {
    expect(fromForm(field('phone'), '  210 ')).toBe('210');
    expect(fromForm(field('phone'), '   ')).toBeNull();
    expect(fromForm(field('address'), { line1: '', city: ' ' })).toBeNull();
  });

  it('leaves out empty rows, so that an error of the service is about the row that has its number', () => {
    const rows = [row(''), row('pt'), row('en')] as const;
    const kept = withoutEmptyRows(field('languages'), rows) as readonly Row<string>[];
    expect(kept.map(({ value }) => value)).toEqual(['pt', 'en']);
    expect(fromForm(field('languages'), rows)).toEqual(['pt', 'en']);
  });

  it('keeps the keys of rows that were read, and gives new ones their own', () => {
    const first = toForm(field('languages'), ['pt', 'en']);
    expect(toForm(field('languages'), ['pt', 'en'])).toEqual(first);
    expect(row('').key).not.toBe(row('').key);
  });

  it('shows a new affiliation to the public, unless it is said otherwise', () => {
    const [affiliation] = toForm(field('affiliations'), [{ officeId: 'a' }]) as readonly Row<object>[];
    expect(affiliation?.value).toEqual({ officeId: 'a', title: '', isVisible: true, since: '' });
  });

  it('gives a new item what the service would give it, and leaves it out if it has no more', () => {
    const members = fieldOf('teams', 'members');
    if (members === undefined) throw new Error('There is no such field');
    const fresh = emptyParts(members);
    expect(fresh).toEqual({ agentId: '', role: 'member', title: '', since: '', until: '' });
    expect(fromForm(members, [row(fresh)])).toEqual([]);
    expect(fromForm(members, [row({ ...fresh, agentId: 'a' })])).toMatchObject([{ role: 'member' }]);
  });
});

describe('a patch', () => {
  it('names what differs alone, and of a map the pairs', () => {
    const record = { phone: '1', title: 'A', metadata: { a: '1', b: '2' } };
    const values = { phone: '2', title: 'A', metadata: { a: '1', c: '3' } };
    expect(patchOf(contracts.agents.fields, record, values)).toEqual({
      phone: '2',
      metadata: { b: null, c: '3' },
    });
  });
});

describe('two values', () => {
  it('are the same whatever the order of their members', () => {
    expect(isEqual({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
    expect(isEqual([1, 2], [2, 1])).toBe(false);
    expect(isEqual([], {})).toBe(false);
    expect(isEqual(null, {})).toBe(false);
  });
});
