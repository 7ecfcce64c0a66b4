import type { Event } from '@roster/client';
import { expect, it } from 'vitest';
import { referredIds } from './event-types.ts';

const event = (type: string, record: object, previous: object = {}) => ({ type, record, previous }) as Event;

it('an event concerns the records that its record refers to, before and after, also in the items of its lists', () => {
  const moved = event(
    'agent.transferred',
    { officeId: 'new', affiliations: [{ officeId: 'other' }] },
    { officeId: 'old' },
  );
  expect(referredIds('offices', moved).toSorted()).toEqual(['new', 'old', 'other']);
  expect(referredIds('agents', moved)).toEqual([]);
  expect(referredIds('offices', event('office.updated', { id: 'branch', mainOfficeId: 'main' }))).toEqual([
    'main',
  ]);
  expect(
    referredIds('agents', event('team.updated', { members: [{ agentId: 'one' }, { agentId: 'two' }] })),
  ).toEqual(['one', 'two']);
  expect(referredIds('offices', event('key.created', { officeId: 'none' }))).toEqual([]);
});
