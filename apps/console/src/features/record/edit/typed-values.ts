import { contracts, fieldOf, type ResourceName } from '../../../api/contract/contracts.ts';
import { type DraftHandle, dirtyFields } from './drafts/use-draft.ts';
import { type FormValue, fromForm, isEqual, type Json, toForm } from './values/form-values.ts';

export type FormState = Pick<DraftHandle, 'base' | 'values'>;

export function fieldValueOf(resource: ResourceName, name: string, { base, values }: FormState): FormValue {
  const field = fieldOf(resource, name);
  if (field === undefined) throw new Error(`${resource} have no field ${name}`);
  return values[name] ?? toForm(field, base[name]);
}

export function typedValuesOf(resource: ResourceName, state: FormState): Json {
  const dirty = new Set(dirtyFields(resource, state));
  const changed = contracts[resource].fields.filter(({ name }) => dirty.has(name));
  return Object.fromEntries(
    changed.map((field) => [field.name, fromForm(field, fieldValueOf(resource, field.name, state))]),
  );
}

/**
 * The values of a form that goes on with another version of the record. Values that it has already are no changes any more.
 *
 * @param typed What was typed, as the controls have it
 * @param wanted The values that the record is to have, as the service takes them
 */
export function rebasedValues(
  resource: ResourceName,
  typed: Readonly<Record<string, FormValue>>,
  { base, wanted }: { base: Json; wanted: Json },
): Record<string, FormValue> {
  const next: Record<string, FormValue> = {};
  for (const field of contracts[resource].fields) {
    if (!(field.name in wanted)) continue;
    const value = typed[field.name];
    const isAsTyped = value !== undefined && isEqual(fromForm(field, value), wanted[field.name]);
    next[field.name] = isAsTyped ? value : toForm(field, wanted[field.name]);
  }
  const kept = new Set(dirtyFields(resource, { base, values: next }));
  return Object.fromEntries(Object.entries(next).filter(([name]) => kept.has(name)));
}
