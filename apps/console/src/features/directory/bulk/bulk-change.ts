import type { BulkPreview, Job } from '@roster/client';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { inTab, keep, readKept } from '../../../ui/browser/storage.ts';
import { givenReason } from '../../../ui/forms/reason-field.tsx';
import type { RecordSelection } from '../list/selection.ts';
import { isComplete, type PatchEntry, patchOf } from './patch.ts';

export type ChangeType = 'update' | 'deactivate' | 'reactivate' | 'transfer' | 'delete';

/**
 * The content of the dialog. Its values are kept until it is sent, so that a closed dialog or a reload loses nothing; what it does with
 * them is chosen each time.
 */
export interface BulkDraft {
  type: ChangeType;
  entries: PatchEntry[];
  office: { id: string; label: string } | null;
  reason: string;
  /** The day on which it happens, empty while none is chosen; null for now. */
  effectiveOn: string | null;
}

const emptyDraft: BulkDraft = { type: 'update', entries: [], office: null, reason: '', effectiveOn: null };
const keyOf = (resource: ResourceName) => `roster.bulk.${resource}`;

export function readDraft(resource: ResourceName): BulkDraft {
  return { ...emptyDraft, ...readKept<BulkDraft>(keyOf(resource), inTab) };
}

export function storeDraft(resource: ResourceName, draft: BulkDraft | undefined): void {
  keep(keyOf(resource), draft, inTab);
}

/** Whether the change can be scheduled: a deletion is made now. */
export const isOnAnyDay = ({ type }: BulkDraft): boolean => type !== 'delete';

/** The day for which the change is scheduled; undefined if it is made now. An empty one is still to be chosen. */
export function dayOf(draft: BulkDraft): string | undefined {
  return isOnAnyDay(draft) ? (draft.effectiveOn ?? undefined) : undefined;
}

export function isReady(draft: BulkDraft): boolean {
  const { type, entries, office } = draft;
  if (dayOf(draft) === '') return false;
  if (type === 'update') return entries.length > 0 && entries.every(isComplete);
  return type !== 'transfer' || office !== null;
}

export function filterOf(selection: RecordSelection): {
  filter: Record<string, unknown>;
  shownCount: number;
} {
  return 'ids' in selection
    ? { filter: { ids: selection.ids }, shownCount: selection.ids.length }
    : { filter: selection.filter, shownCount: selection.expectedCount };
}

function changeOf(resource: ResourceName, { type, entries, office }: BulkDraft): Record<string, unknown> {
  if (type === 'update') return { type, patch: patchOf(resource, entries) };
  return type === 'transfer' ? { type, officeId: office?.id } : { type };
}

export interface BulkCall {
  resource: ResourceName;
  selection: RecordSelection;
  draft: BulkDraft;
}

/** The input of a change without its reason, on which what it would do does not depend. */
export function changeInput({ resource, selection, draft }: BulkCall): object {
  return {
    filter: filterOf(selection).filter,
    change: changeOf(resource, draft),
    effectiveOn: dayOf(draft),
  };
}

export function previewBulk(bulk: BulkCall, signal: AbortSignal): Promise<BulkPreview> {
  return callsOf(bulk.resource).bulk.mutate({ ...changeInput(bulk), dryRun: true }, { signal });
}

/** Starts the job. Throws `count_mismatch` if another number of records matches than was shown. */
export function startBulk(bulk: BulkCall, expectedCount: number): Promise<Job> {
  const reason = givenReason(bulk.draft.reason);
  return callsOf(bulk.resource).bulk.mutate({ ...changeInput(bulk), reason, expectedCount });
}
