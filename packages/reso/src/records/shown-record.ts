import { entityTag, type ResoCall } from '../call/call.ts';
import { findStandard } from '../definitions/lookups.ts';
import type { ResoField } from '../fields/fields.ts';

/** Such as `address.city` or `licenses[0].number`; null if missing. */
export function valueAt(record: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/);
  const value = keys.reduce<unknown>((part, key) => (part as Record<string, unknown> | null)?.[key], record);
  return value ?? null;
}

/** With the names and values of the Data Dictionary. */
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
  return lookup === undefined ? value : findStandard(lookup, value);
}

export function shownRecord(
  record: Record<string, unknown>,
  fields: readonly ResoField[],
  { preferences }: Pick<ResoCall, 'preferences'>,
): Record<string, unknown> {
  return { '@odata.etag': entityTag(record.version), ...resoRecord(record, fields, preferences) };
}
