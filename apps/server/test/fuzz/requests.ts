import { type Operation, operations, resourceNames } from '@roster/api';
import fc, { type Arbitrary } from 'fast-check';
import { allowed, document, hostile, hostileName, knownId, resolved, type Schema } from './values.ts';

/** A request whose stand-ins for ids of existing records are not replaced yet. */
export interface FuzzRequest {
  method: string;
  target: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

type Pair = [name: string, value: unknown];

/** Written by hand, because an object holds no name twice, and `__proto__` not as others. */
function textOf(pairs: readonly Pair[]): string {
  return `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;
}

/** An object that a schema allows, with one or two things about it changed for the worse, or with none. */
function nearly(schema: Schema): Arbitrary<string> {
  const names = ['id', ...Object.keys(resolved(schema).properties ?? {})];
  const damage = fc.oneof(
    { weight: 12, arbitrary: fc.constant((pairs: Pair[]) => pairs) },
    fc.tuple(fc.constantFrom(...names), hostile).map(([name, value]) => (pairs: Pair[]): Pair[] => [
      ...pairs.filter(([other]) => other !== name),
      [name, value],
    ]),
    fc.tuple(hostileName, hostile).map((pair) => (pairs: Pair[]): Pair[] => [...pairs, pair]),
    fc.nat().map((at) => (pairs: Pair[]) => pairs.toSpliced(at % (pairs.length + 1), 1)),
    fc.nat().map((at) => (pairs: Pair[]) => [...pairs, ...pairs.slice(at % (pairs.length + 1))]),
  );
  return fc
    .tuple(allowed(schema), fc.array(damage, { minLength: 1, maxLength: 2 }))
    .map(([value, damages]) =>
      textOf(damages.reduce((pairs, apply) => apply(pairs), Object.entries(Object(value)))),
    );
}

const DEEP = 10_000;

/** Texts that are no JSON or no object, or hold far too much. */
const broken = fc.constantFrom(
  ...['', 'null', '[]', '"x"', '5', '{', '{"name":', '{"a":1,}', '{"a":01}', "{'a':1}", '\ufeff{}'],
  ...['{"__proto__":{"x":1}}', '{"a":"\\ud800"}', '{"name":"a","name":"b"}', '{"name":1e400}'],
  ...[`{"name":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`, '['.repeat(DEEP), `{"a":${'9'.repeat(400)}}`],
  `{"name":"${'x'.repeat(263_000)}"}`,
);

/** A body: nearly right, cut, or broken altogether. */
function bodyOf(right: Arbitrary<string>): Arbitrary<string> {
  const cut = fc.tuple(right, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
  return fc.oneof(
    { weight: 20, arbitrary: right },
    { weight: 1, arbitrary: cut },
    { weight: 2, arbitrary: broken },
  );
}

/** Percent-encodes anything, lone surrogates too, which encodeURIComponent rejects; not what stands for an id. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  if (/^@\w+:\d@$/.test(text)) return text;
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

const brokenEncoding = fc.constantFrom(
  '%',
  '%zz',
  '%ff',
  '%C0%80',
  '%00',
  '%ED%A0%80',
  '+',
  '=',
  '&&',
  '%5B%5D',
);

/** A query of some parameters, right or not; often none. */
function queryOf(parameters: readonly { name?: string; in?: string; schema?: Schema }[]): Arbitrary<string> {
  const known = parameters.flatMap(({ name, in: place, schema }) =>
    name === undefined || place !== 'query' ? [] : [{ name, schema: schema ?? {} }],
  );
  const names = ['limit', 'id', ...known.map(({ name }) => name)];
  const pair = fc.oneof(
    ...known.map(({ name, schema }) => ({
      weight: 2,
      arbitrary: allowed(schema).map((value): Pair => [name, value]),
    })),
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...names), hostile) },
    { weight: 1, arbitrary: fc.tuple(hostileName, hostile) },
  );
  const text = pair.map(([name, value]) =>
    [value]
      .flat()
      .map((one) => `${encoded(name)}=${encoded(one)}`)
      .join('&'),
  );
  const part = fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: brokenEncoding });
  return fc.oneof(
    fc.constant(''),
    fc.array(part, { maxLength: 4 }).map((parts) => `?${parts.join('&')}`),
  );
}

/** Text in place of an id, encoded or not. */
const strangeId = fc.oneof(
  knownId,
  fc.uuid(),
  hostile.map(encoded),
  fc.constantFrom('..', '.', '%2e%2e', '%2F', '%5C', '*', '{id}', '%00', '%ff', '%zz', ';x=1'),
);

const listed = (...texts: string[]) => fc.constantFrom(...texts);
const tag = listed('"1"', '"2"', 'W/"1"', '*', '"1", "2"', '"', '""', '1', '"01"', ',', '\x80\xff', 'W/');
const type = listed(
  'application/json',
  'application/merge-patch+json',
  'text/plain',
  'application/json;',
  '/',
);
const coding = listed(
  'br',
  'gzip',
  'identity',
  '*',
  'identity;q=0',
  'gzip;q=0, *;q=0',
  'zstd',
  ',',
  'br;q=x',
);
/** The characters that a client can send in a header. */
const headerCharacters = Array.from({ length: 223 }, (_, at) => String.fromCharCode(at + 33)).filter(
  (one) => one !== '\x7f',
);
const printable = fc.string({
  unit: fc.constantFrom(...headerCharacters),
});

const header: Arbitrary<[string, string]> = fc.oneof(
  fc.tuple(listed('If-Match', 'If-None-Match'), fc.oneof(tag, printable)),
  fc.tuple(listed('Idempotency-Key'), fc.oneof(listed('one', '"one"', 'x'.repeat(256)), printable)),
  fc.tuple(listed('Content-Type'), fc.oneof(type, printable)),
  fc.tuple(listed('Accept-Encoding'), fc.oneof(coding, printable)),
  fc.tuple(listed('Authorization'), fc.oneof(listed('Bearer', 'Bearer x y', 'Basic eDp5'), printable)),
  fc.tuple(listed('X-Request-Id', 'Accept', 'Origin', 'Range', 'Cookie', 'Forwarded', 'Prefer'), printable),
);

/** The header that decides about an operation; half of them match. */
function fittingHeader({ method }: Operation): Arbitrary<[string, string]> {
  if (method === 'GET') return fc.tuple(listed('If-None-Match'), fc.oneof(listed('*'), tag));
  if (method === 'POST') return fc.tuple(listed('Idempotency-Key'), listed('one', 'two', '"one"'));
  return fc.tuple(listed('If-Match'), tag);
}

const headersOf = (one: Arbitrary<[string, string]>) =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(one, { minLength: 1, maxLength: 2 }) },
    )
    .map((pairs) => Object.fromEntries(pairs));

/** A request to one of the documented operations. */
function restRequest(operation: Operation): Arbitrary<FuzzRequest> {
  const object = document.paths[operation.path]?.[operation.method.toLowerCase()];
  if (object === undefined) throw new Error(`${operation.procedure} is not in the document`);
  const [content] = Object.values(object.requestBody?.content ?? {});
  const [, collection = ''] = operation.path.split('/');
  const ownId = fc.nat({ max: 9 }).map((index) => `@${collection}:${index}@`);
  const id = fc.oneof({ weight: 4, arbitrary: ownId }, { weight: 1, arbitrary: strangeId });
  // An operation without parameters rejects each of them.
  const query = operation.isPage
    ? queryOf(object.parameters)
    : fc.oneof({ weight: 9, arbitrary: fc.constant('') }, queryOf(object.parameters));
  return fc.record({
    method: fc.constant(operation.method),
    target: fc
      .tuple(id, query)
      .map(
        ([one, rest]) => operation.path.replace('{id}', one).replace('{resource}', resourceNames[0]) + rest,
      ),
    headers: headersOf(fc.oneof(header, fittingHeader(operation))),
    body: operation.hasBody
      ? bodyOf(nearly(content?.schema ?? { type: 'object', properties: {} }))
      : fc.constant(undefined),
  });
}

/** The name of a procedure, or nearly. */
const procedure = fc.oneof(
  { weight: 8, arbitrary: listed(...operations.map((operation) => operation.procedure)) },
  {
    weight: 1,
    arbitrary: listed('offices', 'offices.', '.get', 'offices.get.x', '__proto__', 'constructor'),
  },
  { weight: 1, arbitrary: hostileName.map(encoded) },
);

const schemas = Object.values(document.paths).flatMap((path) =>
  Object.values(path).flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
  ),
);
const oneRecord: Schema = {
  type: 'object',
  properties: { id: { type: 'string', format: 'uuid' } },
  required: ['id'],
};
const input = fc.oneof(
  ...[oneRecord, ...schemas].map(nearly),
  hostile.map((value) => JSON.stringify(value) ?? ''),
);

/** A call or a batch of calls over RPC. */
const rpcRequest: Arbitrary<FuzzRequest> = fc
  .record({
    method: listed('GET', 'POST', 'POST', 'HEAD', 'PUT'),
    names: fc.array(procedure, { minLength: 1, maxLength: 3 }),
    batch: listed('', '', 'batch=1', 'batch=0', 'batch', 'batch=1&batch=1', 'connectionParams=x'),
    inputs: fc.array(input, { minLength: 1, maxLength: 3 }),
    extra: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, brokenEncoding),
    headers: headersOf(header),
  })
  .map(({ method, names, batch, inputs, extra, headers }) => {
    const text = batch === '' ? inputs[0] : `{${inputs.map((one, index) => `"${index}":${one}`).join(',')}}`;
    const target = `/trpc/${(batch === '' ? names.slice(0, 1) : names).join(',')}?${batch}&${extra}`;
    return method === 'POST' || method === 'PUT'
      ? { method, target, headers, body: text }
      : { method, target: `${target}&input=${encoded(text?.slice(0, 1_500))}`, headers, body: undefined };
  });

const oddPath = listed(
  ...[
    '/',
    '//',
    '/offices/',
    '/OFFICES',
    '/offices//x',
    '/offices/../agents',
    '/%6fffices',
    '/trpc',
    '/trpc//',
  ],
  ...['/openapi.json', '/docs/errors', '/healthz', '/readyz', '/offices?%', '/offices;x', '/offices%00'],
  ...['/offices/@offices:0@/nowhere', '/keys/@keys:0@', `/${'x'.repeat(9_000)}`],
);

/** Methods and paths of which some do not exist. */
const oddRequest: Arbitrary<FuzzRequest> = fc.record({
  method: listed('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'),
  target: oddPath,
  headers: headersOf(header),
  body: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, listed('{}', '', 'x')),
});

/** Any request. */
export const anyRequest: Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 12, arbitrary: fc.oneof(...operations.map(restRequest)) },
  { weight: 5, arbitrary: rpcRequest },
  { weight: 2, arbitrary: oddRequest },
);
