import { type Operation, operations, resourceNames } from '@roster/api';
import fc, { type Arbitrary } from 'fast-check';
import { bodyOf, nearly } from './bodies.ts';
import { document, resolve } from './document.ts';
import { fittingHeader, headers } from './headers.ts';
import { hostileRequest } from './hostile.ts';
import type { FuzzRequest } from './request.ts';
import { rpcRequest } from './rpc-requests.ts';
import { idOf, queryOf, strangeId } from './targets.ts';

/** A request to one of the documented operations. */
function restRequest(operation: Operation): Arbitrary<FuzzRequest> {
  const method = operation.method.toLowerCase();
  const object = document.paths[operation.path]?.[method];
  if (object === undefined) throw new Error(`${operation.procedure} is not in the document`);
  const [content] = Object.values(object.requestBody?.content ?? {});
  const right = nearly(content?.schema ?? { type: 'object', properties: {} }, resolve);
  const body = operation.hasBody
    ? fc.oneof({ weight: 9, arbitrary: bodyOf(right) }, { weight: 1, arbitrary: fc.constant(undefined) })
    : fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: bodyOf(right) });
  // An operation without parameters rejects each of them.
  const isList = operation.procedure.endsWith('.list');
  const query = isList
    ? queryOf(object)
    : fc.oneof({ weight: 9, arbitrary: fc.constant('') }, queryOf(object));
  const id = fc.oneof({ weight: 4, arbitrary: idOf(operation) }, { weight: 1, arbitrary: strangeId });
  const target = fc
    .tuple(id, query)
    .map(([one, rest]) => operation.path.replace('{id}', one).replace('{resource}', resourceNames[0]) + rest);
  const some = fc.oneof(
    { weight: 3, arbitrary: headers },
    { weight: 2, arbitrary: fittingHeader(operation).map((one) => [one]) },
  );
  return fc.record({ method: fc.constant(operation.method), target, headers: some, body });
}

const oddPath = fc.constantFrom(
  ...[
    '/',
    '//',
    '/offices/',
    '/OFFICES',
    '/offices//x',
    '/offices/../agents',
    '/%6fffices',
    '/trpc',
    '/trpc/',
    '/trpc//',
    '/%74rpc/offices.list',
  ],
  ...[
    '/openapi.json',
    '/docs',
    '/docs/',
    '/docs/errors',
    '/healthz',
    '/readyz',
    '*',
    '/offices?%',
    '/offices;x',
    '/offices%00',
    '/\xff',
  ],
  ...[
    'http://other.example/offices',
    'https://other.example/trpc/offices.list',
    'http://other.example',
    'http://',
    'ftp://x/offices',
  ],
  ...[
    'http://other.example/nowhere?x#y',
    '/offices#fragment',
    '/offices/@offices:0@/nowhere',
    '/keys/@keys:0@',
    `/${'x'.repeat(9_000)}`,
  ],
);
const oddMethod = fc.constantFrom(
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'QUERY',
  'LINK',
  'M-SEARCH',
);

/** Methods and targets that are none of ours. */
const oddRequest: Arbitrary<FuzzRequest> = fc.record({
  method: oddMethod,
  target: fc.oneof(
    oddPath,
    fc
      .tuple(fc.constantFrom('/offices', '/agents/@agents:1@', '/keys'), queryOf({ parameters: [] }))
      .map((parts) => parts.join('')),
  ),
  headers,
  body: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.constantFrom('{}', '', 'x')),
});

/** Any request whose framing is right. */
export const anyRequest: Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 12, arbitrary: fc.oneof(...operations.map(restRequest)) },
  { weight: 5, arbitrary: rpcRequest },
  { weight: 2, arbitrary: oddRequest },
  { weight: 2, arbitrary: hostileRequest },
);
