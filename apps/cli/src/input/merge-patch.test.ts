import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operationContract } from '../contract/contract.ts';
import type { Row } from '../resources.ts';
import { isObject } from './fields.ts';
import { mergePatch, writableOf } from './merge-patch.ts';
import { validateInput } from './validation.ts';

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

/** Removes null members, which equal missing ones in the RFC; arrays are left unchanged. */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

const text = fc.string({ maxLength: 3 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
// Names of inherited properties of JavaScript objects.
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', 'length'));
const parts = fc.record({ line1: maybe(text), city: maybe(text), country: maybe(text) });

/** Fields of an office of every kind, including read-only ones. */
const office = fc.record({
  id: fc.uuid(),
  version: fc.nat(),
  status: fc.constantFrom('active', 'inactive'),
  deactivatedAt: maybe(text),
  name: text,
  phone: maybe(text),
  licenses: fc.array(fc.record({ number: text, region: maybe(text) }), { maxLength: 3 }),
  address: maybe(parts),
  mailingAddress: maybe(parts),
  source: maybe(fc.record({ name: text, key: text })),
  metadata: fc.dictionary(name, text, { maxKeys: 4 }),
});

const written = (record: Row) => writableOf({ name: 'offices' }, record);

describe('the merge patch from a record to an earlier version', () => {
  it('restores every writable field by the rules of RFC 7396', () => {
    fc.assert(
      fc.property(office, office, (now, then) => {
        const patch = mergePatch(written(now), written(then));
        expect(withoutNulls(applied(written(now), patch))).toEqual(withoutNulls(written(then)));
      }),
    );
  });

  it('changes any JSON object to any other', () => {
    const json = fc.dictionary(name, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
    fc.assert(
      fc.property(json, json, (now, then) => {
        const patch = mergePatch(now, then);
        expect(withoutNulls(applied(withoutNulls(now), patch))).toEqual(withoutNulls(then));
      }),
    );
  });

  it('contains no unchanged fields and no read-only fields', () => {
    const fields = operationContract('offices', 'update').fields.map(({ path }) => path[0]);
    fc.assert(
      fc.property(office, office, (now, then) => {
        expect(mergePatch(written(then), written(then))).toEqual({});
        const patch = mergePatch(written(now), written({ ...then, phone: now.phone, address: now.address }));
        expect(Object.keys(patch)).not.toEqual(expect.arrayContaining(['phone']));
        expect(patch).not.toHaveProperty('address');
        for (const field of Object.keys(patch)) expect(fields).toContain(field);
      }),
    );
  });

  it.each([
    [{ phone: '1' }, { phone: null }, { phone: null }],
    [
      { address: { city: 'A', line1: 'B' } },
      { address: { city: 'C', line1: 'B' } },
      { address: { city: 'C' } },
    ],
    [{ address: null }, { address: { city: 'A', line1: null } }, { address: { city: 'A' } }],
    [{ address: { city: 'A', line1: null } }, { address: null }, { address: null }],
    [{ metadata: { a: '1', b: '2' } }, { metadata: { b: '2', c: '3' } }, { metadata: { a: null, c: '3' } }],
    [{ list: ['a', 'b'] }, { list: ['b', 'a'] }, { list: ['b', 'a'] }],
  ])('from %j to %j is %j', (from, to, patch) => {
    expect(mergePatch(from, to)).toEqual(patch);
  });
});

it('treats as writable exactly the fields that the service accepts in an update', async () => {
  for (const resource of ['offices', 'agents'] as const) {
    const everything = written({});
    expect(Object.keys(everything)).not.toContain('status');
    const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
    const errors = await validateInput(`${resource}.update`, { id, ...writableOf({ name: resource }, {}) });
    // The name is required; every other field can be cleared.
    expect(errors.every(({ code }) => code === 'invalid_type')).toBe(true);
  }
});
