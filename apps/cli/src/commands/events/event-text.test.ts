import { records } from '@roster/contract/records';
import type { Field } from '@roster/fields';
import { expect, it } from 'vitest';
import { changeParagraph } from './event-text.ts';

const info = {
  id: '01a21fb0-e1ce-710f-9b1d-2f6f0a9c4e11',
  type: 'agent.updated',
  version: 2,
  position: 2,
  occurredAt: '2026-11-28T10:00:00.000Z',
  actorId: null,
  actor: null,
  actorName: null,
  requestId: null,
  reason: null,
  details: null,
  merge: null,
} as const;

const linesOf = (field: string, after: unknown) =>
  changeParagraph({ ...info, changes: [{ field, before: null, after }] }, { color: false, actor: 'Ana' })
    .text;

/** A value of a field, made of its example. */
function exampleOf({ kind, parts = [], choices, example }: Field): unknown {
  const object = () => Object.fromEntries(parts.map((part) => [part.name, exampleOf(part)]));
  if (kind === 'records') return [object(), object()];
  if (kind === 'object') return object();
  return choices?.[0] ?? example ?? 'a value';
}

it.each(Object.entries(records))('every field of %s is readable in a history', (_, { fields }) => {
  for (const field of fields) {
    const text = linesOf(field.name, exampleOf(field));
    expect(text).toMatch(/: – → [^–]/);
    expect(text).not.toMatch(/\[object|undefined|\{/);
  }
});

it('a scheduled change says what happens and when', () => {
  const change = { id: info.id, scheduledBy: info.id, scheduledAt: info.occurredAt, reason: null };
  const effectiveAt = '2027-01-04T00:00:00.000Z';
  const scheduled = [
    { ...change, change: 'transfer_agents', officeId: 'the-office', effectiveAt },
    { ...change, change: 'deactivate', officeId: null, effectiveAt },
  ];
  expect(linesOf('scheduledChanges', scheduled)).toContain(
    `scheduledChanges: – → transfer agents to the-office at ${effectiveAt}, deactivate at ${effectiveAt}\n`,
  );
});
