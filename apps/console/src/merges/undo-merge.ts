import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import type { MergeConflict } from '@roster/client';
import type { Notice } from '../components/notice-list.tsx';
import type { ResourceName } from '../contract/contracts.ts';
import { pathLabel } from '../fields/field-labels.ts';
import { callsOf, recordChanged } from '../resources/record-calls.ts';

/** The records of conflicts that a notice names. */
const RECORDS_MAX = 8;
/** The time for which a notice with conflicts stays, in milliseconds. */
const CONFLICTS_MS = 60_000;

/** The records in which something stays as it is, because it was changed since the merge. */
function conflictRecords(i18n: I18n, conflicts: readonly MergeConflict[]): NonNullable<Notice['records']> {
  const records = Map.groupBy(conflicts, ({ id }) => id);
  return [...records].slice(0, RECORDS_MAX).map(([id, all]) => {
    const resource = all[0]?.resource as ResourceName;
    const fields = all.flatMap(({ field }) => (field === null ? [] : [pathLabel(i18n, resource, field)]));
    const list = new Intl.ListFormat(i18n.locale, { type: 'unit', style: 'short' }).format(fields);
    return { resource, id, text: fields.length === 0 ? i18n._(msg`it is gone`) : list };
  });
}

/**
 * Undoes the merge of a record into another one.
 *
 * @returns what is said of what stays as it is; undefined if nothing does
 */
export async function undoMerge(
  i18n: I18n,
  resource: ResourceName,
  duplicateId: string,
): Promise<Notice | undefined> {
  const { conflicts, survivorId: _, ...record } = await callsOf(resource).unmerge.mutate({ id: duplicateId });
  recordChanged(resource, record);
  if (conflicts.length === 0) return undefined;
  const count = new Set(conflicts.map(({ id }) => id)).size;
  return {
    text: i18n._(
      msg`The merge is undone. ${plural(count, {
        one: 'In # record something stays as it is, because it was changed since:',
        other: 'In # records something stays as it is, because it was changed since:',
      })}`,
    ),
    records: conflictRecords(i18n, conflicts),
    durationMs: CONFLICTS_MS,
  };
}
