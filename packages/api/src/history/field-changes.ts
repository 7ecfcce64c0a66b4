import { isDeepStrictEqual } from 'node:util';
import { hasParts } from '../engine/fields/columns.ts';
import type { Fields, WrittenField } from '../engine/fields/field.ts';
import type { FieldChange } from './schemas.ts';

/** A record, or a part of one, as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** A typed record as JSON. */
export function asJson(record: object): Json {
  return Object.fromEntries(Object.entries(record));
}

/** A change as its event has it: the record after it, and the previous values of the fields that changed. */
export interface Change {
  type: string;
  record: Json | null;
  previous: Json;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a field has a value: null and an empty list or object have none. */
export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** Fields that every change sets, and that say when: the event says the same. */
function isOfService(name: string, fields: Fields): boolean {
  return name === 'id' || name === 'version' || fields[name]?.storage === 'timestamptz';
}

/** A member of an object; null if it has none of that name. */
function memberOf(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}

/** A list as the API shows it: the database keeps the members of its items in an order of its own. */
function shown(name: string, value: unknown, fields: Fields): unknown {
  if (!Array.isArray(value)) return value;
  const { success, data } = fields[name]?.output.safeParse(value) ?? {};
  return success === true ? data : value;
}

/** The values of one field by path: those of its parts if it is an object. One without a value is null. */
function* leavesOf(name: string, value: unknown, fields: Fields): Generator<[path: string, value: unknown]> {
  if (isObject(value)) for (const [part, inner] of Object.entries(value)) yield [`${name}.${part}`, inner];
  else yield [name, isEmpty(value) ? null : shown(name, value, fields)];
}

/** The record before a change. Of an event that created it, an empty one. */
function recordBefore({ type, record, previous }: Change): Json {
  return type.endsWith('.created') ? {} : { ...record, ...previous };
}

/** The parts of one field that differ between two values, by path; null is one without a value. */
function differencesOf(
  [name, before, after]: [name: string, before: unknown, after: unknown],
  fields: Fields,
): FieldChange[] {
  const [was, is] = [new Map(leavesOf(name, before, fields)), new Map(leavesOf(name, after, fields))];
  return [...new Set([...is.keys(), ...was.keys()])]
    .map((field) => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

/** The fields that differ between two states of a record, by path and in the order of the record. */
export function differences(before: Json, after: Json, fields: Fields): FieldChange[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter((name) => !isOfService(name, fields))
    .flatMap((name) => differencesOf([name, memberOf(before, name), memberOf(after, name)], fields));
}

/** The fields that an event changed; of one that created a record, all that have a value; none of a deletion or a purge. */
export function changesOf(change: Change, fields: Fields): FieldChange[] {
  return change.record === null ? [] : differences(recordBefore(change), change.record, fields);
}

/** A path of one field: its name, and a part of it or undefined for all of it. */
export function splitPath(path: string): [name: string, part: string | undefined] {
  const dot = path.indexOf('.');
  return dot === -1 ? [path, undefined] : [path.slice(0, dot), path.slice(dot + 1)];
}

/**
 * The paths that differ between two states, as an undo takes them: each part of an object by itself, but an address that was given or
 * cleared as a whole, so that no part of it comes back to another address.
 */
export function changedPaths(before: Json, after: Json, fields: Fields): string[] {
  const isWhole = (name: string) => {
    const storage = fields[name]?.storage;
    return (
      storage !== undefined && hasParts(storage) && [before, after].some((state) => isEmpty(state[name]))
    );
  };
  const paths = differences(before, after, fields).map(({ field }) => {
    const [name] = splitPath(field);
    return isWhole(name) ? name : field;
  });
  return [...new Set(paths)];
}

/** The value of a field, or of a part of one; null if it has none. */
export function valueAt(record: Json, path: string): unknown {
  const [name, part] = splitPath(path);
  const value = memberOf(record, name);
  const found = part === undefined ? value : isObject(value) ? memberOf(value, part) : null;
  return isEmpty(found) ? null : found;
}

/** A record with the values of a merge patch (RFC 7396). */
export function patched(record: Json, patch: Json): Json {
  const merged = Object.entries(patch).map(([name, value]) => {
    const current = memberOf(record, name);
    if (!isObject(value) || !isObject(current)) return [name, value];
    return [name, { ...current, ...value }];
  });
  return { ...record, ...Object.fromEntries(merged) };
}

/** Whether a path names a field that callers can write, or a part of one that a merge patch can change by itself. */
export function isWritablePath(path: string, fields: Fields): boolean {
  const [name, part] = splitPath(path);
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined || !('input' in field)) return false;
  if (part === undefined || field.storage === 'pairs') return true;
  return hasParts(field.storage) && field.storage.parts.includes(part);
}

/** The value of a field in a merge patch that turns one value into another; undefined if they are equal. */
function patchedValue(from: unknown, to: unknown): unknown {
  if (isDeepStrictEqual(from, to)) return undefined;
  if (!isObject(from) || !isObject(to)) return to;
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const parts = names.filter((name) => !isDeepStrictEqual(memberOf(from, name), memberOf(to, name)));
  return Object.fromEntries(parts.map((name) => [name, memberOf(to, name)]));
}

/**
 * The merge patch (RFC 7396) that gives fields of a record their values in an earlier version. A field that the version does not
 * have, because it is older than the field, is cleared.
 *
 * @param paths the paths to change, all of them writable
 */
export function patchTo(current: Json, earlier: Json, paths: readonly string[]): Json {
  const patch: Record<string, unknown> = {};
  for (const path of paths) {
    const [name, part] = splitPath(path);
    if (part !== undefined && paths.includes(name)) continue;
    const [from, to] = [memberOf(current, name), memberOf(earlier, name)];
    const value = patchedValue(from, part === undefined ? to : withPart(from, part, to));
    if (value === undefined) continue;
    const before = patch[name];
    patch[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return patch;
}

/** An object with one part as another object has it. */
function withPart(object: unknown, part: string, other: unknown): Json {
  return { ...(isObject(object) ? object : {}), [part]: isObject(other) ? memberOf(other, part) : null };
}

/**
 * A merge patch of values that were stored, as an update takes it.
 *
 * @param written the fields that callers write
 * @param invalid the error for a field whose value is no longer valid; it is thrown
 */
export function parsePatch(
  written: ReadonlyMap<string, WrittenField>,
  patch: Json,
  invalid: (name: string) => Error,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => {
      const result = written.get(name)?.patch.safeParse(value);
      if (result?.success === true) return [name, result.data];
      throw invalid(name);
    }),
  );
}
