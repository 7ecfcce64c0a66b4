import type { Members } from '@roster/fields/objects';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type FieldErrors, type FieldValues, set, type UseFormReturn, useForm } from 'react-hook-form';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import type { FieldContract } from '../../../api/contract/types.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { type DraftFields, type DraftHandle, useDraft } from './drafts.ts';
import { type FormValue, fromForm, isEqual, mergedRows, toForm } from './form-values.ts';
import { type FieldProblem, formPath, useChecks } from './problems.ts';

type Methods = UseFormReturn<FieldValues>;

/** A field that two people have changed to different values. */
export interface Conflict {
  record: DirectoryRecord;
  before: unknown;
}

export interface DraftForm {
  methods: Methods;
  draft: DraftHandle;
  /** The newest version of the record that is known; undefined of one that is to be created. */
  latest: DirectoryRecord | undefined;
  /** The fields of the form that differ from the record. */
  changed: readonly string[];
  conflictAt: (name: string) => Conflict | undefined;
  settle: (name: string, choice: 'mine' | 'theirs') => void;
  /** Takes back what was typed. Returns what it was. */
  discard: () => DraftFields;
  /** Takes over a version of the record. Returns whether nothing has to be asked. */
  follow: (record: DirectoryRecord) => boolean;
}

interface DraftFormOptions {
  resource: ResourceName;
  record: DirectoryRecord | undefined;
  initial: Members;
  shown: readonly FieldContract[];
  onType: () => void;
}

function errorsOf(
  problems: readonly FieldProblem[],
  shown: readonly FieldContract[],
  values: FieldValues,
): FieldErrors<FieldValues> {
  const errors: FieldErrors<FieldValues> = {};
  for (const { path, text } of problems) {
    const contract = shown.find(({ name }) => name === path[0]);
    if (contract !== undefined)
      set(errors, formPath(contract, values[contract.name], path), { type: 'form', message: text });
  }
  return errors;
}

const valuesOf = (shown: readonly FieldContract[], record: Members): Record<string, FormValue> =>
  Object.fromEntries(shown.map((field) => [field.name, toForm(field, record[field.name])]));

/** Takes over the value of a field. Returns whether nothing has to be asked. */
function followField(
  { methods, draft }: { methods: Methods; draft: DraftHandle },
  contract: FieldContract,
  theirs: FormValue,
): boolean {
  const { name } = contract;
  const { [name]: own, ...others } = draft.current();
  if (own === undefined || isEqual(own.value, own.base) || isEqual(own.value, theirs)) {
    if (own !== undefined) draft.setFields(others);
    if (!isEqual(methods.getValues(name), theirs)) methods.setValue(name, theirs);
    return true;
  }
  if (isEqual(own.base, theirs)) return true;
  const merged = mergedRows(contract, { base: own.base, mine: own.value, theirs });
  if (merged === undefined) return false;
  draft.setFields({ ...others, [name]: { base: theirs, value: merged } });
  methods.setValue(name, merged);
  return true;
}

/**
 * The fields of a form. A field is untouched, and follows the record; changed, and kept in the draft; or in conflict: others have
 * changed it, too.
 */
export function useDraftForm({ resource, record, initial, shown, onType }: DraftFormOptions): DraftForm {
  const draft = useDraft(resource, record?.id);
  // A save may have read a newer version than the view has.
  const [read, setRead] = useState(record);
  const isNewer = read !== undefined && record !== undefined && read.version > record.version;
  const latest = isNewer ? read : record;
  const values = valuesOf(shown, latest ?? initial);
  const followed = useRef(values);
  const check = useChecks(resource, shown, latest ?? initial);
  const typed = Object.entries(draft.fields).filter(([name]) => name in values);
  const methods = useForm<FieldValues>({
    defaultValues: { ...values, ...Object.fromEntries(typed.map(([name, { value }]) => [name, value])) },
    shouldFocusError: false,
    resolver: (given) => {
      const errors = errorsOf(check(given), shown, given);
      return Object.keys(errors).length === 0 ? { values: given, errors: {} } : { values: {}, errors };
    },
  });

  const remember = useEffectEvent((name: string, value: FormValue) => {
    onType();
    const now = followed.current[name];
    if (now === undefined) return;
    const { [name]: before, ...others } = draft.current();
    if (!isEqual(value, now)) draft.setFields({ ...others, [name]: { base: before?.base ?? now, value } });
    else if (before !== undefined) draft.setFields(others);
  });
  useEffect(
    () =>
      methods.subscribe({
        formState: { values: true },
        callback: ({ name: path = '', values: { [path.split('.', 1)[0] ?? '']: value } }) => {
          if (value !== undefined) remember(path.split('.', 1)[0] ?? '', structuredClone(value));
        },
      }),
    [methods],
  );

  const follow = (source: Members): boolean => {
    followed.current = valuesOf(shown, source);
    const settled = shown.map((contract) =>
      followField({ methods, draft }, contract, followed.current[contract.name] ?? ''),
    );
    return settled.every(Boolean);
  };
  const followLatest = useEffectEvent(() => follow(latest ?? initial));
  useEffect(() => void followLatest(), [latest?.version]);

  const takeTheirs = (name: string) => methods.setValue(name, values[name]);
  return {
    methods,
    draft,
    latest,
    changed: typed.map(([name]) => name),
    conflictAt: (name) => {
      const own = draft.fields[name];
      const contract = shown.find((field) => field.name === name);
      if (latest === undefined || own === undefined || contract === undefined) return undefined;
      const isAsked = !isEqual(own.base, values[name]);
      return isAsked ? { record: latest, before: fromForm(contract, own.base) } : undefined;
    },
    settle: (name, choice) => {
      const { [name]: own, ...others } = draft.current();
      const base = values[name];
      if (choice === 'theirs') takeTheirs(name);
      else if (own !== undefined && base !== undefined)
        draft.setFields({ ...others, [name]: { ...own, base } });
    },
    discard: () => {
      const before = draft.current();
      for (const [name] of typed) takeTheirs(name);
      return before;
    },
    follow: (theirs) => {
      setRead(theirs);
      return follow(theirs);
    },
  };
}
