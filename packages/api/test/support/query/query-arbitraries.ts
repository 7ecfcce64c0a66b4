import fc from 'fast-check';
import { queryFields } from '../../../src/query.ts';
import type {
  Comparison,
  Condition,
  ItemCondition,
  Literal,
  OrderBy,
  TextFunction,
} from '../../../src/records/query/condition.ts';
import type { QueryFieldType } from '../../../src/records/query/queried.ts';
import { fieldIn, type Json } from './query-reference.ts';
import { TEXTS } from './query-scene.ts';

/** Conditions on the fields of some records, whose values are often those of the records, or near them. */

const comparison = fc.constantFrom<Comparison>('eq', 'ne', 'gt', 'ge', 'lt', 'le');
const textFunction = fc.constantFrom<TextFunction>('contains', 'startsWith', 'endsWith');
type Resource = 'offices' | 'agents';

/** A part of a text, in whole code points. */
const partOf = (text: string) =>
  fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })).map(([from, length]) => {
    const points = [...text];
    const start = Math.min(from, points.length);
    return points.slice(start, start + length).join('');
  });

const anyText = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...TEXTS).chain(partOf),
  fc.string({ unit: 'grapheme', maxLength: 3 }).filter((text) => !text.includes('\0')),
);
const uuid = fc.uuid();
const others: Record<Exclude<QueryFieldType, 'texts'>, fc.Arbitrary<Literal>> = {
  text: anyText,
  id: fc.oneof(
    uuid,
    anyText,
    fc.constant('019'),
    uuid.map((id) => id.toUpperCase()),
  ),
  number: fc.oneof(fc.integer({ min: -1, max: 4 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
  boolean: fc.boolean(),
  time: fc
    .date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString()),
  day: fc.constantFrom('0001-01-01', '2026-12-31', '2027-06-30', '9999-12-31'),
};

/** The same time as it is written elsewhere, or one next to it. */
const nearTime = (time: string) =>
  fc.constantFrom(
    time,
    time.replace('Z', '+00:00'),
    new Date(Date.parse(time) - 1).toISOString(),
    new Date(Date.parse(time) + 3_600_000).toISOString().replace('Z', '+01:00'),
  );

/** A value of a field's type: often one that a record has. */
function valueFor(records: readonly Json[], field: string, type: QueryFieldType): fc.Arbitrary<Literal> {
  const held = records.map((record) => fieldIn(record, field)).filter((value) => value !== null) as Literal[];
  if (type === 'texts') {
    const items = (held as unknown as string[][]).flat();
    return fc.oneof(fc.constantFrom(...items), fc.constantFrom(...items).chain(partOf), anyText);
  }
  if (held.length === 0) return others[type];
  const known = fc.constantFrom(...held);
  if (type === 'time')
    return fc.oneof(
      known.chain((time) => nearTime(String(time))),
      others.time,
    );
  if (type === 'text')
    return fc.oneof(
      known,
      known.chain((text) => partOf(String(text))),
      others.text,
    );
  return fc.oneof(known, others[type]);
}

/** The fields of a resource that have a type. */
export function fieldsOfType(resource: Resource, type: QueryFieldType): string[] {
  const fields = Object.entries(queryFields[resource]);
  return fields.filter(([, field]) => field.type === type).map(([path]) => path);
}

/** Terms of each kind that a field can have. */
function termsOf(records: readonly Json[], field: string, type: QueryFieldType): fc.Arbitrary<Condition>[] {
  const value = valueFor(records, field, type);
  if (type === 'texts') {
    const item = itemConditions(value.map(String));
    return [
      fc.constant<Condition>({ kind: 'any', field }),
      fc
        .constantFrom('any' as const, 'all' as const)
        .chain((kind) => item.map((one) => ({ kind, field, item: one }))),
    ];
  }
  const orNull = fc.option(value, { freq: 4 });
  const isLowered = type === 'text' ? fc.boolean() : fc.constant(false);
  const compare = fc.record({
    kind: fc.constant('compare' as const),
    field: fc.constant(field),
    comparison,
    value: orNull,
    isLowered,
  });
  const among = fc.record({
    kind: fc.constant('in' as const),
    field: fc.constant(field),
    values: fc.array(orNull, { maxLength: 4 }),
  });
  if (type !== 'text' && type !== 'id') return [compare, among];
  const part = value.chain((one) => fc.oneof(fc.constant(String(one)), partOf(String(one))));
  const text = fc.record({
    kind: fc.constant('text' as const),
    field: fc.constant(field),
    function: textFunction,
    value: part,
    isLowered,
  });
  return [compare, among, text];
}

function itemConditions(value: fc.Arbitrary<string>): fc.Arbitrary<ItemCondition> {
  const orNull = fc.option(value, { freq: 5 });
  return fc.letrec<{ item: ItemCondition }>((tie) => ({
    item: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'item' },
      fc.record({ kind: fc.constant('compare' as const), comparison, value: orNull }),
      fc.record({ kind: fc.constant('in' as const), values: fc.array(orNull, { maxLength: 3 }) }),
      fc.record({ kind: fc.constant('text' as const), function: textFunction, value }),
      fc.record({ kind: fc.constant('not' as const), part: tie('item') }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        parts: fc.array(tie('item'), { maxLength: 3 }),
      }),
    ),
  })).item;
}

/** One term of any field of a type, or its negation. */
export function term(
  resource: Resource,
  records: readonly Json[],
  type: QueryFieldType,
): fc.Arbitrary<Condition> {
  const one = fc
    .constantFrom(...fieldsOfType(resource, type))
    .chain((field) => fc.oneof(...termsOf(records, field, type)));
  return fc.oneof(
    one,
    one.map((part): Condition => ({ kind: 'not', part })),
  );
}

/** Any condition on any fields. */
export function condition(resource: Resource, records: readonly Json[]): fc.Arbitrary<Condition> {
  const fields = Object.entries(queryFields[resource]);
  const leaf = fc
    .constantFrom(...fields)
    .chain(([field, { type }]) => fc.oneof(...termsOf(records, field, type)));
  return fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'condition' },
      leaf,
      fc.record({ kind: fc.constant('not' as const), part: tie('condition') }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        parts: fc.array(tie('condition'), { maxLength: 4 }),
      }),
    ),
  })).condition;
}

/** Any order by at most five fields, of which some may be the same. */
export function order(resource: Resource): fc.Arbitrary<OrderBy[]> {
  const fields = Object.entries(queryFields[resource]).filter(([, { type }]) => type !== 'texts');
  const one = fc.record({
    field: fc.constantFrom(...fields.map(([path]) => path)),
    isDescending: fc.boolean(),
  });
  return fc.array(one, { maxLength: 5 });
}
