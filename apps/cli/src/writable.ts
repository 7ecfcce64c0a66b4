import { type Field, verbContract } from './contract.ts';
import { isObject } from './fields.ts';
import type { Noun, Row } from './nouns.ts';

function picked(value: unknown, names: readonly string[]): unknown {
  return isObject(value) ? Object.fromEntries(names.map((name) => [name, value[name] ?? null])) : value;
}

/** The value of a field with just the parts that can be written. */
function writableValue(value: unknown, { path: [name], kind, parts = [] }: Field, fields: Field[]): unknown {
  if (kind === 'records' && Array.isArray(value)) return value.map((item) => picked(item, parts));
  if (kind !== 'object') return value;
  const below = fields.flatMap(({ path }) => (path.length === 2 && path[0] === name ? [path[1] ?? ''] : []));
  return picked(value, below);
}

/** Of a record all that an update can change, as the contract of the update has it; what is missing is null. */
export function writableOf({ name }: Pick<Noun, 'name'>, record: Row): Row {
  const fields = verbContract(name, 'update').fields.filter(({ isCondition }) => !isCondition);
  const own = fields.filter(({ path }) => path.length === 1);
  return Object.fromEntries(
    own.map((field) => {
      const [called = ''] = field.path;
      return [called, writableValue(record[called] ?? null, field, fields)];
    }),
  );
}
