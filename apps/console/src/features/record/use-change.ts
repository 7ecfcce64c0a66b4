import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { roster } from '../../api/client.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../resources/record.ts';
import { callsOf, recordChanged, rereadIfChanged } from '../../resources/record-calls.ts';
import type { Notice } from '../../ui/notice-list.tsx';
import { notify } from '../../ui/notices.tsx';
import { offerUndo, offerUndoDialog, statusFields, whileUnchanged } from './undo.ts';

export interface Change {
  call: () => Promise<DirectoryRecord>;
  text: string | (() => string);
  /** Takes it back; gets the record after the change. Without it no undo is offered. */
  undo?: ((changed: DirectoryRecord) => Promise<Notice | undefined>) | undefined;
  /** The dialog that takes it back if it has changed more than this record; gets the record after the change. */
  undoDialog?: ((changed: DirectoryRecord) => (() => void) | undefined) | undefined;
  notice?: (() => Notice | undefined) | undefined;
}

interface ChangeOptions {
  resource: ResourceName;
  record: DirectoryRecord;
  onDone: () => void;
}

/**
 * Makes a change, puts its response into the page, and offers to undo it. If the record has another version by now, it is read
 * again, so that the next attempt is about what is shown.
 */
export function useChange({ resource, record: { id }, onDone }: ChangeOptions) {
  const { i18n } = useLingui();
  return useMutation({
    mutationFn: ({ call }: Change) => call(),
    onSuccess: (changed, { text, undo, undoDialog, notice }) => {
      recordChanged(resource, changed);
      onDone();
      const said = typeof text === 'string' ? text : text();
      const openUndo = undoDialog?.(changed);
      if (openUndo !== undefined) offerUndoDialog(i18n, said, openUndo);
      else if (undo !== undefined) offerUndo(i18n, { text: said, undo: () => undo(changed) });
      else notify(notice?.() ?? { text: said });
    },
    onError: (error) => rereadIfChanged(resource, id, error),
  });
}

/** Cancels what a call has scheduled: the pending change that the record did not have before. */
export async function cancelNew(before: DirectoryRecord, after: DirectoryRecord): Promise<undefined> {
  const idsOf = ({ scheduledChanges = [] }: DirectoryRecord) => scheduledChanges.map(({ id }) => id);
  const known = new Set(idsOf(before));
  for (const id of idsOf(after)) if (!known.has(id)) await roster.scheduledChanges.cancel.mutate({ id });
}

/**
 * Reverses a change of the status that has not changed since; a record that is inactive again has the reason that it had before.
 */
export async function reverseStatus(
  resource: ResourceName,
  before: DirectoryRecord,
  changed: DirectoryRecord,
): Promise<void> {
  const calls = callsOf(resource);
  const { id, status } = changed;
  const { statusReason } = before;
  const reason = typeof statusReason === 'string' ? { reason: statusReason } : {};
  const reversed = await whileUnchanged(resource, changed, statusFields, (ifVersion) =>
    status === 'inactive'
      ? calls.reactivate.mutate({ id, ifVersion })
      : calls.deactivate.mutate({ id, ifVersion, ...reason }),
  );
  recordChanged(resource, reversed);
}
