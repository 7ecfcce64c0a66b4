import type { Row } from '../service.ts';

/** A field with its value before and after a change, as the history of the service has it. */
export interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

/** The fields that the service sets with every change. */
const derived = new Set(['version', 'updatedAt', 'statusChangedAt']);

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two values of JSON are the same; the order of the members of an object does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => isSame(one[name] ?? null, other[name] ?? null));
}

/** The fields that differ between two states of a record. */
export function differences(before: Row, after: Row): Difference[] {
  return Object.keys(after)
    .filter((field) => !derived.has(field) && !isSame(before[field] ?? null, after[field] ?? null))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
}

/** JSON Merge Patch (RFC 7396): absent leaves, objects are merged, all else is replaced. What null clears is shown as null. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = { ...(isObject(target) ? target : {}) };
  for (const [name, value] of Object.entries(patch)) merged[name] = mergePatch(merged[name], value);
  return merged;
}
