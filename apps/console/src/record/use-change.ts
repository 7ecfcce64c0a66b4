import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { roster } from '../api/client.ts';
import type { ResourceName } from '../list/queries.ts';
import { callsOf, type DirectoryRecord, recordChanged, rereadIfChanged } from './record-calls.ts';
import { offerUndo } from './undo.ts';

/** A change of a record by a dialog. */
export interface Change {
  /** The call, which names the version it is for. */
  call: () => Promise<DirectoryRecord>;
  /** Said when it is made. */
  text: string;
  /** Takes it back; gets the record after the change. */
  undo?: ((changed: DirectoryRecord) => Promise<unknown>) | undefined;
}

interface ChangeOptions {
  resource: ResourceName;
  record: DirectoryRecord;
  onDone: () => void;
}

/**
 * Makes a change, puts its answer into the page, and offers to undo it. If the record has another version by now, it is read
 * again, so that the next attempt is about what is shown.
 */
export function useChange({ resource, record: { id }, onDone }: ChangeOptions) {
  const { i18n } = useLingui();
  return useMutation({
    mutationFn: ({ call }: Change) => call(),
    onSuccess: (changed, { text, undo }) => {
      recordChanged(resource, changed);
      onDone();
      if (undo !== undefined) offerUndo(i18n, { text, undo: () => undo(changed) });
    },
    onError: (error) => rereadIfChanged(resource, id, error),
  });
}

/** Cancels what a call has scheduled: the pending change that the record did not have before. */
export async function cancelNew(before: DirectoryRecord, after: DirectoryRecord): Promise<void> {
  const idsOf = ({ scheduledChanges }: DirectoryRecord) =>
    (scheduledChanges as readonly { id: string }[]).map(({ id }) => id);
  const known = new Set(idsOf(before));
  for (const id of idsOf(after)) if (!known.has(id)) await roster.scheduledChanges.cancel.mutate({ id });
}

/** The reverse of a change of the status. */
export async function reverseStatus(resource: ResourceName, changed: DirectoryRecord): Promise<void> {
  const { id, version, status } = changed;
  const calls = callsOf(resource);
  const reverse = status === 'inactive' ? calls.reactivate : calls.deactivate;
  recordChanged(resource, await reverse.mutate({ id, ifVersion: version }));
}
