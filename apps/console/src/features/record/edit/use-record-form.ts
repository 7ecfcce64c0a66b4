import { RosterError } from '@roster/client';
import { useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { isUnauthenticated, queryClient } from '../../../api/client.ts';
import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import type { FieldContract } from '../../../api/contract/types.ts';
import { markSignedOut } from '../../../api/session-end.ts';
import type { DirectoryRecord, LookAlike } from '../../../resources/record.ts';
import { type DraftHandle, useDraft } from './drafts/use-draft.ts';
import { fieldValueOf } from './typed-values.ts';
import { useLookAlikes } from './use-look-alikes.ts';
import { type Conflict, useMerge } from './use-merge.ts';
import { useRecordWrites } from './use-record-writes.ts';
import { type FormValue, type Json, withoutEmptyRows } from './values/form-values.ts';
import type { Choices } from './values/merge.ts';
import { type Check, checkField, checkName, type FieldProblem, placeErrors } from './values/problems.ts';

export interface FormProblems {
  /** The number of the attempt to save that found them. */
  attempt: number;
  checks: readonly Check[];
  atFields: readonly FieldProblem[];
  elsewhere: readonly FieldProblem[];
  error: unknown;
}

const none: FormProblems = { attempt: 0, checks: [], atFields: [], elsewhere: [], error: null };

export interface RecordForm {
  draft: DraftHandle;
  changed: readonly string[];
  isSaving: boolean;
  problems: FormProblems;
  conflict: Conflict | undefined;
  lookAlikes: readonly LookAlike[];
  contractOf: (name: string) => FieldContract | undefined;
  /** The field that must have an office because whoever creates the record is limited to some. */
  officeField: string | undefined;
  fieldValue: (name: string) => FormValue;
  /** Sets a value. What was wrong with the field is no longer shown. */
  setValue: (name: string, value: FormValue) => void;
  save: () => Promise<void>;
  mergeWith: (theirs: DirectoryRecord) => void;
  resolve: (choices: Choices) => void;
  closeConflict: () => void;
}

interface FormOptions {
  resource: ResourceName;
  record: DirectoryRecord | undefined;
  initial?: Json;
  fields: readonly string[];
  onSaved: (saved: DirectoryRecord, changed: string[]) => void;
}

export function useRecordForm({ resource, record, initial = {}, fields, onSaved }: FormOptions): RecordForm {
  const draft = useDraft(resource, record?.id, record ?? initial);
  const merging = useMerge(resource, draft);
  const lookAlikes = useLookAlikes(resource);
  const { create, update } = useRecordWrites({ resource, fields, draft, merging, lookAlikes, onSaved });
  const [isSaving, setSaving] = useState(false);
  const [problems, setProblems] = useState(none);
  const { canEverywhere } = useRights();
  const isLimited = record === undefined && !canEverywhere(`${resource}:write`);
  const officeField = isLimited ? contracts[resource].parentField : undefined;
  const { nameParts = [] } = contracts[resource];
  const shown = contracts[resource].fields
    .filter(({ name }) => fields.includes(name))
    .map((field): FieldContract => (field.name === officeField ? { ...field, isRequired: true } : field));

  const failed = (error: unknown) => {
    if (isUnauthenticated(error)) markSignedOut();
    const errors = error instanceof RosterError ? error.errors : [];
    const { atFields, elsewhere } = placeErrors(errors, fields);
    setProblems(({ attempt, checks }) => {
      const found = new Set<string | undefined>(
        checks.flatMap((check) => [check.path, 'unless' in check ? check.unless : undefined]),
      );
      const isNew = ({ path }: FieldProblem) => !found.has(path);
      return {
        attempt: checks.length > 0 ? attempt : attempt + 1,
        checks,
        atFields: atFields.filter(isNew),
        elsewhere: elsewhere.filter(isNew),
        error: errors.length > 0 || checks.length > 0 ? null : error,
      };
    });
    // The change may have been made although its response was lost: the record shows it.
    if (record !== undefined && error instanceof RosterError && error.code === 'network')
      void queryClient.invalidateQueries({ queryKey: [resource, 'get', { id: record.id }] });
  };

  const save = async (): Promise<void> => {
    const state = draft.current();
    for (const field of shown) {
      const value = state.values[field.name];
      if (Array.isArray(value)) draft.setValue(field.name, withoutEmptyRows(field, value));
    }
    const entered = (name: string) => fieldValueOf(resource, name, draft.current());
    const isBlank = (name: string) => String(entered(name) ?? '').trim() === '';
    const checks = [
      ...checkName(nameParts, { shown: fields, isBlank }),
      ...shown.flatMap((field) => checkField(field, entered(field.name))),
    ];
    setProblems(({ attempt }) => ({ ...none, attempt: attempt + 1, checks }));
    setSaving(true);
    try {
      // Also with a problem of its own: the service, which rejects it, says all others at once.
      await (record === undefined ? create({ asksFirst: checks.length === 0 }) : update(record));
    } catch (error) {
      failed(error);
    } finally {
      setSaving(false);
    }
  };

  return {
    draft,
    changed: draft.dirty.filter((name) => fields.includes(name)),
    isSaving,
    problems,
    conflict: merging.conflict,
    lookAlikes: lookAlikes.found,
    contractOf: (name) => shown.find((field) => field.name === name),
    officeField,
    fieldValue: (name) => fieldValueOf(resource, name, draft),
    setValue: (name, value) => {
      draft.setValue(name, value);
      lookAlikes.forget();
      const isOther = ({ path, unless }: { path: string; unless?: string }) =>
        path.split('/', 1)[0] !== name && unless !== name;
      if (problems.checks.every(isOther) && problems.atFields.every(isOther)) return;
      setProblems((all) => ({
        ...all,
        checks: all.checks.filter(isOther),
        atFields: all.atFields.filter(isOther),
      }));
    },
    save,
    mergeWith: (theirs) => void merging.merge(theirs, { saves: false }),
    resolve: (choices) => {
      const { conflict } = merging;
      if (conflict === undefined) return;
      merging.merge(conflict.theirs, { choices, saves: conflict.isSaving });
      if (conflict.isSaving) void save();
    },
    closeConflict: merging.closeConflict,
  };
}
