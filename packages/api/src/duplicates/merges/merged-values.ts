import type { DirectoryResource } from '../../directory/registry.ts';
import { columnOf, hasParts } from '../../engine/fields/columns.ts';
import type { WrittenField } from '../../engine/fields/field.ts';
import { writtenFields } from '../../engine/fields/shapes.ts';
import { isSameLicense, licenseKey } from '../../engine/sameness/keys.ts';
import { pointerTo } from '../../errors/describe-issue.ts';
import { readOnlyFields } from '../../errors/issue-text.ts';
import { invalidInput, RosterError } from '../../errors/roster-error.ts';
import { isEmpty, type Json, parsePatch, patchTo } from '../../records/field-changes.ts';
import { comparedFields } from '../compared.ts';
import type { FieldChoice } from './schemas.ts';

type Definition = Pick<DirectoryResource, 'name' | 'fields' | 'computed' | 'references' | 'parent'>;

interface Merged {
  survivor: Json;
  duplicate: Json;
  choices: Readonly<Record<string, FieldChoice>>;
}

/** Lists and pairs are united, an object is filled part by part. */
function isUnited(value: unknown, { storage }: WrittenField): boolean {
  if (hasParts(storage)) return storage.isOneValue !== true;
  return Array.isArray(value) || storage === 'pairs';
}

function issueOf(name: string, choice: FieldChoice, field: WrittenField | undefined, value: unknown) {
  const pointer = pointerTo(['fields', name]);
  if (field === undefined) {
    const readOnly = readOnlyFields.get(name);
    return readOnly === undefined
      ? { pointer, code: 'unknown_field', detail: 'is not a field of the record' }
      : { pointer, code: 'read_only', detail: readOnly };
  }
  if (choice === 'both' && !isUnited(value, field))
    return { pointer, code: 'not_allowed', detail: 'can keep only one of both values' };
  return undefined;
}

/** Throws `validation_failed` for an unknown field, or for `both` where only one value can stay. */
export function checkChoices({ fields }: Pick<Definition, 'fields'>, { survivor, choices }: Merged): void {
  const written = new Map(writtenFields(fields));
  const errors = Object.entries(choices).flatMap(
    ([name, choice]) => issueOf(name, choice, written.get(name), survivor[name]) ?? [],
  );
  const [first, ...others] = errors;
  if (first !== undefined) throw invalidInput(first, ...others);
}

type License = Parameters<typeof licenseKey>[0];

function identityOf({ name: resource, references }: Definition, name: string, item: unknown): string {
  const field = references[columnOf(name)]?.items?.field;
  if (field !== undefined) return String((item as Json)[field]);
  if (name !== comparedFields[resource].licenses) return JSON.stringify(item);
  return licenseKey(item as License);
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function filled(one: Json, other: Json): Json {
  return { ...one, ...Object.fromEntries(Object.entries(other).filter(([part]) => isEmpty(one[part]))) };
}

/**
 * Keeps an empty last day, which means a current membership. One with a last day gets no first day, which
 * could be later.
 */
function filledItem(one: Json, { until: _, since, ...other }: Json): Json {
  return filled(one, since !== undefined && isEmpty(one.until) ? { ...other, since } : other);
}

/** The later of two last days of one licence, which was renewed. */
function renewed(one: Json, other: Json): Json {
  const days = [one.expiresOn, other.expiresOn].filter((day) => typeof day === 'string').sort();
  return { ...filledItem(one, other), expiresOn: days.at(-1) ?? null };
}

const comparable = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value);

/** Whether two objects differ in a part they share: then one can't fill the other. */
function contradict(one: Json, other: Json): boolean {
  return Object.entries(one).some(
    ([part, value]) =>
      !isEmpty(value) && !isEmpty(other[part]) && comparable(value) !== comparable(other[part]),
  );
}

function sameItems(
  definition: Definition,
  name: string,
  [item, items]: readonly [unknown, unknown[]],
): unknown[] {
  const identity = identityOf(definition, name, item);
  const equal = items.filter((other) => identityOf(definition, name, other) === identity);
  if (equal.length > 0 || name !== comparedFields[definition.name].licenses) return equal;
  const possible = items.filter((other) => isSameLicense(item as License, other as License));
  return possible.length === 1 ? possible : [];
}

function uniteLists(
  definition: Definition,
  name: string,
  [one, other]: readonly [unknown[], unknown[]],
): unknown[] {
  const left = new Set(other);
  const unitedItem = name === comparedFields[definition.name].licenses ? renewed : filledItem;
  const united = one.map((item) => {
    const same = sameItems(definition, name, [item, [...left]]);
    for (const found of same) left.delete(found);
    return isObject(item) ? same.filter(isObject).reduce(unitedItem, item) : item;
  });
  return [...united, ...left];
}

function unite(definition: Definition, name: string, [one, other]: readonly [unknown, unknown]): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return uniteLists(definition, name, [one, other]);
  if (!isObject(one) || !isObject(other)) return isEmpty(one) ? other : one;
  return filled(one, other);
}

/** Both if they can be united without contradiction. */
function defaultChoice([one, other]: readonly [unknown, unknown], field: WrittenField): FieldChoice {
  if (isEmpty(one)) return 'duplicate';
  if (!isUnited(one, field)) return 'survivor';
  const isContradiction =
    hasParts(field.storage) && isObject(one) && isObject(other) && contradict(one, other);
  return isContradiction ? 'survivor' : 'both';
}

/** Whether the field is the extension of a phone number that the survivor replaces. */
function isOfOtherTelephone(
  { fields }: Definition,
  name: string,
  merged: Merged,
  side: 'survivor' | 'duplicate',
): boolean {
  const telephone = name.replace(/Ext$/, '');
  if (telephone === name || fields[telephone]?.isTelephone !== true) return false;
  const { survivor, duplicate, choices } = merged;
  const stays = choices[telephone] ?? (isEmpty(survivor[telephone]) ? 'duplicate' : 'survivor');
  const number = stays === 'duplicate' ? duplicate[telephone] : survivor[telephone];
  return number !== merged[side][telephone];
}

function chooseValue(definition: Definition, [name, field]: [string, WrittenField], merged: Merged): unknown {
  const { survivor, choices } = merged;
  const valueIn = (side: 'survivor' | 'duplicate') =>
    choices[name] === undefined && isOfOtherTelephone(definition, name, merged, side)
      ? null
      : merged[side][name];
  const [one, other] = [valueIn('survivor'), valueIn('duplicate')];
  const choice = choices[name] ?? defaultChoice([one, other], field);
  // A reference to the record itself stays as it is.
  if (choice === 'duplicate')
    return definition.references[columnOf(name)] !== undefined && other === survivor.id ? one : other;
  return choice === 'both' ? unite(definition, name, [one, other]) : one;
}

function withoutParent(
  { references, parent }: Definition,
  name: string,
  value: unknown,
  wanted: Json,
): unknown {
  const items = references[columnOf(name)]?.items;
  if (items === undefined || parent === undefined || !Array.isArray(value)) return value;
  return value.filter((item: Json) => item[items.field] !== wanted[parent.field]);
}

/**
 * The merge patch (RFC 7396) that gives a survivor its merged values; empty if nothing changes. Derived
 * fields stay unless chosen. Throws `validation_failed` for a value of the duplicate that is no longer valid.
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
