import type { Operation } from '@roster/api';
import fc, { type Arbitrary } from 'fast-check';
import type { OperationObject, Parameter } from './document.ts';
import { resolve } from './document.ts';
import { allowed, hostile, hostileName, knownId } from './values.ts';

/** Percent-encodes anything, lone surrogates too, which encodeURIComponent rejects. */
export function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  if (/^@\w+:\d@$/.test(text) || !text.isWellFormed()) return /^@/.test(text) ? text : '%ED%A0%80';
  return encodeURIComponent(text);
}

export const brokenEncoding = fc.constantFrom(
  '%',
  '%zz',
  '%ff',
  '%C0%80',
  '%00',
  '%ED%A0%80',
  '+',
  '%2B',
  '=',
  '&&',
  '#x',
  '%5B%5D',
  'é',
);

/** A query of an operation, right or not; often none. */
export function queryOf({ parameters }: OperationObject): Arbitrary<string> {
  const known = parameters.filter(
    (parameter): parameter is Parameter => 'in' in parameter && parameter.in === 'query',
  );
  const right = known.map(({ name, schema }) =>
    allowed(schema, resolve).map((value): [string, unknown] => [name, value]),
  );
  const names = ['limit', 'id', ...known.map(({ name }) => name)];
  const pair = fc.oneof(
    ...right.map((arbitrary) => ({ weight: 2, arbitrary })),
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...names), hostile) },
    { weight: 1, arbitrary: fc.tuple(hostileName, hostile) },
  );
  const text = pair.map(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${encoded(name)}=${encoded(one)}`).join('&'),
  );
  const part = fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: brokenEncoding });
  return fc.oneof(
    fc.constant(''),
    fc.array(part, { maxLength: 4 }).map((parts) => `?${parts.join('&')}`),
  );
}

/** The id of a record of the operation's kind. */
export const idOf = ({ path }: Operation) => {
  const [, collection] = path.split('/');
  return fc.nat({ max: 9 }).map((index) => `@${collection}:${index}@`);
};
/** Text in place of an id, encoded or not. */
export const strangeId = fc.oneof(
  { weight: 2, arbitrary: knownId },
  { weight: 1, arbitrary: fc.uuid() },
  { weight: 2, arbitrary: hostile.map(encoded) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '%2F',
      '%5C',
      '*',
      ':id',
      '{id}',
      '%00',
      '%ff',
      '%zz',
      ';x=1',
    ),
  },
);
