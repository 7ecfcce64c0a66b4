import fc, { type Arbitrary } from 'fast-check';
import { headers } from './headers.ts';
import type { FuzzRequest } from './request.ts';
import { anyRequest } from './requests.ts';

/** A request whose end never comes. */
export interface Unfinished {
  request: FuzzRequest;
  /** How much of it is sent at once, as a part of it from 0 up to 1. */
  sent: number;
  /** Whether more of it comes byte by byte. */
  isDripping: boolean;
}

const body = fc.integer({ min: 1, max: 200_000 }).map((length) => `{"name":"${'x'.repeat(length)}`);
const target = fc.constantFrom(
  '/offices',
  '/imports/agents',
  '/trpc/offices.create',
  '/trpc/imports.agents,agents.create?batch=1',
  '/trpc/nothing',
  '/nothing',
);
const withBody: Arbitrary<FuzzRequest> = fc.record({
  method: fc.constantFrom('POST', 'POST', 'PATCH', 'PUT'),
  target,
  headers,
  body,
});

/** A request that stops anywhere, most often in its body. */
export const unfinished: Arbitrary<Unfinished> = fc.record({
  request: fc.oneof({ weight: 3, arbitrary: withBody }, { weight: 1, arbitrary: anyRequest }),
  sent: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  isDripping: fc.boolean(),
});

/** Pipelined reads on one connection, of which no response is read. */
export const unread: Arbitrary<FuzzRequest[]> = fc
  .record({
    target: fc.constantFrom(
      '/docs/js/scalar.js',
      '/openapi.json',
      '/agents?limit=200',
      '/events?limit=200',
      '/trpc/agents.list,offices.list?batch=1&input=%7B%220%22:%7B%7D,%221%22:%7B%7D%7D',
    ),
    count: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ target: path, count }) =>
    Array.from({ length: count }, () => ({ method: 'GET', target: path, headers: [], body: undefined })),
  );
