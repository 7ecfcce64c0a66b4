/** Validates a form before it is sent, with the service's messages and without a request. */
import { checkFields, checkNewRecord, type Violation } from './check/check.ts';
import { created, patched } from './check/records.ts';

export { pathOfPointer } from './check/json-pointer.ts';
export type { Violation };

export type CheckedResource = keyof typeof created;

/**
 * Checks a new record as the service would before it asks the database: types, forms, limits, choices, required and
 * unknown fields. Only the service checks rules between records, and whether a phone number exists.
 *
 * @returns violations in the order of the fields, after one for a missing name of an agent
 *
 * @example
 * for (const { path, detail } of checkNew('agents', { firstName: '' })) console.error(path.join('.'), detail);
 */
export function checkNew(resource: CheckedResource, record: object): Violation[] {
  return checkNewRecord(created[resource], { ...record });
}

/** Checks changed fields in the same way, without `id` and `ifVersion`. */
export function checkPatch(resource: CheckedResource, patch: object): Violation[] {
  return checkFields(patched[resource], { ...patch });
}
