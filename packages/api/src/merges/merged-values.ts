import { pointerTo } from '../errors/describe-issue.ts';
import { readOnlyFields } from '../errors/read-only-fields.ts';
import { invalidInput, RosterError } from '../errors/roster-error.ts';
import { isEmpty, type Json, parsePatch, patchTo } from '../history/field-changes.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { columnOf } from '../resources/fields/columns.ts';
import type { WrittenField } from '../resources/fields/field.ts';
import { writtenFields } from '../resources/fields/shapes.ts';
import { licenseKey } from '../resources/sameness/licenses.ts';
import type { FieldChoice } from './schemas.ts';

type Definition = Pick<ResourceDefinition, 'fields' | 'computed' | 'references' | 'parent' | 'compared'>;

/** Two records of a resource as JSON, and whose values stay. */
interface Merged {
  survivor: Json;
  duplicate: Json;
  choices: Readonly<Record<string, FieldChoice>>;
}

const isUnited = (value: unknown, { storage }: WrittenField) => Array.isArray(value) || storage === 'pairs';

function issueOf(name: string, choice: FieldChoice, field: WrittenField | undefined, value: unknown) {
  const pointer = pointerTo(['fields', name]);
  if (field === undefined) {
    const readOnly = readOnlyFields.get(name);
    return readOnly === undefined
      ? { pointer, code: 'unknown_field', detail: 'is no field of the record' }
      : { pointer, code: 'read_only', detail: readOnly };
  }
  if (choice === 'both' && !isUnited(value, field))
    return { pointer, code: 'not_allowed', detail: 'is no list, so only one of both values can stay' };
  return undefined;
}

/** Throws `validation_failed` for a choice of a field that there is not, or that cannot have both values. */
export function checkChoices({ fields }: Pick<Definition, 'fields'>, { survivor, choices }: Merged): void {
  const written = new Map(writtenFields(fields));
  const errors = Object.entries(choices).flatMap(
    ([name, choice]) => issueOf(name, choice, written.get(name), survivor[name]) ?? [],
  );
  const [first, ...others] = errors;
  if (first !== undefined) throw invalidInput(first, ...others);
}

/** The key that tells an item of a list from others. */
function identityOf({ references, compared }: Definition, name: string, item: unknown): string {
  const field = references[columnOf(name)]?.items?.field;
  if (field !== undefined) return String((item as Json)[field]);
  if (name !== compared.licenses) return JSON.stringify(item);
  return licenseKey(item as { number: string; region: string | null });
}

/** The items of both lists, those of the first as they are; or the pairs of both. */
function unite(definition: Definition, name: string, [one, other]: readonly [unknown, unknown]): unknown {
  if (!Array.isArray(one) || !Array.isArray(other))
    return { ...(other as object | null), ...(one as object | null) };
  const known = new Set(one.map((item) => identityOf(definition, name, item)));
  return [...one, ...other.filter((item) => !known.has(identityOf(definition, name, item)))];
}

function chooseValue(definition: Definition, [name, field]: [string, WrittenField], merged: Merged): unknown {
  const { survivor, duplicate, choices } = merged;
  const [one, other] = [survivor[name], duplicate[name]];
  const choice = choices[name] ?? (isUnited(one, field) ? 'both' : isEmpty(one) ? 'duplicate' : 'survivor');
  // A reference that would be to the record itself stays as it is.
  if (choice === 'duplicate')
    return definition.references[columnOf(name)] !== undefined && other === survivor.id ? one : other;
  return choice === 'both' ? unite(definition, name, [one, other]) : one;
}

/** A list of references without those to the office that the record is in. */
function withoutParent(
  { references, parent }: Definition,
  name: string,
  value: unknown,
  wanted: Json,
): unknown {
  const items = references[columnOf(name)]?.items;
  if (items === undefined || !Array.isArray(value)) return value;
  return value.filter((item: Json) => item[items.field] !== wanted[parent.field]);
}

/**
 * The merge patch (RFC 7396) that makes a survivor what it is after a merge; empty if it is that already. A field that follows from
 * others stays as it is unless it is chosen.
 *
 * Throws `validation_failed` for a value of the duplicate that is no longer valid.
 */
export function mergePatch(definition: Definition, merged: Merged): Record<string, unknown> {
  const { survivor, choices } = merged;
  const written = writtenFields(definition.fields).filter(
    ([name]) => choices[name] !== undefined || !(columnOf(name) in (definition.computed ?? {})),
  );
  const values = Object.fromEntries(
    written.map((entry) => [entry[0], chooseValue(definition, entry, merged)]),
  );
  const wanted = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, withoutParent(definition, name, value, values)]),
  );
  const patch = patchTo(survivor, { ...survivor, ...wanted }, Object.keys(wanted));
  return parsePatch(new Map(written), patch, (name) => {
    const detail = 'has a value in the duplicate that is no longer valid';
    const errors = [{ pointer: `#/fields/${name}`, code: 'invalid_value', detail }];
    return new RosterError('validation_failed', `${name} ${detail}.`, { errors });
  });
}
