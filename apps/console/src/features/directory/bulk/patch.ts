import type { ResourceName } from '../../../api/contract/contracts.ts';
import { contracts } from '../../../api/contract/contracts.ts';
import type { FieldContract } from '../../../api/contract/types.ts';

/** A field, or a part of one, that a bulk change can set: `phone`, `address.city`. */
export interface PatchField {
  path: string;
  field: FieldContract;
}

export interface PatchEntry {
  path: string;
  /** As it is typed or chosen; a list is separated by commas. */
  value: string;
  label?: string;
  isCleared: boolean;
}

/** Lists the fields that a bulk change of a resource can set. Lists of licences and the like are of one record alone. */
export function patchFields(resource: ResourceName): PatchField[] {
  return contracts[resource].fields.flatMap((field): PatchField[] => {
    if (field.kind === 'records' || field.kind === 'map') return [];
    if (field.kind !== 'object') return [{ path: field.name, field }];
    // A source is the key of one record.
    if (field.name === 'source') return [];
    return (field.parts ?? []).map((part) => ({ path: `${field.name}.${part.name}`, field: part }));
  });
}

function patchValue({ field }: PatchField, { value, isCleared }: PatchEntry): unknown {
  if (isCleared) return field.kind === 'list' ? [] : null;
  if (field.kind === 'switch') return value === 'true';
  if (field.kind !== 'list') return value.trim();
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export const isComplete = ({ value, isCleared }: PatchEntry): boolean => isCleared || value.trim() !== '';

/** The merge patch of some entries (RFC 7396): null clears, parts of an object stand in it. */
export function patchOf(resource: ResourceName, entries: readonly PatchEntry[]): Record<string, unknown> {
  const fields = new Map(patchFields(resource).map((field) => [field.path, field]));
  const patch: Record<string, unknown> = {};
  for (const entry of entries) {
    const field = fields.get(entry.path);
    if (field === undefined) throw new Error(`${resource} have no field ${entry.path} to change`);
    const [name = '', part] = entry.path.split('.');
    const value = patchValue(field, entry);
    patch[name] = part === undefined ? value : { ...Object(patch[name]), [part]: value };
  }
  return patch;
}
