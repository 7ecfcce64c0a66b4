import type { Event } from '@roster/client';
import { describe, expect, it } from 'vitest';
import { subjectName } from '../../resources/event-types.ts';
import { changesOf } from './changes.ts';

const event = (record: object | null, previous: object) =>
  ({ record, previous }) as Pick<Event, 'record' | 'previous'>;

describe('what an event changed', () => {
  it('is each field with its value before and after, and of an object the parts that differ', () => {
    const record = { phone: '+351 2', address: { city: 'Porto', country: 'PT' }, version: 3 };
    const previous = {
      phone: null,
      address: { city: 'Lisboa', country: 'PT' },
      version: 2,
      updatedAt: 'then',
    };
    expect(changesOf(event(record, previous))).toEqual([
      { field: 'phone', before: null, after: '+351 2' },
      { field: 'address.city', before: 'Lisboa', after: 'Porto' },
    ]);
  });

  it('is the whole value if there was none, and nothing of a purged record', () => {
    const address = { city: 'Porto' };
    expect(changesOf(event({ address }, { address: null }))).toEqual([
      { field: 'address', before: null, after: address },
    ]);
    expect(changesOf(event(null, {}))).toEqual([]);
  });

  it('is of what has a name', () => {
    expect(subjectName(event({ displayName: 'Ana Reis', name: 'x' }, {}))).toBe('Ana Reis');
    expect(subjectName(event({ url: 'https://example.com/hook' }, {}))).toBe('https://example.com/hook');
    expect(subjectName(event(null, {}))).toBeUndefined();
  });
});
