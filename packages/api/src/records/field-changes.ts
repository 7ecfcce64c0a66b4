import { isDeepStrictEqual } from 'node:util';
import { hasParts } from '../engine/fields/columns.ts';
import type { Fields, WrittenField } from '../engine/fields/field.ts';

export type Json = Readonly<Record<string, unknown>>;

export function asJson(record: object): Json {
  return Object.fromEntries(Object.entries(record));
}

export interface FieldDifference {
  /** A part of an object follows a dot. */
  field: string;
  before: unknown;
  after: unknown;
}

export interface Change {
  type: string;
  record: Json | null;
  previous: Json;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** Fields that every change sets, with the time its event has too. */
function isOfService(name: string, fields: Fields): boolean {
  return name === 'id' || name === 'version' || fields[name]?.storage === 'timestamptz';
}

function memberOf(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}

/** In API order: the database has its own order for the parts of items. */
function shown(name: string, value: unknown, fields: Fields): unknown {
  if (!Array.isArray(value)) return value;
  const { success, data } = fields[name]?.output.safeParse(value) ?? {};
  return success === true ? data : value;
}

function* leavesOf(name: string, value: unknown, fields: Fields): Generator<[path: string, value: unknown]> {
  if (isObject(value)) for (const [part, inner] of Object.entries(value)) yield [`${name}.${part}`, inner];
  else yield [name, isEmpty(value) ? null : shown(name, value, fields)];
}

function recordBefore({ type, record, previous }: Change): Json {
  return type.endsWith('.created') ? {} : { ...record, ...previous };
}

function differencesOf(
  [name, before, after]: [name: string, before: unknown, after: unknown],
  fields: Fields,
): FieldDifference[] {
  const [was, is] = [new Map(leavesOf(name, before, fields)), new Map(leavesOf(name, after, fields))];
  return [...new Set([...is.keys(), ...was.keys()])]
    .map((field) => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

export function differences(before: Json, after: Json, fields: Fields): FieldDifference[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter((name) => !isOfService(name, fields))
    .flatMap((name) => differencesOf([name, memberOf(before, name), memberOf(after, name)], fields));
}

/** For a creation all non-empty fields; none for a deletion or a purge. */
export function changesOf(change: Change, fields: Fields): FieldDifference[] {
  return change.record === null ? [] : differences(recordBefore(change), change.record, fields);
}

export function splitPath(path: string): [name: string, part: string | undefined] {
  const dot = path.indexOf('.');
  return dot === -1 ? [path, undefined] : [path.slice(0, dot), path.slice(dot + 1)];
}

/** Each part of an object separately, but an address given or cleared as a whole stays whole. */
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

export function valueAt(record: Json, path: string): unknown {
  const [name, part] = splitPath(path);
  const value = memberOf(record, name);
  const found = part === undefined ? value : isObject(value) ? memberOf(value, part) : null;
  return isEmpty(found) ? null : found;
}

/** RFC 7396 */
export function patched(record: Json, patch: Json): Json {
  const merged = Object.entries(patch).map(([name, value]) => {
    const current = memberOf(record, name);
    if (!isObject(value) || !isObject(current)) return [name, value];
    return [name, { ...current, ...value }];
  });
  return { ...record, ...Object.fromEntries(merged) };
}

/** A writable field, or a part that a merge patch can change alone. */
export function isWritablePath(path: string, fields: Fields): boolean {
  const [name, part] = splitPath(path);
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined || !('input' in field)) return false;
  if (part === undefined || field.storage === 'pairs') return true;
  return hasParts(field.storage) && field.storage.parts.includes(part);
}

function patchedValue(from: unknown, to: unknown): unknown {
  if (isDeepStrictEqual(from, to)) return undefined;
  if (!isObject(from) || !isObject(to)) return to;
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const parts = names.filter((name) => !isDeepStrictEqual(memberOf(from, name), memberOf(to, name)));
  return Object.fromEntries(parts.map((name) => [name, memberOf(to, name)]));
}

/** RFC 7396. Clears fields that are newer than the version. */
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

function withPart(object: unknown, part: string, other: unknown): Json {
  return { ...(isObject(object) ? object : {}), [part]: isObject(other) ? memberOf(other, part) : null };
}

/**
 * Parses stored values as a merge patch for an update.
 *
 * @param written the writable fields
 * @param invalid the error to throw for a value that is no longer valid
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
