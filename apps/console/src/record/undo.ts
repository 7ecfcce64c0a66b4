import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { RosterError } from '@roster/client';
import { isUnauthenticated, queryClient } from '../api/client.ts';
import { markSignedOut } from '../api/session-end.ts';
import { messageOf } from '../components/error-text.tsx';
import { notify } from '../components/notices.tsx';
import type { ResourceName } from '../list/queries.ts';
import { callsOf, type DirectoryRecord, recordChanged } from './record-calls.ts';

const undoLabel = msg`Undo`;
const undone = msg`Undone`;
const changedSince = msg`Nothing was undone, because the record has been changed since. The history has every version.`;

/** What a change was, and how to take it back. */
interface Undoable {
  text: string;
  undo: () => Promise<unknown>;
}

/** Says that a change was made, and offers for ten seconds to take it back. */
export function offerUndo(i18n: I18n, { text, undo }: Undoable): void {
  const run = async () => {
    try {
      await undo();
      notify({ text: i18n._(undone), durationMs: 4_000 });
    } catch (error) {
      if (isUnauthenticated(error)) markSignedOut();
      const isConflict = error instanceof RosterError && error.code === 'version_conflict';
      notify({ text: isConflict ? i18n._(changedSince) : messageOf(error), tone: 'danger' });
    }
    void queryClient.invalidateQueries();
  };
  notify({ text, action: { label: i18n._(undoLabel), run: () => void run() } });
}

/** Takes back a change of fields: the record gets the values it had before, unless it has been changed since. */
export async function undoUpdate(
  resource: ResourceName,
  { id, version }: Pick<DirectoryRecord, 'id' | 'version'>,
  fields?: string[],
): Promise<void> {
  const input = { id, ifVersion: version, toVersion: version - 1, ...(fields !== undefined && { fields }) };
  const { changes: _, notReverted: __, ...record } = await callsOf(resource).revert.mutate(input);
  recordChanged(resource, record as DirectoryRecord);
}
