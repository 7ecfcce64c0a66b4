import { useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { useState } from 'react';
import { isUnauthenticated, queryClient } from '../api/client.ts';
import { markSignedOut } from '../api/session-end.ts';
import type { ResourceName } from '../contract/contracts.ts';
import { contracts } from '../contract/contracts.ts';
import { offerUndo, undoUpdate } from '../record/undo.ts';
import type { DirectoryRecord } from '../resources/record.ts';
import { callsOf, recordChanged } from '../resources/record-calls.ts';
import { type DraftHandle, dirtyFields, useDraft } from './drafts/use-draft.ts';
import {
  type FormValue,
  fromForm,
  isEqual,
  type Json,
  patchOf,
  toForm,
  withoutEmptyRows,
} from './values/form-values.ts';
import { type Choices, type Clash, mergeRecords } from './values/merge.ts';
import { type Check, checkField, type FieldProblem, placeErrors } from './values/problems.ts';

/** How often a save is merged with a newer version before a person is asked. */
const MERGES_MAX = 3;

/** What keeps a form from being saved. */
export interface FormProblems {
  /** The number of the attempt to save that found them. */
  attempt: number;
  checks: readonly Check[];
  atFields: readonly FieldProblem[];
  elsewhere: readonly FieldProblem[];
  /** The error as a whole, if it is about no field. */
  error: unknown;
}

const none: FormProblems = { attempt: 0, checks: [], atFields: [], elsewhere: [], error: null };

/** Two people have changed the same: what a person has to decide. */
export interface Conflict {
  clashes: readonly Clash[];
  /** The fields whose changes by others are taken over without asking. */
  taken: readonly string[];
  theirs: DirectoryRecord;
  /** Whether to save after the decision. */
  isSaving: boolean;
}

export interface RecordForm {
  draft: DraftHandle;
  isSaving: boolean;
  problems: FormProblems;
  conflict: Conflict | undefined;
  fieldValue: (name: string) => FormValue;
  /** Sets a value. What was wrong with the field is no longer shown. */
  setValue: (name: string, value: FormValue) => void;
  save: () => Promise<void>;
  /** Merges what was typed with a newer version of the record, without saving. */
  mergeWith: (theirs: DirectoryRecord) => void;
  resolve: (choices: Choices) => void;
  closeConflict: () => void;
}

interface FormOptions {
  resource: ResourceName;
  /** The record to change; undefined to create one. */
  record: DirectoryRecord | undefined;
  /** What a new record begins with. */
  initial?: Json;
  /** The fields that the form shows, and saves. */
  fields: readonly string[];
  onSaved: (saved: DirectoryRecord, changed: string[]) => void;
}

/** The state of a form of a record: what was typed, what is wrong with it, and how it is saved. */
export function useRecordForm({ resource, record, initial = {}, fields, onSaved }: FormOptions): RecordForm {
  const { i18n, t } = useLingui();
  const draft = useDraft(resource, record?.id, record ?? initial);
  const [isSaving, setSaving] = useState(false);
  const [problems, setProblems] = useState(none);
  const [conflict, setConflict] = useState<Conflict>();
  const shown = contracts[resource].fields.filter(({ name }) => fields.includes(name));

  const fieldValue = (name: string, { base, values }: Pick<DraftHandle, 'base' | 'values'> = draft) => {
    const field = contracts[resource].fields.find((one) => one.name === name);
    if (field === undefined) throw new Error(`${resource} have no field ${name}`);
    return values[name] ?? toForm(field, base[name]);
  };

  /** The values of the changed fields as the service takes them. */
  const typedValues = (state: Pick<DraftHandle, 'base' | 'values'>): Json => {
    const dirty = new Set(dirtyFields(resource, state));
    const all = contracts[resource].fields.filter(({ name }) => dirty.has(name));
    return Object.fromEntries(
      all.map((field) => [field.name, fromForm(field, fieldValue(field.name, state))]),
    );
  };

  /** Goes on with another version of the record. Values that it has already are no changes any more. */
  const goOnWith = (base: Json, wanted: Json) => {
    const { values } = draft.current();
    const next: Record<string, FormValue> = {};
    for (const field of contracts[resource].fields) {
      if (!(field.name in wanted)) continue;
      const typed = values[field.name];
      const isAsTyped = typed !== undefined && isEqual(fromForm(field, typed), wanted[field.name]);
      next[field.name] = isAsTyped ? typed : toForm(field, wanted[field.name]);
    }
    const kept = new Set(dirtyFields(resource, { base, values: next }));
    draft.rebase(base, Object.fromEntries(Object.entries(next).filter(([name]) => kept.has(name))));
  };

  /** Merges with a newer version. Returns whether nothing has to be asked. */
  const merge = (theirs: DirectoryRecord, { choices, saves }: { choices?: Choices; saves: boolean }) => {
    const state = draft.current();
    const mine = typedValues(state);
    const merged = mergeRecords(contracts[resource].fields, { base: state.base, mine, theirs }, choices);
    if (choices === undefined && merged.clashes.length > 0) {
      setConflict({ clashes: merged.clashes, taken: merged.taken, theirs, isSaving: saves });
      return false;
    }
    setConflict(undefined);
    goOnWith(theirs, merged.values);
    return true;
  };

  const create = async (): Promise<void> => {
    const state = draft.current();
    const all = shown.map((field) => [field.name, fromForm(field, fieldValue(field.name, state))] as const);
    const body = Object.fromEntries(
      all.filter(
        ([, value]) => value !== null && (typeof value !== 'object' || Object.keys(value).length > 0),
      ),
    );
    const key = draft.keyOf(JSON.stringify(body));
    const created = await callsOf(resource).create.mutate(body, { context: { idempotencyKey: key } });
    recordChanged(resource, created);
    draft.discard();
    onSaved(created, []);
  };

  const update = async (before: DirectoryRecord, mergesLeft = MERGES_MAX): Promise<void> => {
    const { base, values } = draft.current();
    const typed = typedValues({ base, values });
    const own = Object.fromEntries(Object.entries(typed).filter(([name]) => fields.includes(name)));
    const patch = patchOf(shown, base, own);
    const changed = Object.keys(patch);
    if (changed.length === 0) return onSaved(before, []);
    const input = { id: before.id, ifVersion: base.version as number, ...patch };
    const key = draft.keyOf(JSON.stringify(input));
    try {
      const saved = await callsOf(resource).update.mutate(input, { context: { idempotencyKey: key } });
      recordChanged(resource, saved);
      goOnWith(saved, Object.fromEntries(Object.entries(typed).filter(([name]) => !fields.includes(name))));
      onSaved(saved, changed);
      if (saved.version > input.ifVersion)
        offerUndo(i18n, { text: t`Saved`, undo: () => undoUpdate(resource, saved, changed) });
    } catch (error) {
      if (!(error instanceof RosterError) || error.code !== 'version_conflict' || mergesLeft === 0)
        throw error;
      const theirs = await callsOf(resource).get.query({ id: before.id });
      recordChanged(resource, theirs);
      if (merge(theirs, { saves: true })) await update(theirs, mergesLeft - 1);
    }
  };

  const save = async (): Promise<void> => {
    const state = draft.current();
    for (const field of shown) {
      const value = state.values[field.name];
      if (Array.isArray(value)) draft.setValue(field.name, withoutEmptyRows(field, value));
    }
    const checks = shown.flatMap((field) => checkField(field, fieldValue(field.name, draft.current())));
    setProblems(({ attempt }) => ({ ...none, attempt: attempt + 1, checks }));
    if (checks.length > 0) return;
    setSaving(true);
    try {
      await (record === undefined ? create() : update(record));
    } catch (error) {
      if (isUnauthenticated(error)) markSignedOut();
      const errors = error instanceof RosterError ? error.errors : [];
      const found = { ...placeErrors(errors, fields), error: errors.length > 0 ? null : error };
      setProblems(({ attempt }) => ({ ...none, ...found, attempt: attempt + 1 }));
      // The change may have been made although its answer was lost: the record shows it.
      if (record !== undefined && error instanceof RosterError && error.code === 'network')
        void queryClient.invalidateQueries({ queryKey: [resource, 'get', { id: record.id }] });
    } finally {
      setSaving(false);
    }
  };

  return {
    draft,
    isSaving,
    problems,
    conflict,
    fieldValue,
    setValue: (name, value) => {
      draft.setValue(name, value);
      const isOther = ({ path }: { path: string }) => path.split('/', 1)[0] !== name;
      if (problems.checks.every(isOther) && problems.atFields.every(isOther)) return;
      setProblems((all) => ({
        ...all,
        checks: all.checks.filter(isOther),
        atFields: all.atFields.filter(isOther),
      }));
    },
    save,
    mergeWith: (theirs) => void merge(theirs, { saves: false }),
    resolve: (choices) => {
      if (conflict === undefined) return;
      merge(conflict.theirs, { choices, saves: conflict.isSaving });
      if (conflict.isSaving) void save();
    },
    closeConflict: () => setConflict(undefined),
  };
}
