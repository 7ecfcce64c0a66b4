import { describe, expect, it } from 'vitest';
import type { DirectoryRecord } from '../../resources/record.ts';
import {
  changedSince,
  compareFields,
  defaultChoice,
  defaultSurvivor,
  findNextPair,
  mergeFields,
  sortDifferences,
} from './choices.ts';

const record = (fields: object): DirectoryRecord => ({
  id: 'a',
  status: 'active',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...fields,
});

const one = record({ firstName: 'Ana', title: 'Broker', phone: null, languages: ['pt'], metadata: {} });
const two = record({
  id: 'b',
  createdAt: '2026-02-01T00:00:00.000Z',
  firstName: 'Ana',
  title: 'Partner',
  phone: '+351910000001',
  languages: ['en'],
  metadata: {},
});

describe('two records that are compared', () => {
  it('differ in fields that can be written; what is empty in both is not told', () => {
    expect(compareFields('agents', [one, two])).toEqual({
      different: ['phone', 'languages', 'title'],
      same: ['firstName'],
    });
  });

  it('leave an active one rather than an inactive one, and the older of two', () => {
    expect(defaultSurvivor([one, two])).toBe(0);
    expect(defaultSurvivor([two, one])).toBe(1);
    expect(defaultSurvivor([{ ...one, status: 'inactive' }, two])).toBe(1);
  });

  it('leave the values of the survivor, those that it lacks, and both of lists, as the service does by default', () => {
    const records = [one, two] as const;
    const choices = ['title', 'phone', 'languages'].map((name) =>
      defaultChoice('agents', name, { records, survivor: 0 }),
    );
    expect(choices).toEqual([0, 1, 'both']);
    expect(defaultChoice('agents', 'phone', { records, survivor: 1 })).toBe(1);
  });

  it('are not combined in a list that one of them lacks, and only one has what is certain', () => {
    const records = [one, { ...two, languages: [] }] as const;
    expect(defaultChoice('agents', 'languages', { records, survivor: 0 })).toBe(0);
    expect(defaultChoice('agents', 'languages', { records, survivor: 1 })).toBe(0);
    expect(sortDifferences('agents', { records, survivor: 0 })).toEqual({
      toDecide: ['title'],
      only: [['languages'], ['phone']],
    });
  });

  it('add up to one address unless they contradict each other; a source and an extension stay whole', () => {
    const choiceOf = (name: string, first: object, second: object) =>
      defaultChoice('agents', name, { records: [record(first), record(second)], survivor: 0 });
    const miami = { address: { line1: null, city: 'Miami', postalCode: null } };
    const code = { address: { line1: null, city: 'miami', postalCode: '33101' } };
    const orlando = { address: { line1: null, city: 'Orlando', postalCode: '32801' } };
    expect(choiceOf('address', miami, code)).toBe('both');
    expect(choiceOf('address', miami, orlando)).toBe(0);
    expect(choiceOf('address', { address: null }, orlando)).toBe(1);
    const [mls, crm] = [{ source: { name: 'MLS', key: '1' } }, { source: { name: 'CRM', key: '2' } }];
    expect(choiceOf('source', mls, crm)).toBe(0);
    const extended = { phone: '+351210000002', phoneExt: '12' };
    expect(choiceOf('phoneExt', { phone: '+351210000001', phoneExt: null }, extended)).toBe(0);
    expect(choiceOf('phoneExt', { phone: null, phoneExt: null }, extended)).toBe(1);
  });

  it('are merged with a choice of every field that differs, by what the record is in the merge', () => {
    const records = [one, two] as const;
    expect(mergeFields('agents', { records, survivor: 1, choices: { title: 0 } })).toEqual({
      title: 'duplicate',
      phone: 'survivor',
      languages: 'both',
    });
  });

  it('have changed in what another reading of them has', () => {
    expect(
      changedSince('agents', one, { ...one, title: 'Founder', status: 'inactive', version: 3 }).toSorted(),
    ).toEqual(['status', 'title']);
  });
});

describe('the pair after one', () => {
  const pair = (first: string, second: string) => ({
    id: `${first}${second}`,
    score: 1,
    reasons: [],
    foundAt: '',
    records: [record({ id: first }), record({ id: second })],
    dismissedAt: null,
    dismissalReason: null,
    actorId: null,
    actor: null,
  });
  const pairs = [pair('a', 'b'), pair('b', 'c'), pair('d', 'e')];

  it('is the next in the list, or of the last one the first', () => {
    expect(findNextPair(pairs, ['a', 'b'])?.id).toBe('bc');
    expect(findNextPair(pairs, ['e', 'd'])?.id).toBe('ab');
    expect(findNextPair(pairs.slice(0, 1), ['a', 'b'])).toBeUndefined();
  });

  it('is none with the record that is gone', () => {
    expect(findNextPair(pairs, ['a', 'b'], 'b')?.id).toBe('de');
  });
});
