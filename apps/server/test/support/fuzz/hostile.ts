import { type Operation, operations } from '@roster/api';
import fc, { type Arbitrary } from 'fast-check';
import { nearly } from './bodies.ts';
import { document, resolve } from './document.ts';
import type { FuzzHeaders } from './headers.ts';
import type { FuzzRequest } from './request.ts';

const NO_HEADERS: FuzzHeaders = [];

/** Bytes that no UTF-8 text holds: alone, too long, of surrogates, beyond the last code point, or cut short. */
const notUtf8: readonly (readonly number[])[] = [
  [0x80],
  [0xff],
  [0xc0, 0x80],
  [0xc3],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f, 0x98],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
];

function withBytes(text: string, at: number, bytes: readonly number[]): Uint8Array {
  const all = Buffer.from(text);
  const cut = at % (all.length + 1);
  return Buffer.concat([all.subarray(0, cut), Buffer.from(bytes), all.subarray(cut)]);
}

const writing = operations.filter(({ hasBody }) => hasBody);

function bodySchemaOf({ path, method }: Operation) {
  const content = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {};
  return Object.values(content)[0]?.schema ?? { type: 'object', properties: {} };
}

/** A change over REST or RPC whose body has bytes in it that are not UTF-8: it must be rejected on both. */
const notUtf8Request: Arbitrary<FuzzRequest> = fc.constantFrom(...writing).chain((operation) =>
  fc
    .record({
      text: nearly(bodySchemaOf(operation), resolve),
      at: fc.nat(),
      bytes: fc.constantFrom(...notUtf8),
      isRpc: fc.boolean(),
      index: fc.nat({ max: 9 }),
    })
    .map(({ text, at, bytes, isRpc, index }) => {
      const [, collection] = operation.path.split('/');
      return {
        method: isRpc ? 'POST' : operation.method,
        target: isRpc
          ? `/trpc/${operation.procedure}`
          : operation.path.replace('{id}', `@${collection}:${index}@`),
        headers: NO_HEADERS,
        body: withBytes(text, at, bytes),
        isRejected: true,
      };
    }),
);

const percent = (character: string) => `%${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`;

/** A path with all its commas, or else one character, percent-encoded, and that once or twice again. */
function encodedAgain(text: string, { at, times }: { at: number; times: number }): string {
  const character = text.includes(',') ? ',' : (text[at % text.length] ?? '');
  const again = Array.from({ length: times }).reduce<string>(
    (encoded) => encoded.replaceAll('%', '%25'),
    percent(character),
  );
  return text.replaceAll(character, again);
}

const queries = operations.filter(({ method }) => method === 'GET');
const batch = fc
  .array(fc.constantFrom(...queries.map(({ procedure }) => procedure)), { minLength: 1, maxLength: 20 })
  .map((names) => ({ path: `/trpc/${names.join(',')}`, query: '?batch=1&input=%7B%7D' }));
const plain = fc.constantFrom(...queries.map(({ path }) => ({ path, query: '' })));

/** A path that is percent-encoded more than once: decoded once, it matches no route. */
const doublyEncodedRequest: Arbitrary<FuzzRequest> = fc
  .record({
    target: fc.oneof({ weight: 2, arbitrary: batch }, { weight: 1, arbitrary: plain }),
    at: fc.nat(),
    times: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ target: { path, query }, ...how }) => ({
    method: 'GET',
    // The first slash stays: without it there is no path.
    target: `/${encodedAgain(path.slice(1), how)}${query}`,
    headers: NO_HEADERS,
    body: undefined,
    isRejected: true,
  }));

/** Below what a body may hold of values, and above it. */
const faultCount = fc.constantFrom(1_000, 40_000, 60_000);

/** Records in which everything is a fault. */
const faultyRecord: Arbitrary<(faults: number) => unknown> = fc.constantFrom(
  (faults: number) => ({
    firstName: 'Ana',
    lastName: 'Silva',
    name: 'Rua',
    languages: Array(faults).fill(1),
  }),
  (faults: number) => Object.fromEntries(Array.from({ length: faults }, (_, n) => [`n${n}`, n])),
  (faults: number) => ({
    name: 'Rua',
    metadata: Object.fromEntries(Array.from({ length: faults }, (_, n) => [n, 1])),
  }),
  (faults: number) => ({ name: 'Rua', licenses: Array(faults).fill({}) }),
  (faults: number) => Array(faults).fill(null),
  () => null,
  () => 'x'.repeat(2_000),
);

/** Imports with tens of thousands of faults. */
const faultyImport: Arbitrary<FuzzRequest> = fc
  .record({
    collection: fc.constantFrom('offices', 'agents'),
    isRpc: fc.boolean(),
    isAtomic: fc.boolean(),
    mode: fc.constantFrom('create', 'upsert', 'neither'),
    records: fc.constantFrom(1, 2, 100, 500, 501, 5_000),
    record: faultyRecord,
    faults: faultCount,
  })
  .map(({ collection, isRpc, records, record, faults, ...rest }) => {
    const one = record(Math.ceil(faults / records));
    return {
      method: 'POST',
      target: isRpc ? `/trpc/imports.${collection}` : `/imports/${collection}`,
      headers: NO_HEADERS,
      body: JSON.stringify({ ...rest, records: Array(records).fill(one) }),
    };
  });

/** What most servers get wrong by reading it: rejected, or at least answered in few words. */
export const hostileRequest: Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 6, arbitrary: notUtf8Request },
  { weight: 6, arbitrary: doublyEncodedRequest },
  { weight: 1, arbitrary: faultyImport },
);
