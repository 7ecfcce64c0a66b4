import { type FieldError, RosterError } from '@roster/api';
import { findOwn } from '../definitions/lookups.ts';
import type { ResoField, ResoResource } from '../fields/fields.ts';

export interface WriteInput {
  values: Map<string, unknown>;
  status?: string;
}

/**
 * Ignores control information and computed properties (OData, part 1, section 11.4.3). Throws
 * `validation_failed`.
 */
export function writeInputOf(body: unknown, resource: ResoResource): WriteInput {
  const { byName, status: statusField } = resource;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid([{ parameter: '', code: 'invalid_type', detail: 'must be a JSON object' }]);
  const errors: FieldError[] = [];
  const input: WriteInput = { values: new Map() };
  for (const [name, value] of Object.entries(body)) {
    const field = byName.get(name);
    if (field === undefined) {
      const error = unknownMember(name, resource);
      if (error !== undefined) errors.push(error);
      continue;
    }
    if (!field.isWritable) continue;
    const own = ownValue(field, value);
    if (own === undefined) {
      const words = field.lookup?.values.map(({ standard }) => standard).join(', ');
      errors.push({ parameter: name, code: 'invalid_value', detail: `must be one of ${words}` });
    } else if (name === statusField) input.status = String(own);
    else input.values.set(field.path, own);
  }
  if (errors.length > 0) throw invalid(errors);
  return input;
}

/** Undefined if the lookup lacks the value. */
function ownValue({ lookup, isNullable }: ResoField, value: unknown): unknown {
  if (lookup?.isConverted !== true || (value === null && isNullable)) return value;
  return findOwn(lookup, value);
}

function invalid(errors: FieldError[]): RosterError {
  const [first] = errors;
  return new RosterError('validation_failed', `${first?.parameter || 'The body'} ${first?.detail}.`, {
    errors,
  });
}

/** A change of the first licence keeps the others of `current`, because a list is written as a whole. */
export function nestedInput(
  values: ReadonlyMap<string, unknown>,
  current?: Record<string, unknown>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [path, value] of values) {
    const [outer = '', inner] = path.split('.');
    if (outer === 'licenses[0]') continue;
    if (inner === undefined) input[outer] = value;
    else input[outer] = { ...(input[outer] as object | undefined), [inner]: value };
  }
  const licenses = licensesOf(values, current);
  return licenses === undefined ? input : { ...input, licenses };
}

const LICENSE = 'licenses[0].';

export function changesLicense(values: ReadonlyMap<string, unknown>): boolean {
  return [...values.keys()].some((path) => path.startsWith(LICENSE));
}

function licensesOf(
  values: ReadonlyMap<string, unknown>,
  current?: Record<string, unknown>,
): unknown[] | undefined {
  const parts = [...values].filter(([path]) => path.startsWith(LICENSE));
  if (parts.length === 0) return undefined;
  const [first, ...others] = Array.isArray(current?.licenses) ? current.licenses : [];
  const changes = Object.fromEntries(parts.map(([path, value]) => [path.slice(LICENSE.length), value]));
  const merged: Record<string, unknown> = { ...first, ...changes };
  const isEmpty = Object.values(merged).every((value) => value === null);
  return isEmpty ? others : [merged, ...others];
}

/** OData 4.01 JSON format, section 4.6. `@odata.bind`, `@odata.removed` and `@odata.delta` have effects. */
const described = new Set([
  'associationLink',
  'context',
  'count',
  'deltaLink',
  'editLink',
  'etag',
  'id',
  'mediaContentType',
  'mediaEditLink',
  'mediaEtag',
  'mediaReadLink',
  'metadataEtag',
  'navigationLink',
  'nextLink',
  'readLink',
  'type',
]);

/** Allows control information, so that clients can send back what they read. */
function unknownMember(name: string, resource: ResoResource): FieldError | undefined {
  const [, property = '', word = ''] = /^([^@]*)@(?:odata\.)?([^@]*)$/.exec(name) ?? [];
  const navigation = resource.navigation.find((one) => one.name === (property || name));
  const isKnown = property === '' || navigation !== undefined || resource.byName.has(property);
  if (isKnown && described.has(word)) return undefined;
  const parameter = name.slice(0, 100);
  if (navigation === undefined) return { parameter, code: 'unknown_field', detail: 'is not a field' };
  const key = resource.fields.find(({ path }) => path === navigation.path)?.name;
  const detail =
    key === undefined || navigation.isCollection
      ? 'is not changed here, but with the entities that it leads to'
      : `cannot be bound: ${key} takes the key of ${navigation.target}`;
  return { parameter, code: 'not_supported', detail };
}
