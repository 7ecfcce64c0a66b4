import { operations } from '@roster/api';
import fc, { type Arbitrary } from 'fast-check';
import { bodyOf, nearly } from './bodies.ts';
import { document, resolve } from './document.ts';
import { headers } from './headers.ts';
import type { FuzzRequest } from './request.ts';
import { brokenEncoding, encoded } from './targets.ts';
import { hostile, hostileName, type Schema } from './values.ts';

/** The name of a procedure, or nearly, and an input of it. */
const procedure = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...operations.map((operation) => operation.procedure)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'offices',
      'offices.',
      '.get',
      'offices.get.x',
      '__proto__',
      'constructor',
      'toString',
    ),
  },
  { weight: 1, arbitrary: hostileName.map(encoded) },
);
const bodySchemas = Object.values(document.paths).flatMap((path) =>
  Object.values(path).flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
  ),
);
const oneRecord: Schema = {
  type: 'object',
  properties: { id: { type: 'string', format: 'uuid' } },
  required: ['id'],
};
const query: Schema = { type: 'object', properties: { limit: { type: 'integer' }, q: { type: 'string' } } };
const input = fc.oneof(
  ...[oneRecord, query, ...bodySchemas].map((schema) => nearly(schema, resolve)),
  hostile.map((value) => JSON.stringify(value) ?? ''),
);

const rpcCall = fc.record({
  method: fc.constantFrom('GET', 'POST', 'POST', 'HEAD', 'PUT'),
  names: fc.array(procedure, { minLength: 1, maxLength: 3 }),
  batch: fc.constantFrom(
    '',
    '',
    'batch=1',
    'batch=0',
    'batch',
    'batch=1&batch=1',
    'connectionParams=%7B%7D',
    'connectionParams=x',
  ),
  inputs: fc.array(input, { minLength: 1, maxLength: 3 }),
  extra: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, brokenEncoding),
  headers,
});

/** A call or a batch of calls over RPC. */
export const rpcRequest: Arbitrary<FuzzRequest> = rpcCall.chain(
  ({ method, names, batch, inputs, extra, headers: more }): Arbitrary<FuzzRequest> => {
    const text =
      batch === '' ? (inputs[0] ?? '') : `{${inputs.map((one, index) => `"${index}":${one}`).join(',')}}`;
    const path = `/trpc/${(batch === '' ? names.slice(0, 1) : names).join(',')}?${batch}&${extra}`;
    if (method === 'POST' || method === 'PUT') {
      return bodyOf(fc.constant(text)).map((body) => ({ method, target: path, headers: more, body }));
    }
    return fc.constant({
      method,
      target: `${path}&input=${encoded(text.slice(0, 1_500))}`,
      headers: more,
      body: undefined,
    });
  },
);
