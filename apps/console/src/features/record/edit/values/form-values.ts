import type { FieldContract } from '../../../../api/contract/types.ts';

export type Json = Readonly<Record<string, unknown>>;

/** One item of a list in a form, with a key that stays while others come and go. */
export interface Row<Value> {
  key: string;
  value: Value;
}

export type Parts = Readonly<Record<string, string | boolean>>;

export interface Pair {
  name: string;
  text: string;
}

export type FormValue =
  | string
  | boolean
  | Parts
  | readonly Row<string>[]
  | readonly Row<Parts>[]
  | readonly Row<Pair>[];

let lastKey = 0;

/** A new row. Its key is like no other, also if the page that a draft comes from has counted as far. */
export function row<Value>(value: Value): Row<Value> {
  lastKey += 1;
  return { key: `${Date.now().toString(36)}-${lastKey}`, value };
}

/** The rows of a list as it was read. They have the same keys each time, so that nothing loses the focus. */
function rowsOf<Value>(values: readonly Value[]): Row<Value>[] {
  return values.map((value, index) => ({ key: `read-${index}`, value }));
}

const asText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

function partsOf(contract: FieldContract, value: unknown): Parts {
  const parts = contract.parts ?? [];
  // A new item has what the service would give it: an affiliation is shown to the public.
  const given = (value ?? Object.fromEntries(parts.map((part) => [part.name, part.default]))) as Json;
  return Object.fromEntries(
    parts.map(({ name, kind, default: usual }) => [
      name,
      kind === 'switch' ? (given[name] ?? usual) === true : asText(given[name]),
    ]),
  );
}

export function emptyParts(contract: FieldContract): Parts {
  return partsOf(contract, null);
}

export function toForm(contract: FieldContract, value: unknown): FormValue {
  const list = Array.isArray(value) ? value : [];
  switch (contract.kind) {
    case 'switch':
      return value === true;
    case 'object':
      return partsOf(contract, value);
    case 'list':
      return rowsOf(list.map(asText));
    case 'records':
      return rowsOf(list.map((item) => partsOf(contract, item)));
    case 'map':
      return rowsOf(
        Object.entries((value ?? {}) as Json).map(([name, text]) => ({ name, text: asText(text) })),
      );
    default:
      return asText(value);
  }
}

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

function fromParts(contract: FieldContract, parts: Parts): Record<string, unknown> {
  return Object.fromEntries(
    (contract.parts ?? []).map(({ name, kind }) => {
      const part = parts[name];
      return [name, kind === 'switch' ? part === true : textOrNull(asText(part))];
    }),
  );
}

/** Whether a part of an item says nothing: it is empty, a box, or what a new item has. */
const isUsual = (value: unknown, { kind, usual }: { kind: FieldContract['kind']; usual: unknown }) =>
  value === null || kind === 'switch' || value === usual;

/** Makes the value of a control one of a record: trimmed, null without a text, without empty rows. */
export function fromForm(contract: FieldContract, value: FormValue): unknown {
  switch (contract.kind) {
    case 'switch':
      return value === true;
    case 'object': {
      const parts = fromParts(contract, value as Parts);
      return Object.values(parts).every((part) => part === null) ? null : parts;
    }
    case 'list':
      return (value as readonly Row<string>[]).map((one) => one.value.trim()).filter((text) => text !== '');
    case 'records': {
      const parts = contract.parts ?? [];
      return (value as readonly Row<Parts>[])
        .map((one) => fromParts(contract, one.value))
        .filter((item) =>
          parts.some(({ name, kind, default: usual }) => !isUsual(item[name], { kind, usual })),
        );
    }
    case 'map':
      return Object.fromEntries(
        (value as readonly Row<Pair>[])
          .filter((one) => one.value.name.trim() !== '' && one.value.text !== '')
          .map((one) => [one.value.name.trim(), one.value.text]),
      );
    default:
      return textOrNull(value as string);
  }
}

export function valueIn(contract: FieldContract, record: Json): unknown {
  return fromForm(contract, toForm(contract, record[contract.name]));
}

/** Whether two values of records are the same; the order of the members of an object does not count. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual((one as Json)[name], (other as Json)[name]))
  );
}

/** The value of a field in a merge patch: of a map the pairs that differ, with null for one that goes; else the whole. */
function patchValue(contract: FieldContract, before: unknown, after: unknown): unknown {
  if (contract.kind !== 'map') return after;
  const [was, is] = [(before ?? {}) as Json, (after ?? {}) as Json];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return Object.fromEntries(
    [...names].filter((name) => was[name] !== is[name]).map((name) => [name, is[name] ?? null]),
  );
}

/** A value of a form without the rows that are empty, so that the numbers of its rows are those that the service gets. */
export function withoutEmptyRows(contract: FieldContract, value: FormValue): FormValue {
  if (!Array.isArray(value)) return value;
  const rows = value as readonly Row<never>[];
  return rows.filter((one) => {
    const kept = fromForm(contract, [one]);
    return Object.keys(kept as object).length > 0;
  });
}

/** The merge patch (RFC 7396) that changes some fields of a record to values; empty if they have them. */
export function patchOf(
  fields: readonly FieldContract[],
  record: Json,
  values: Json,
): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .map((field) => [field, valueIn(field, record), values[field.name]] as const)
      .filter(([{ name }, before, after]) => name in values && !isEqual(before, after))
      .map(([field, before, after]) => [field.name, patchValue(field, before, after)]),
  );
}
