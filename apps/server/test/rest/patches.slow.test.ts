import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Body,
  bodyOf,
  type CollectionName,
  collections,
  directoryOf,
  hasField,
  knownFields,
  smallest,
} from '../support/fixtures.ts';
import { createReferences, fullRecord, type References, scripts } from '../support/full-records.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396, section 2, as it is written there. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Body = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}

const addresses = ['address', 'mailingAddress'];
const parts = ['line1', 'line2', 'city', 'county', 'region', 'postalCode', 'country'];

/** How a record shows what is not there: null, empty, a default, and an address or none with all its parts. */
function shown(fields: Body, like: Body): Body {
  const absent = (name: string) => {
    if (name === 'displayName') return `${fields.firstName} ${fields.lastName}`;
    if (name === 'metadata') return {};
    return Array.isArray(like[name]) ? [] : null;
  };
  const entries = Object.keys(like).map((name): [string, unknown] => {
    const value = fields[name];
    if (value === undefined || value === null) return [name, absent(name)];
    if (!addresses.includes(name)) return [name, value];
    const all = Object.fromEntries(parts.map((part) => [part, (value as Body)[part] ?? null]));
    return [name, Object.values(all).every((part) => part === null) ? null : all];
  });
  return Object.fromEntries(entries);
}

/** Any merge patch of a resource: some fields, each with another value, with null, or with a part of an object. */
function patchOf(collection: CollectionName, other: Body): fc.Arbitrary<Body> {
  const required = Object.keys(smallest(collection));
  const fields = Object.entries(other).map(([name, value]): [string, fc.Arbitrary<unknown>] => {
    const choices: fc.Arbitrary<unknown>[] = [fc.constant(value)];
    if (!required.includes(name)) choices.push(fc.constant(null));
    if (isObject(value) && name !== 'source') {
      const some = Object.entries(value).map(([part, inner]): [string, fc.Arbitrary<unknown>] => [
        part,
        fc.constantFrom(inner, null),
      ]);
      choices.push(fc.record(Object.fromEntries(some), { requiredKeys: [] }));
    }
    return [name, fc.oneof(...choices)];
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

function pick(record: object, like: Body): Body {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name in like));
}

/** Two records may not have one e-mail or one source: each gets its own. */
const variant = (collection: CollectionName, script: string, references: References): Body => ({
  ...fullRecord(collection, scripts[script] ?? '', references),
  metadata: { a: script, [script]: 'x' },
});

describe.each(collections)('%s: a merge patch', (collection) => {
  it('does what RFC 7396 says, for any fields, and makes a version exactly when it changes something', async () => {
    const references = await createReferences(server);
    const others = await createReferences(server);
    const first = variant(collection, 'Greek', references);
    const second = variant(collection, 'CJK', others);
    const { id } = await directoryOf(server).create(collection, first);
    await fc.assert(
      fc.asyncProperty(patchOf(collection, second), patchOf(collection, first), async (...patches) => {
        for (const patch of patches) {
          const before = await directoryOf(server).get(collection, id);
          // The default of a display name is no value of the field.
          const isDefault =
            'displayName' in before && before.displayName === `${before.firstName} ${before.lastName}`;
          const known = pick(before, first);
          if (isDefault) delete known.displayName;
          const after = await directoryOf(server).patch(collection, id, patch);
          const expected = shown(merged(known, patch) as Body, first);
          expect(pick(after, first)).toEqual(expected);
          const isChanged = !isDeepStrictEqual(shown(known, first), expected);
          expect(after.version - before.version).toBe(isChanged ? 1 : 0);
          expect(await directoryOf(server).get(collection, id)).toEqual(after);
        }
      }),
      // Each run goes on from the record the one before left, so a failure cannot be shrunk.
      { numRuns: 20, endOnFailure: true },
    );
  });

  it('of nothing, of what is there already, or that undoes itself by trimming makes no version', async () => {
    const sent = variant(collection, 'Latin', await createReferences(server));
    const record = await directoryOf(server).create(collection, sent);
    for (const patch of [
      {},
      sent,
      knownFields(collection, { phone: ` ${sent.phone}\n` }),
      knownFields(collection, { address: {} }),
      { metadata: { none: null } },
    ]) {
      const response = await server.request('PATCH', `/${collection}/${record.id}`, patch);
      expect(response.headers.get('ETag')).toMatch(/^"1(-gzip)?"$/);
      expect(await bodyOf(response)).toEqual(record);
    }
  });

  it('is taken as application/merge-patch+json and as application/json', async () => {
    const { id } = await directoryOf(server).create(collection);
    for (const [index, type] of ['application/merge-patch+json', 'application/json'].entries()) {
      const headers = { 'Content-Type': `${type}; charset=utf-8` };
      const response = await server.request('PATCH', `/${collection}/${id}`, { metadata: { type } }, headers);
      expect(response.status).toBe(200);
      expect(response.headers.get('ETag')).toBe(`"${index + 2}"`);
      expect((await bodyOf(response)).metadata).toEqual({ type });
    }
  });

  it.runIf(hasField(collection, 'address'))(
    'changes parts of an address and leaves the others; the last part cleared makes it null',
    async () => {
      const address = { line1: 'Rua da Prata 80', city: 'Lisboa', country: 'PT' };
      const { id } = await directoryOf(server).create(collection, { address });
      const patch = (changed: Body) => directoryOf(server).patch(collection, id, { address: changed });
      const moved = { line1: null, city: 'Porto', country: 'PT' };
      expect(await patch({ city: 'Porto', line1: null })).toMatchObject({ address: moved });
      expect(await patch({ city: null, country: null })).toMatchObject({ address: null });
    },
  );

  it('cannot leave half a source', async () => {
    const { id } = await directoryOf(server).create(collection);
    const fault = { pointer: '#/source', code: 'incomplete' };
    const half = await server.request('PATCH', `/${collection}/${id}`, { source: { name: 'MLS' } });
    await expectFault(half, 'validation_failed', fault);
    await directoryOf(server).patch(collection, id, { source: { name: 'MLS', key: id } });
    const other = await directoryOf(server).patch(collection, id, { source: { name: 'MLS Porto' } });
    expect(other.source).toEqual({ name: 'MLS Porto', key: id });
    const cleared = await server.request('PATCH', `/${collection}/${id}`, { source: { key: null } });
    await expectFault(cleared, 'validation_failed', fault);
    const none = await directoryOf(server).patch(collection, id, { source: { name: null, key: null } });
    expect(none.source).toBeNull();
  });

  it('cannot add the 51st pair of metadata, but can put one in the place of another', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 'x']));
    const { id } = await directoryOf(server).create(collection, { metadata });
    const response = await server.request('PATCH', `/${collection}/${id}`, { metadata: { more: 'x' } });
    await expectFault(response, 'validation_failed', { pointer: '#/metadata', code: 'too_many' });
    const after = await directoryOf(server).patch(collection, id, { metadata: { more: 'x', k0: null } });
    expect(Object.keys(after.metadata).length).toBe(50);
  });

  it('says that the id in the body is not its to change', async () => {
    const { id } = await directoryOf(server).create(collection);
    const other = { id: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11' };
    const response = await server.request('PATCH', `/${collection}/${id}`, other);
    await expectFault(response, 'validation_failed', { pointer: '#/id', code: 'read_only' });
  });

  it('names all read-only fields that differ where the body is another record', async () => {
    const { id } = await directoryOf(server).create(collection);
    const { scheduledChanges, ...other } = await directoryOf(server).create(collection);
    const body = { ...other, status: 'inactive', scheduledChanges, version: 1 };
    const response = await server.request('PATCH', `/${collection}/${id}`, body);
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { pointer: string; code: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(
      expect.arrayContaining(['#/id', '#/status']),
    );
    expect(errors.map(({ pointer }) => pointer)).not.toContain('#/scheduledChanges');
    expect(errors.map(({ pointer }) => pointer)).not.toContain('#/version');
    expect((await directoryOf(server).get(collection, id)).version).toBe(1);
  });

  it('of a record that does not exist is 404, also if it is empty', async () => {
    const unknownId = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
    for (const patch of [{}, { metadata: { a: 'x' } }]) {
      await expectProblem(await server.request('PATCH', `/${collection}/${unknownId}`, patch), 'not_found');
    }
  });
});
