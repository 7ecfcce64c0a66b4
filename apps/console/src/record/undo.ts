import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { RosterError } from '@roster/client';
import { isUnauthenticated, queryClient } from '../api/client.ts';
import { markSignedOut } from '../api/session-end.ts';
import { messageOf } from '../components/error-message.ts';
import type { Notice } from '../components/notice-list.tsx';
import { notify } from '../components/notices.tsx';
import type { ResourceName } from '../contract/contracts.ts';
import type { DirectoryRecord } from '../resources/record.ts';
import { callsOf, recordChanged } from '../resources/record-calls.ts';

const undoLabel = msg`Undo`;
const undone = msg({ message: 'Undone', context: 'notice' });
const changedSince = msg`Nothing was undone, because the record has been changed since. The history has every version.`;

/** A change in words, and the call that takes it back. */
interface Undoable {
  text: string;
  /** Resolves to what is said if that is more than that it is undone. */
  undo: () => Promise<Notice | undefined>;
}

const undoAction = (i18n: I18n, run: () => void) => ({ label: i18n._(undoLabel), run });

/** Says that a change of several records was made, and offers the dialog that says what its undo would do. */
export function offerUndoDialog(i18n: I18n, text: string, open: () => void): void {
  notify({ text, action: undoAction(i18n, open) });
}

/**
 * Says that a change was made, and offers for ten seconds to take it back. It is offered again if the service could not do it, or
 * not all of it, at the moment.
 */
export function offerUndo(i18n: I18n, { text, undo }: Undoable): void {
  const run = async () => {
    try {
      notify((await undo()) ?? { text: i18n._(undone), durationMs: 4_000 });
    } catch (error) {
      if (isUnauthenticated(error)) markSignedOut();
      const code = error instanceof RosterError ? error.code : undefined;
      const text = code === 'version_conflict' ? i18n._(changedSince) : messageOf(error);
      if (code === 'unavailable') offerUndo(i18n, { text, undo });
      else notify({ text, tone: 'danger' });
    }
    void queryClient.invalidateQueries();
  };
  notify({ text, action: undoAction(i18n, () => void run()) });
}

/** Takes back a change of fields: the record gets the values it had before, unless it has been changed since. */
export async function undoUpdate(
  resource: ResourceName,
  { id, version }: Pick<DirectoryRecord, 'id' | 'version'>,
  fields?: string[],
): Promise<undefined> {
  const input = { id, ifVersion: version, toVersion: version - 1, ...(fields !== undefined && { fields }) };
  const { changes: _, notReverted: __, ...record } = await callsOf(resource).revert.mutate(input);
  recordChanged(resource, record as DirectoryRecord);
}
