import { isObject } from '@roster/fields/objects';
import { hashKey } from '@tanstack/react-query';
import type { FieldContract } from '../../../api/contract/types.ts';

/** The parts of an object, or a row of a list: a text of a list is a `value`, a pair of a map a `name` and a `text`. */
export type Parts = Record<string, string | boolean>;

/** The value of a field as its controls have it. */
export type FormValue = string | boolean | Parts | Parts[];

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** Whether two values are the same; the order of the members of an object does not count. */
export const isEqual = (one: unknown, other: unknown): boolean => hashKey([one]) === hashKey([other]);

/** The parts of an object. A new item has what the service would give it: an affiliation is shown to the public. */
function partsOf({ parts = [] }: FieldContract, value: unknown): Parts {
  const given = isObject(value) ? value : Object.fromEntries(parts.map((part) => [part.name, part.default]));
  return Object.fromEntries(
    parts.map(({ name, kind, default: usual }) => [
      name,
      kind === 'switch' ? (given[name] ?? usual) === true : textOf(given[name]),
    ]),
  );
}

export function emptyRow(contract: FieldContract): Parts {
  if (contract.kind === 'records') return partsOf(contract, null);
  return contract.kind === 'map' ? { name: '', text: '' } : { value: '' };
}

export function toForm(contract: FieldContract, value: unknown): FormValue {
  const list: unknown[] = Array.isArray(value) ? value : [];
  switch (contract.kind) {
    case 'switch':
      return value === true;
    case 'object':
      return partsOf(contract, value);
    case 'list':
      return list.map((item) => ({ value: textOf(item) }));
    case 'records':
      return list.map((item) => partsOf(contract, item));
    case 'map':
      return Object.entries(isObject(value) ? value : {}).map(([name, text]) => ({
        name,
        text: textOf(text),
      }));
    default:
      return textOf(value);
  }
}

function fromPart(value: string | boolean | undefined): string | boolean | null {
  return typeof value === 'boolean' ? value : value?.trim() || null;
}

const fromParts = ({ parts = [] }: FieldContract, value: Parts) =>
  Object.fromEntries(parts.map(({ name }) => [name, fromPart(value[name])]));

/** Whether a row says nothing: its parts are empty, boxes, or what a new row has. */
function isBlank(contract: FieldContract, row: Parts): boolean {
  if (contract.kind !== 'records') return Object.values(row).some((text) => fromPart(text) === null);
  return (contract.parts ?? []).every(({ name, kind, default: usual }) => {
    const value = fromPart(row[name]);
    return value === null || kind === 'switch' || value === usual;
  });
}

/** A value without its blank rows, so that the numbers of its rows are those that the service gets. */
export function withoutBlankRows(contract: FieldContract, value: FormValue): FormValue {
  return Array.isArray(value) ? value.filter((row) => !isBlank(contract, row)) : value;
}

/** Makes the value of a control one of a record: trimmed, null without a text, without blank rows. */
export function fromForm(contract: FieldContract, value: FormValue): unknown {
  if (Array.isArray(value)) {
    const rows = value.filter((row) => !isBlank(contract, row));
    if (contract.kind === 'list') return rows.map((row) => fromPart(row.value));
    if (contract.kind === 'records') return rows.map((row) => fromParts(contract, row));
    return Object.fromEntries(rows.map(({ name, text }) => [textOf(name).trim(), text]));
  }
  if (typeof value !== 'object') return fromPart(value);
  const parts = fromParts(contract, value);
  return Object.values(parts).every((part) => part === null) ? null : parts;
}

/** The value of a field in a merge patch (RFC 7396): of a map its pairs, with null for those that go. */
export function patchValue(contract: FieldContract, value: FormValue, before: unknown): unknown {
  const after = fromForm(contract, value);
  if (contract.kind !== 'map' || !isObject(before) || !isObject(after)) return after;
  return { ...Object.fromEntries(Object.keys(before).map((name) => [name, null])), ...after };
}

function rowsByKey({ kind, name, parts = [] }: FieldContract, rows: readonly Parts[]): Map<string, Parts> {
  const reference = parts.find(({ refersTo }) => refersTo !== undefined)?.name ?? '';
  const keyOf = (row: Parts) => {
    if (kind !== 'records') return row.name ?? row.value;
    return name === 'licenses' ? [row.number, row.region].join(' ') : row[reference];
  };
  return new Map(rows.map((row) => [textOf(keyOf(row)), row]));
}

interface Three {
  base: FormValue;
  mine: FormValue;
  theirs: FormValue;
}

/**
 * Merges the rows of a list that two people have changed, each by what it is known by. Undefined if only a person can: both have
 * changed a row or the order, or it is no list.
 */
export function mergedRows(contract: FieldContract, { base, mine, theirs }: Three): Parts[] | undefined {
  if (!Array.isArray(base) || !Array.isArray(mine) || !Array.isArray(theirs)) return undefined;
  const [was, own, other] = [base, mine, theirs].map((rows) => rowsByKey(contract, rows));
  if (was?.size !== base.length || own?.size !== mine.length || other?.size !== theirs.length)
    return undefined;
  const common = (one: Map<string, Parts>, two: Map<string, Parts>) =>
    [...one.keys()].filter((key) => two.has(key));
  if ([own, other].some((rows) => !isEqual(common(rows, was), common(was, rows)))) return undefined;
  const merged: Parts[] = [];
  for (const key of new Set([...other.keys(), ...own.keys()])) {
    const [before, here, there] = [was.get(key), own.get(key), other.get(key)];
    if (!isEqual(here, before) && !isEqual(there, before) && !isEqual(here, there)) return undefined;
    const row = isEqual(here, before) ? there : here;
    if (row !== undefined) merged.push(row);
  }
  return merged;
}
