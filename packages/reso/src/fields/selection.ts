import { invalidParameter } from '@roster/api';
import type { RecordQuery } from '@roster/api/query';
import type { OrderKey, QueryOptions } from '@roster/odata';
import { isSortable, type ResoField } from './fields.ts';

interface Selectable {
  name: string;
  isStandard: boolean;
}

/** Default and `*`: those of the Data Dictionary. Throws `invalid_parameter` for an unknown name. */
export function selectedFields<Field extends Selectable>(
  fields: readonly Field[],
  select: QueryOptions['select'],
): Field[] {
  if (select === undefined) return fields.filter(({ isStandard }) => isStandard);
  const names = new Set(select.map(({ name }) => name));
  for (const { name, at } of select) {
    if (name === '*' || fields.some((field) => field.name === name)) continue;
    const detail = `names ${name.slice(0, 100)}, which is no property here (character ${at + 1})`;
    throw invalidParameter('$select', 'unknown_field', detail);
  }
  const hasAll = names.has('*');
  return fields.filter(({ name, isStandard }) => names.has(name) || (hasAll && isStandard));
}

/** The key breaks ties. Throws `invalid_parameter` for an unknown property or a collection. */
export function orderOf(
  keys: readonly OrderKey[] = [],
  fields: ReadonlyMap<string, ResoField>,
): RecordQuery['orderBy'] {
  return keys.map(({ path, isDescending }) => {
    const reject = (code: string, what: string) =>
      invalidParameter(
        '$orderby',
        code,
        `names ${path.name.slice(0, 100)}, ${what} (character ${path.at + 1})`,
      );
    const field = fields.get(path.name);
    if (field === undefined) throw reject('unknown_field', 'which is no property here');
    if (field.type === 'texts') throw reject('invalid_type', 'a collection');
    if (!isSortable(field)) throw reject('not_supported', 'whose values have no order');
    return { field: field.path, isDescending };
  });
}
