import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { RosterError } from '@roster/client';
import { isUnauthenticated, queryClient } from '../../api/client.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { markSignedOut } from '../../api/session-end.ts';
import type { DirectoryRecord } from '../../resources/record.ts';
import { callsOf, recordChanged } from '../../resources/record-calls.ts';
import { messageOf } from '../../ui/error-message.ts';
import type { Notice } from '../../ui/notice-list.tsx';
import { notify } from '../../ui/notices.tsx';
import { pathLabels } from '../fields/field-labels.ts';

const undoLabel = msg`Undo`;
const undone = msg({ message: 'Undone', context: 'notice' });
const changedSince = msg`Couldn't undo: the record has changed since. Its history has every version.`;

interface Undoable {
  text: string;
  /** Resolves to what is said if that is more than that it is undone. */
  undo: () => Promise<Notice | undefined>;
}

const undoAction = (i18n: I18n, run: () => void) => ({ label: i18n._(undoLabel), run });

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

/** The most changes by others between the read of a record and its undo. */
const ATTEMPTS_MAX = 5;

export const statusFields = ['status', 'statusReason', 'deactivatedAt'];

const isConflict = (error: unknown) => error instanceof RosterError && error.code === 'version_conflict';

/**
 * Makes a call that takes back a change, for the version that the record has by now: others may have changed other fields since. If
 * one of these fields has changed, it throws the error of the call for the version after the change.
 */
export async function whileUnchanged<Result>(
  resource: ResourceName,
  changed: DirectoryRecord,
  fields: readonly string[],
  call: (ifVersion: number) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const current = await callsOf(resource).get.query({ id: changed.id });
    const isSame = fields.every((field) => current[field] === changed[field]);
    try {
      return await call(isSame ? current.version : changed.version);
    } catch (error) {
      if (!isConflict(error) || !isSame || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** Takes back a change of fields: those get their previous values that have not changed since. Resolves to what is said of the others. */
export async function undoUpdate(
  i18n: I18n,
  resource: ResourceName,
  changed: DirectoryRecord,
  fields?: string[],
): Promise<Notice | undefined> {
  const { id, version } = changed;
  const input = {
    id,
    toVersion: version - 1,
    keepChangesAfter: version,
    ...(fields !== undefined && { fields }),
  };
  const { changes, notReverted, ...record } = await whileUnchanged(resource, changed, [], (ifVersion) =>
    callsOf(resource).revert.mutate({ ...input, ifVersion }),
  );
  recordChanged(resource, record);
  const kept = notReverted.map(({ field }) => field).filter((field) => !statusFields.includes(field));
  if (kept.length === 0) return undefined;
  const names = pathLabels(i18n, resource, kept);
  if (changes.length === 0) return { text: i18n._(msg`Couldn't undo: these have changed since: ${names}.`) };
  return { text: i18n._(msg`Undone, except for what has changed since: ${names}.`) };
}
