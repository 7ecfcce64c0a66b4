import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import type { ResourceName } from '../../api/contract/contracts.ts';
import type { UnmergedRecord } from '../../resources/record.ts';
import { callsOf, recordChanged } from '../../resources/record-calls.ts';
import type { Notice } from '../../ui/notice-list.tsx';
import { pathLabels } from '../fields/field-labels.ts';

const RECORDS_MAX = 8;
const CONFLICTS_MS = 60_000;

interface LeftRecord {
  resource: ResourceName;
  id: string;
  why: string;
}

export interface Left {
  records: LeftRecord[];
  count: number;
  others: string[];
}

export function leftByUndo(
  i18n: I18n,
  { conflicts, notReturned: { scheduledChanges, views } }: Pick<UnmergedRecord, 'conflicts' | 'notReturned'>,
): Left | undefined {
  const byRecord = [...Map.groupBy(conflicts, ({ id }) => id)];
  const records = byRecord.slice(0, RECORDS_MAX).flatMap(([id, all]) => {
    const resource = all[0]?.resource;
    if (resource === undefined) return [];
    const fields = all.flatMap(({ field }) => field ?? []);
    const why = fields.length === 0 ? i18n._(msg`it is gone`) : pathLabels(i18n, resource, fields);
    return { resource, id, why };
  });
  const others = [
    scheduledChanges > 0 &&
      i18n._(
        msg`${plural(scheduledChanges, {
          one: '# scheduled change stays with the merged record.',
          other: '# scheduled changes stay with the merged record.',
        })}`,
      ),
    views > 0 &&
      i18n._(
        msg`${plural(views, {
          one: '# saved view stays with the merged record.',
          other: '# saved views stay with the merged record.',
        })}`,
      ),
  ].filter((text) => text !== false);
  if (records.length + others.length === 0) return undefined;
  return { records, count: byRecord.length, others };
}

/**
 * Undoes the merge of a record into another one.
 *
 * @returns what is said of what stays as it is; undefined if nothing does
 */
export async function undoMerge(
  i18n: I18n,
  resource: ResourceName,
  { id, reason }: { id: string; reason?: string | undefined },
): Promise<Notice | undefined> {
  const unmerged = await callsOf(resource).unmerge.mutate({ id, ...(reason !== undefined && { reason }) });
  const { conflicts: _, notReturned: __, survivorId: ___, ...record } = unmerged;
  recordChanged(resource, record);
  const left = leftByUndo(i18n, unmerged);
  if (left === undefined) return undefined;
  const { records, count, others } = left;
  const changed = i18n._(
    msg`${plural(count, {
      one: '# record keeps values that have since changed:',
      other: '# records keep values that have since changed:',
    })}`,
  );
  return {
    text: [i18n._(msg`Merge undone`), ...others, ...(count > 0 ? [changed] : [])].join(' '),
    records: records.map(({ why, ...one }) => ({ ...one, text: why })),
    durationMs: CONFLICTS_MS,
  };
}
