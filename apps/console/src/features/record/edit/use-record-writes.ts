import { useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import type { FieldContract } from '../../../api/contract/types.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { callsOf, listsChanged, recordChanged } from '../../../resources/record-calls.ts';
import { offerUndo, undoUpdate } from '../undo.ts';
import { fromForm, isEqual, patchValue } from './form-values.ts';
import type { useLookAlikes } from './look-alikes.tsx';
import type { DraftForm } from './use-draft-form.ts';

/** The most saves with newer versions before the person is asked to save again. */
const ATTEMPTS_MAX = 4;

interface WriteOptions {
  resource: ResourceName;
  shown: readonly FieldContract[];
  form: DraftForm;
  lookAlikes: ReturnType<typeof useLookAlikes>;
  onSaved: (saved: DirectoryRecord) => void;
}

/** The calls that create or change the record of a form. */
export function useRecordWrites({ resource, shown, form, lookAlikes, onSaved }: WriteOptions) {
  const { i18n, t } = useLingui();
  const { draft, methods, follow } = form;

  const create = async (asksFirst: boolean): Promise<void> => {
    const all = shown.map((field) => [field.name, fromForm(field, methods.getValues(field.name))]);
    const body = Object.fromEntries(
      all.filter(
        ([, value]) => value !== null && (typeof value !== 'object' || Object.keys(value).length > 0),
      ),
    );
    if (asksFirst && !(await lookAlikes.mayCreate(body))) return;
    const idempotencyKey = draft.idempotencyKey(JSON.stringify(body));
    const created = await callsOf(resource).create.mutate(body, { context: { idempotencyKey } });
    recordChanged(resource, created);
    listsChanged(resource);
    draft.setFields({});
    onSaved(created);
  };

  /** Saves the changed fields. A newer version of the record is taken over first, and saved unless it is in conflict. */
  const update = async (before: DirectoryRecord, attempts = ATTEMPTS_MAX): Promise<void> => {
    const sent = draft.current();
    const changes = shown.flatMap((field) => {
      const own = sent[field.name];
      return own === undefined ? [] : [[field.name, patchValue(field, own.value, before[field.name])]];
    });
    if (changes.length === 0) return onSaved(before);
    const patch: Record<string, unknown> = Object.fromEntries(changes);
    try {
      const input = { id: before.id, ifVersion: before.version, ...patch };
      const saved = await callsOf(resource).update.mutate(input);
      recordChanged(resource, saved);
      // The draft keeps values that were typed meanwhile.
      const kept = Object.entries(draft.current()).filter(
        ([name, own]) => !(name in patch) || !isEqual(own, sent[name]),
      );
      draft.setFields(Object.fromEntries(kept));
      onSaved(saved);
      const undo = () => undoUpdate(i18n, resource, saved, Object.keys(patch));
      if (saved.version > before.version) offerUndo(i18n, { text: t`Saved`, undo });
    } catch (error) {
      const isBehind = error instanceof RosterError && error.code === 'version_conflict';
      if (!isBehind || attempts === 1) throw error;
      const theirs = await callsOf(resource).get.query({ id: before.id });
      recordChanged(resource, theirs);
      if (follow(theirs)) await update(theirs, attempts - 1);
    }
  };

  return { create, update };
}
