import { useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { callsOf, listsChanged, recordChanged } from '../../../resources/record-calls.ts';
import { offerUndo, undoUpdate } from '../undo.ts';
import type { DraftHandle } from './drafts/use-draft.ts';
import { fieldValueOf, typedValuesOf } from './typed-values.ts';
import type { useLookAlikes } from './use-look-alikes.ts';
import type { useMerge } from './use-merge.ts';
import { fromForm, patchOf } from './values/form-values.ts';

/** The most merges of a save with newer versions before a person is asked. */
const MERGES_MAX = 3;

interface WriteOptions {
  resource: ResourceName;
  fields: readonly string[];
  draft: DraftHandle;
  merging: ReturnType<typeof useMerge>;
  lookAlikes: ReturnType<typeof useLookAlikes>;
  onSaved: (saved: DirectoryRecord, changed: string[]) => void;
}

/** The calls that create or change the record of a form. A repeated call of the same values happens once. */
export function useRecordWrites(options: WriteOptions) {
  const { resource, fields, draft, merging, lookAlikes, onSaved } = options;
  const { i18n, t } = useLingui();
  const shown = contracts[resource].fields.filter(({ name }) => fields.includes(name));

  const create = async ({ asksFirst }: { asksFirst: boolean }): Promise<void> => {
    const state = draft.current();
    const all = shown.map((field) => [
      field.name,
      fromForm(field, fieldValueOf(resource, field.name, state)),
    ]);
    const body = Object.fromEntries(
      all.filter(
        ([, value]) => value !== null && (typeof value !== 'object' || Object.keys(value).length > 0),
      ),
    );
    if (asksFirst && !(await lookAlikes.mayCreate(body))) return;
    const key = draft.keyOf(JSON.stringify(body));
    const created = await callsOf(resource).create.mutate(body, { context: { idempotencyKey: key } });
    recordChanged(resource, created);
    listsChanged(resource);
    draft.discard();
    onSaved(created, []);
  };

  /** Saves the changed fields. A newer version of the record is merged, unless somebody has to be asked. */
  const update = async (before: DirectoryRecord, mergesLeft = MERGES_MAX): Promise<void> => {
    const { base, values } = draft.current();
    const typed = Object.entries(typedValuesOf(resource, { base, values }));
    const isOwn = ([name]: [string, unknown]) => fields.includes(name);
    const patch = patchOf(shown, base, Object.fromEntries(typed.filter(isOwn)));
    const changed = Object.keys(patch);
    if (changed.length === 0) return onSaved(before, []);
    const input = { id: before.id, ifVersion: base.version as number, ...patch };
    const key = draft.keyOf(JSON.stringify(input));
    try {
      const saved = await callsOf(resource).update.mutate(input, { context: { idempotencyKey: key } });
      recordChanged(resource, saved);
      merging.goOnWith(saved, Object.fromEntries(typed.filter((entry) => !isOwn(entry))));
      onSaved(saved, changed);
      if (saved.version > input.ifVersion)
        offerUndo(i18n, { text: t`Saved`, undo: () => undoUpdate(i18n, resource, saved, changed) });
    } catch (error) {
      if (!(error instanceof RosterError) || error.code !== 'version_conflict' || mergesLeft === 0)
        throw error;
      const theirs = await callsOf(resource).get.query({ id: before.id });
      recordChanged(resource, theirs);
      if (merging.merge(theirs, { saves: true })) await update(theirs, mergesLeft - 1);
    }
  };

  return { create, update };
}
