import { RosterError } from '@roster/client';
import { pathOfPointer } from '@roster/fields/json-pointer';
import type { Members } from '@roster/fields/objects';
import { useState } from 'react';
import { useFormState } from 'react-hook-form';
import { useRights } from '../../../api/caller.ts';
import { isUnauthenticated, queryClient } from '../../../api/client.ts';
import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import type { FieldContract } from '../../../api/contract/types.ts';
import { markSignedOut } from '../../../api/session-end.ts';
import type { DirectoryRecord, LookAlike } from '../../../resources/record.ts';
import { recordQuery } from '../../../resources/record-calls.ts';
import { isEqual, withoutBlankRows } from './form-values.ts';
import { useLookAlikes } from './look-alikes.tsx';
import { type FieldProblem, formPath } from './problems.ts';
import { type DraftForm, useDraftForm } from './use-draft-form.ts';
import { useRecordWrites } from './use-record-writes.ts';

interface Failure {
  /** The problems of fields that are not in the form. */
  elsewhere: readonly FieldProblem[];
  error: unknown;
}

const none: Failure = { elsewhere: [], error: null };

export interface RecordForm extends DraftForm {
  isSaving: boolean;
  /** The number of attempts to save. */
  attempts: number;
  failure: Failure;
  lookAlikes: readonly LookAlike[];
  contractOf: (name: string) => FieldContract | undefined;
  /** The field that must have an office because whoever creates the record is limited to some. */
  officeField: string | undefined;
  save: () => Promise<void>;
}

interface FormOptions {
  resource: ResourceName;
  record: DirectoryRecord | undefined;
  initial?: Members;
  fields: readonly string[];
  onSaved: (saved: DirectoryRecord) => void;
}

export function useRecordForm({ resource, record, initial = {}, fields, onSaved }: FormOptions): RecordForm {
  const { canEverywhere } = useRights();
  const isLimited = record === undefined && !canEverywhere(`${resource}:write`);
  const officeField = isLimited ? contracts[resource].parentField : undefined;
  const shown = contracts[resource].fields
    .filter(({ name }) => fields.includes(name))
    .map((field): FieldContract => (field.name === officeField ? { ...field, isRequired: true } : field));
  const contractOf = (name: string) => shown.find((field) => field.name === name);
  const lookAlikes = useLookAlikes(resource);
  const form = useDraftForm({ resource, record, initial, shown, onType: lookAlikes.forget });
  const { methods, latest, changed, conflictAt } = form;
  const { isSubmitting, submitCount } = useFormState({ control: methods.control });
  const { create, update } = useRecordWrites({ resource, shown, form, lookAlikes, onSaved });
  const [failure, setFailure] = useState(none);

  const failed = (error: unknown, isValid: boolean) => {
    if (isUnauthenticated(error)) markSignedOut();
    const errors = error instanceof RosterError ? error.errors : [];
    const elsewhere: FieldProblem[] = [];
    for (const { pointer, parameter = '', detail } of errors) {
      const path = pointer === undefined ? [parameter] : pathOfPointer(pointer);
      const contract = contractOf(path[0] ?? '');
      const at = contract && formPath(contract, methods.getValues(contract.name), path);
      if (at === undefined) elsewhere.push({ path, text: detail });
      else if (methods.getFieldState(at).error === undefined)
        methods.setError(at, { type: 'service', message: detail });
    }
    // The service may reject in general what a field says already.
    setFailure({ elsewhere, error: errors.length > 0 || !isValid ? null : error });
    // The change may have been made although its response was lost: the record shows it.
    if (record !== undefined && error instanceof RosterError && error.code === 'network')
      void queryClient.invalidateQueries({ queryKey: recordQuery(resource, record.id).queryKey });
  };

  const send = async (isValid: boolean) => {
    setFailure(none);
    if (changed.some((name) => conflictAt(name) !== undefined)) return;
    try {
      // Also with a problem of its own: the service, which rejects it, says all others at once.
      await (latest === undefined ? create(isValid) : update(latest));
    } catch (error) {
      failed(error, isValid);
    }
  };

  return {
    ...form,
    isSaving: isSubmitting,
    attempts: submitCount,
    failure,
    lookAlikes: lookAlikes.found,
    contractOf,
    officeField,
    save: async () => {
      for (const field of shown) {
        const value = methods.getValues(field.name);
        const kept = withoutBlankRows(field, value);
        if (!isEqual(kept, value)) methods.setValue(field.name, kept);
      }
      const submit = methods.handleSubmit(
        () => send(true),
        () => send(false),
      );
      await submit();
    },
  };
}
