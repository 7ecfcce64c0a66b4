import { expect, it } from 'vitest';
import type { Attempt } from '../../history.ts';
import type { Evidence, FoundAt, LogEvent } from '../evidence.ts';
import { attemptOf, eventOf, found as findBroken, goodRun, stateOf, tell } from './forged.ts';

const KEPT = 'a merge is kept, and one that was undone is back';

const MERGE = { id: 'm', into: 'b', isUndo: false };

interface Forgery {
  /** The events of the merge of c into b, to which d refers. */
  merged?: LogEvent[];
  /** The events of its undo, if it was undone. */
  undone?: LogEvent[];
  found?: FoundAt;
  attempts?: Attempt[];
}

const mergeEvents = (): LogEvent[] => {
  const by = { position: 0, requestId: 'c0-7.1' };
  const part = { merge: { id: 'm', isUndo: false } };
  return [
    { ...eventOf({ ...by, verb: 'updated', subject: 'd', version: 2 }), ...part, refersTo: ['b'] },
    { ...eventOf({ ...by, verb: 'merged', subject: 'c', version: 2 }), merge: MERGE },
    { ...eventOf({ ...by, verb: 'deleted', subject: 'c', version: 2 }), merge: MERGE },
    { ...eventOf({ ...by, verb: 'merged', subject: 'b', version: 2 }), ...part },
  ];
};

const undoEvents = (): LogEvent[] => {
  const by = { position: 0, requestId: 'c0-8.1', verb: 'restored' as const };
  return [{ ...eventOf({ ...by, subject: 'c', version: 3 }), merge: { id: 'm', isUndo: true } }];
};

/** A good run in which c is merged into b, too, and comes back where there are events of that. */
function withMerge({ merged = mergeEvents(), undone = [], found, attempts }: Forgery = {}): Evidence {
  const run = goodRun();
  const plain = { verb: 'create' as const, status: 201 };
  const before = [
    eventOf({ position: 0, verb: 'created', subject: 'c', version: 1, requestId: 'c0-5.1' }),
    {
      ...eventOf({ position: 0, verb: 'created', subject: 'd', version: 1, requestId: 'c0-6.1' }),
      refersTo: ['c'],
    },
  ];
  const asked = [
    attemptOf({ operation: 'c0-5', ...plain, seen: [stateOf('c', 1)] }),
    attemptOf({ operation: 'c0-6', ...plain, seen: [stateOf('d', 1)] }),
    attemptOf({ operation: 'c0-7', verb: 'merge', record: 'b', duplicate: 'c', seen: [stateOf('b', 2)] }),
    ...(undone.length > 0
      ? [attemptOf({ operation: 'c0-8', verb: 'unmerge', record: 'c', seen: [stateOf('c', 3)] })]
      : []),
  ];
  const log = [...run.log, ...before, ...merged, ...undone].map((event, index) => ({
    ...event,
    position: index + 1,
  }));
  const back = undone.length > 0 ? [stateOf('c', 3)] : [];
  return {
    ...run,
    ...tell(log),
    attempts: [...run.attempts, ...(attempts ?? asked)],
    tables: { ...run.tables, agents: [stateOf('b', 2), stateOf('d', 2), ...back] },
    found: new Map([['c', found ?? (undone.length > 0 ? { status: 200 } : { status: 301, leadsTo: 'b' })]]),
  };
}

it('finds nothing where a merge was kept, and where it was undone', () => {
  for (const run of [withMerge(), withMerge({ undone: undoEvents() })]) expect(findBroken(run)).toEqual({});
});

it.each<[string, Forgery, string]>([
  ['that was acknowledged and lost', { merged: [] }, 'was not made a part of b'],
  ['whose duplicate is found no more', { found: { status: 404 } }, 'c returns 404, not 301 to b'],
  ['whose duplicate leads elsewhere', { found: { status: 301, leadsTo: 'a' } }, 'returns 301 to a'],
  [
    'whose duplicate is returned as if it were there',
    { found: { status: 200 } },
    'returns 200, not 301 to b',
  ],
  [
    'that lost a reference',
    { merged: mergeEvents().map((event) => ({ ...event, refersTo: [] })) },
    'd referred to c, and not to b afterwards',
  ],
  ['that left a reference behind', { merged: mergeEvents().slice(1) }, 'd refers to c, which is part of b'],
  [
    'whose undo was acknowledged and lost',
    {
      attempts: [attemptOf({ operation: 'c0-8', verb: 'unmerge', record: 'c', seen: [stateOf('c', 3)] })],
    },
    'c did not come back',
  ],
  [
    'that was undone and still leads to the survivor',
    { undone: undoEvents(), found: { status: 301, leadsTo: 'b' } },
    'returns 301 to b, not 200',
  ],
])('finds a merge %s', (_, forgery, what) => {
  expect(findBroken(withMerge(forgery))[KEPT]).toContainEqual(expect.stringContaining(what));
});

it('finds a duplicate that is still in the list', () => {
  const run = withMerge();
  const tables = { ...run.tables, agents: [...run.tables.agents, stateOf('c', 2)] };
  expect(findBroken({ ...run, tables })[KEPT]).toEqual(['c is listed and gone']);
});

it('follows a chain of merges to the record that is there, and to none if that is gone', () => {
  const chain = (ends: LogEvent['verb']) =>
    [
      { ...eventOf({ position: 0, verb: 'created', subject: 'e', version: 1, requestId: null }) },
      {
        ...eventOf({ position: 0, verb: 'deleted', subject: 'b', version: 2, requestId: null }),
        merge: { id: 'n', into: 'e', isUndo: false },
      },
      ...(ends === 'deleted'
        ? [eventOf({ position: 0, verb: 'deleted', subject: 'e', version: 1, requestId: null })]
        : []),
    ] satisfies LogEvent[];
  const wanted = (ends: LogEvent['verb'], found: FoundAt) =>
    findBroken(withMerge({ merged: [...mergeEvents(), ...chain(ends)], found }))[KEPT]?.filter((line) =>
      line.startsWith('c returns'),
    ) ?? [];
  expect(wanted('created', { status: 301, leadsTo: 'e' })).toEqual([]);
  expect(wanted('created', { status: 301, leadsTo: 'b' })).toHaveLength(1);
  expect(wanted('deleted', { status: 404 })).toEqual([]);
});

it('finds a merge that was made twice by one request', () => {
  const twice = [...mergeEvents(), ...undoEvents(), ...mergeEvents()];
  const broken = findBroken(withMerge({ merged: twice }))['no write happens twice, no rejected one at all'];
  expect(broken).toContainEqual(expect.stringContaining('c0-7 was done twice'));
});
