import { recordTag } from '../http/etag.ts';
import type { ResoCall } from './call.ts';
import type { ResoField } from './fields.ts';
import { standardOf } from './lookups.ts';

/** The value at a path of a record; null where it has none. */
export function valueAt(record: unknown, path: string): unknown {
  let value = record;
  for (const step of path.split('.')) {
    const [, name = '', index] = /^(\w+)(\[0\])?$/.exec(step) ?? [];
    value = propertyOf(value, name);
    if (index !== undefined) value = Array.isArray(value) ? value[0] : undefined;
  }
  return value ?? null;
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A record of the API in the names and values of the Data Dictionary. */
function resoRecord(
  record: unknown,
  fields: readonly ResoField[],
  { omitsNulls = false } = {},
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const field of fields) {
    const value = shownValue(valueAt(record, field.path), field);
    if (value !== null || !omitsNulls) shown[field.name] = value;
  }
  return shown;
}

function shownValue(value: unknown, { lookup, isDayOfTime }: ResoField): unknown {
  if (typeof value !== 'string') return value;
  if (isDayOfTime) return value.slice(0, 10);
  return lookup === undefined ? value : standardOf(lookup, value);
}

/** A record in the names of the standard, with its ETag. */
export function shownRecord(
  record: Record<string, unknown>,
  fields: readonly ResoField[],
  { preferences }: Pick<ResoCall, 'preferences'>,
): Record<string, unknown> {
  return { '@odata.etag': recordTag(Number(record.version)), ...resoRecord(record, fields, preferences) };
}
