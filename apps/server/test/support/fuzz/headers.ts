import type { Operation } from '@roster/api';
import fc, { type Arbitrary } from 'fast-check';

export type FuzzHeaders = [name: string, value: string][];

const tagText = fc.constantFrom(
  '"1"',
  '"2"',
  'W/"1"',
  '*',
  '"1", "2"',
  '"',
  '""',
  '1',
  '"01"',
  '"99999999999"',
  ',',
  '\x80\xff',
  'W/',
  ' ',
);
const keyText = fc.constantFrom(
  '"',
  '""',
  '"a"',
  'a b',
  'x'.repeat(255),
  'x'.repeat(256),
  '"\\""',
  '\xe9',
  '__proto__',
  'constructor',
);
const typeText = fc.constantFrom(
  ...[
    'application/json',
    'application/merge-patch+json',
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'text/plain',
  ],
  ...[
    'application/json;',
    'application/jsonx',
    '',
    '/',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    '\xff',
  ],
);
const encodings = fc.constantFrom(
  'br',
  'gzip',
  'deflate',
  'identity',
  '*',
  'identity;q=0',
  'gzip;q=0, *;q=0',
  'zstd',
  ',',
  'br;q=x',
  '\xff',
);
const anyText = fc.string({
  unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
});

const header: Arbitrary<[string, string]> = fc.oneof(
  fc.tuple(fc.constantFrom('If-Match', 'If-None-Match'), fc.oneof(tagText, anyText)),
  fc.tuple(fc.constant('Idempotency-Key'), fc.oneof(keyText, anyText, fc.uuid())),
  fc.tuple(fc.constant('Content-Type'), fc.oneof(typeText, anyText)),
  fc.tuple(
    fc.constant('X-Request-Id'),
    fc.oneof(fc.constantFrom('req-1', 'x'.repeat(129), '../', '{}', '__proto__'), anyText),
  ),
  fc.tuple(fc.constant('Accept-Encoding'), fc.oneof(encodings, anyText)),
  fc.tuple(
    fc.constant('Authorization'),
    fc.oneof(fc.constantFrom('', 'Bearer', 'Bearer  ', 'Bearer x y', 'Basic eDp5'), anyText),
  ),
  fc.tuple(
    fc.constantFrom('Accept', 'Origin', 'Range', 'Expect', 'Cookie', 'Forwarded', 'X-Forwarded-For', 'TE'),
    anyText,
  ),
  fc.tuple(
    fc.constantFrom(
      'X-HTTP-Method-Override',
      'trpc-accept',
      'x-trpc-source',
      'Access-Control-Request-Method',
    ),
    anyText,
  ),
  fc.constantFrom<[string, string]>(
    ['Expect', '100-continue'],
    ['Origin', 'https://app.example'],
    ['Accept-Version', '1.x'],
  ),
);

/** Headers of any kind; often none. */
export const headers: Arbitrary<FuzzHeaders> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<FuzzHeaders>([]) },
  { weight: 2, arbitrary: fc.array(header, { minLength: 1, maxLength: 2 }) },
);

/** The header that decides about an operation. */
export const fittingHeader = ({ method }: Operation): Arbitrary<[string, string]> => {
  // Half of them match, so that 304 occurs.
  if (method === 'GET') return fc.tuple(fc.constant('If-None-Match'), fc.oneof(fc.constant('*'), tagText));
  if (method === 'POST')
    return fc.tuple(fc.constant('Idempotency-Key'), fc.constantFrom('one', 'two', '"one"'));
  return fc.tuple(fc.constant('If-Match'), tagText);
};
