import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentFields } from '../directory/agents/schemas.ts';
import { changesOf, differences, isWritablePath, type Json, patchTo } from './field-changes.ts';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** MergePatch of RFC 7396, section 2, literally. */
function applied(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, applied(result.get(name), value));
  }
  return Object.fromEntries(result);
}

const text = fc.constantFrom('a', 'b', 'ç');
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const address = maybe(fc.record({ line1: maybe(text), city: maybe(text), country: maybe(text) }));

/** Fields of an agent of every kind, also of those that only the service writes. */
const agent = fc.record({
  id: fc.constant('1'),
  version: fc.nat(),
  status: fc.constantFrom('active', 'inactive'),
  updatedAt: text,
  firstName: text,
  phone: maybe(text),
  licenses: fc.array(fc.record({ number: text, region: maybe(text) }), { maxLength: 2 }),
  address,
  languages: fc.uniqueArray(text),
  source: maybe(fc.record({ name: text, key: text })),
  metadata: fc.dictionary(fc.constantFrom('x', 'y.z', 'constructor', 'toString'), text),
});

const writable = ['firstName', 'phone', 'licenses', 'address', 'languages', 'source', 'metadata'];
const valuesOf = (record: Json) =>
  new Map(differences({}, record, agentFields).map(({ field, after }) => [field, after]));

describe('the merge patch to an earlier version', () => {
  it('gives every field that callers can write its earlier value, by the rules of RFC 7396', () => {
    fc.assert(
      fc.property(agent, agent, (now, then) => {
        const result = applied(now, patchTo(now, then, writable)) as Json;
        const kept = { id: now.id, version: now.version, status: now.status, updatedAt: now.updatedAt };
        expect(valuesOf(result)).toEqual(valuesOf({ ...then, ...kept }));
      }),
    );
  });

  it('has nothing that is equal, and no field that is not named', () => {
    fc.assert(
      fc.property(agent, agent, fc.subarray(writable), (now, then, names) => {
        expect(patchTo(now, now, writable)).toEqual({});
        const patch = patchTo(now, then, names);
        expect(names).toEqual(expect.arrayContaining(Object.keys(patch)));
      }),
    );
  });

  it('changes the named parts of an object alone', () => {
    fc.assert(
      fc.property(agent, agent, fc.constantFrom('address.city', 'metadata.y.z'), (now, then, path) => {
        const result = applied(now, patchTo(now, then, [path])) as Json;
        const changed = differences(now, result, agentFields).map(({ field }) => field);
        expect([[], [path]]).toContainEqual(changed);
        expect(valuesOf(result).get(path)).toEqual(valuesOf(then).get(path));
      }),
    );
  });

  it.each([
    [{ phone: '1' }, { phone: null }, ['phone'], { phone: null }],
    [
      { address: { city: 'A', line1: 'B' } },
      { address: { city: 'C', line1: 'B' } },
      ['address'],
      { address: { city: 'C' } },
    ],
    [
      { address: null },
      { address: { city: 'A', line1: null } },
      ['address.city'],
      { address: { city: 'A' } },
    ],
    [{ address: { city: 'A', line1: null } }, { address: null }, ['address'], { address: null }],
    [
      { metadata: { a: '1', b: '2' } },
      { metadata: { b: '2', c: '3' } },
      ['metadata.a', 'metadata.c'],
      { metadata: { a: null, c: '3' } },
    ],
    [
      { address: { city: 'A', line1: 'B' } },
      { address: null },
      ['address', 'address.city'],
      { address: null },
    ],
    [{ languages: ['a', 'b'] }, { languages: ['b', 'a'] }, ['languages'], { languages: ['b', 'a'] }],
  ])('from %j to %j at %j is %j', (from, to, paths, patch) => {
    expect(patchTo(from, to, paths)).toEqual(patch);
  });
});

it('a path is writable if an update takes it', () => {
  const paths = ['phone', 'address', 'address.city', 'metadata.a.b', 'source', 'licenses'];
  for (const path of paths) expect(isWritablePath(path, agentFields), path).toBe(true);
  const others = [
    'status',
    'version',
    'nothing',
    'phone.a',
    'address.planet',
    'licenses.0',
    'constructor',
    '',
    '.',
  ];
  for (const path of others) expect(isWritablePath(path, agentFields), path).toBe(false);
});

it('the changes of a created record are its values, without the id, the version and times of the service', () => {
  const record = {
    id: '1',
    version: 1,
    createdAt: 't',
    firstName: 'Ana',
    languages: [],
    address: { city: 'Lisboa', line1: null },
  };
  const created = { type: 'agent.created', record, previous: {} };
  expect(changesOf(created, agentFields)).toEqual([
    { field: 'firstName', before: null, after: 'Ana' },
    { field: 'address.city', before: null, after: 'Lisboa' },
  ]);
  expect(changesOf({ type: 'agent.purged', record: null, previous: {} }, agentFields)).toEqual([]);
});
