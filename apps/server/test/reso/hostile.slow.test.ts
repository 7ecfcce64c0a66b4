import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.request('POST', '/agents', { firstName: 'Ana', lastName: 'Silva', languages: ['pt'] });
});
afterAll(() => server[Symbol.asyncDispose]());

const field = fc.constantFrom(
  ...[
    'MemberKey',
    'MemberLastName',
    'MemberStatus',
    'MemberLanguages',
    'MemberTransferDate',
    'MemberStateLicense',
  ],
  ...[
    'ModificationTimestamp',
    'MemberStateLicenseExpirationDate',
    'X_RosterVersion',
    'OfficeKey',
    'Unknown',
    'l',
  ],
);
const literal = fc.oneof(
  fc.constantFrom('null', 'true', 'now()', '1', '-1.5', '1e300', '2026-01-31', '0001-01-01', '9999-12-31'),
  fc.constantFrom(
    '2026-01-31T08:00Z',
    '9999-12-31T23:59:59+15:59',
    '0000-01-01T00:00:00Z',
    "'Active'",
    "'%_\\'",
  ),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `'${text.replaceAll("'", "''")}'`),
);
const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
const valid = fc.constantFrom(
  "MemberStatus eq 'Active'",
  'MemberTransferDate ge 2026-01-31',
  'ModificationTimestamp lt now()',
  "contains(MemberLastName,'%')",
  "MemberLanguages/any(l: l eq 'pt')",
);
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    valid,
    fc.tuple(field, operator, literal).map((parts) => parts.join(' ')),
    fc.tuple(field, fc.array(literal, { maxLength: 4 })).map(([name, all]) => `${name} in (${all.join()})`),
    fc
      .tuple(fc.constantFrom('contains', 'startswith', 'endswith'), field, literal)
      .map(([f, a, b]) => `${f}(${a},${b})`),
    fc.tuple(field, operator, literal).map(([name, is, value]) => `tolower(${name}) ${is} ${value}`),
    fc
      .tuple(field, fc.constantFrom('any', 'all'), tie('filter'))
      .map(([name, kind, body]) => `${name}/${kind}(l: ${body})`),
    fc
      .tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter'))
      .map(([a, word, b]) => `(${a} ${word} ${b})`),
    tie('filter').map((part) => `not (${part})`),
  ),
}));
const values: Record<string, fc.Arbitrary<string>> = {
  $filter: filter,
  $orderby: fc.array(field, { minLength: 1, maxLength: 3 }).map((names) => names.join()),
  $select: fc.array(field, { minLength: 1, maxLength: 3 }).map((names) => names.join()),
  $expand: fc.constantFrom('Office', 'Office($select=OfficeName)', 'Members', 'Office('),
  $top: fc.constantFrom('0', '1', '1000000', '-1'),
  $skip: fc.constantFrom('0', '10000', '1000000000'),
  $count: fc.constantFrom('true', 'false', 'x'),
  $skiptoken: fc.constantFrom('1~x', '1~WyIxIiwiMiJd', 'x', '999999999999999~x'),
};
// Most often few options: with many of them, one is almost always invalid.
const options = fc
  .subarray(Object.keys(values), { maxLength: 3 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, values[name] ?? fc.string()]))));

it('responds to every combination of options with a page or with a documented error', async () => {
  const seen = new Set<number>();
  const check = async (parameters: Record<string, string>) => {
    const query = Object.entries(parameters).map(
      ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
    );
    const response = await server.request('GET', `/reso/Member?${query.join('&')}`);
    const body = (await response.json()) as { value?: unknown[]; error?: { code: string } };
    seen.add(response.status);
    if (response.status === 200) expect(body.value).toBeInstanceOf(Array);
    else {
      expect(response.status).toBe(400);
      expect(['invalid_parameter', 'invalid_cursor', 'cursor_mismatch']).toContain(body.error?.code);
    }
  };
  await fc.assert(fc.asyncProperty(options, check), { numRuns: 500 });
  expect(seen).toEqual(new Set([200, 400]));
});
