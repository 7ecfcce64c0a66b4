import type { FieldChange, RecordChange } from '@roster/client';
import { isEqual } from '../edit/values/form-values.ts';

/** A change as far as a comparison needs it. */
export type VersionChange = Pick<RecordChange, 'version' | 'type' | 'changes'>;

/** Whether an event is about a version of its own: a failed schedule and an expiring licence change nothing. */
export function isVersion({ type }: Pick<RecordChange, 'type'>): boolean {
  return !/\.(change_failed|license_expiring|purged)$/.test(type);
}

/**
 * The fields that differ between two versions of a record, old and new, from the changes between them.
 *
 * @param changes those with a version above `from` up to `to`; others do not count. In any order.
 */
export function differencesBetween(
  changes: readonly VersionChange[],
  { from, to }: { from: number; to: number },
): FieldChange[] {
  const between = changes
    .filter((change) => change.version > from && change.version <= to && isVersion(change))
    .toSorted((a, b) => a.version - b.version);
  const byField = new Map<string, FieldChange>();
  for (const { changes: fields } of between) {
    for (const { field, before, after } of fields) {
      const first = byField.get(field);
      byField.set(field, { field, before: first === undefined ? before : first.before, after });
    }
  }
  return [...byField.values()].filter(({ before, after }) => !isEqual(before ?? null, after ?? null));
}

/** The versions that are known, newest first, each once. */
export function versionsOf(changes: readonly VersionChange[]): number[] {
  return [...new Set(changes.filter(isVersion).map(({ version }) => version))].toSorted((a, b) => b - a);
}
