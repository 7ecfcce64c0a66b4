import { isDeepStrictEqual } from 'node:util';
import { operationContract } from '../contract/contract.ts';
import type { Field } from '../contract/types.ts';
import type { Resource, Row } from '../resources.ts';
import { isObject } from './fields.ts';

function memberOf(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

/**
 * The smallest JSON Merge Patch (RFC 7396) that changes one object to another: objects are patched recursively, arrays
 * replaced. A null member equals a missing one, as in the RFC. Empty if nothing differs.
 */
export function mergePatch(from: Row, to: Row): Row {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  const members: [string, unknown][] = [];
  for (const name of names) {
    const was = memberOf(from, name);
    const becomes = memberOf(to, name);
    if (!isObject(becomes)) {
      if (!isDeepStrictEqual(was, becomes)) members.push([name, becomes]);
      continue;
    }
    const inner = mergePatch(isObject(was) ? was : {}, becomes);
    if (!isObject(was) || Object.keys(inner).length > 0) members.push([name, inner]);
  }
  return Object.fromEntries(members);
}

function picked(value: unknown, names: readonly string[]): unknown {
  return isObject(value) ? Object.fromEntries(names.map((name) => [name, value[name] ?? null])) : value;
}

/** The value of a field, reduced to its writable parts. */
function writableValue(value: unknown, { path: [name], kind, parts = [] }: Field, fields: Field[]): unknown {
  if (kind === 'records' && Array.isArray(value)) return value.map((item) => picked(item, parts));
  if (kind !== 'object') return value;
  const below = fields.flatMap(({ path }) => (path.length === 2 && path[0] === name ? [path[1] ?? ''] : []));
  return picked(value, below);
}

/** The fields of a record that an update accepts, according to its contract; missing ones are null. */
export function writableOf({ name }: Pick<Resource, 'name'>, record: Row): Row {
  const fields = operationContract(name, 'update').fields.filter(({ isCondition }) => !isCondition);
  const own = fields.filter(({ path }) => path.length === 1);
  return Object.fromEntries(
    own.map((field) => {
      const [called = ''] = field.path;
      return [called, writableValue(record[called] ?? null, field, fields)];
    }),
  );
}
