import type { ResourceName } from '@roster/client';
import { agents } from './agents/importable.ts';
import type { ImportableProperties } from './importable-properties.ts';
import { offices } from './offices/importable.ts';

/** A field that a new record may have, as the contract of the service describes it. */
export interface ImportField {
  /** `['address', 'city']` */
  path: readonly string[];
  /** What it holds: `list`, `records`, `map` or `object` are not plain text. */
  kind: string;
  choices?: readonly string[] | undefined;
  description: string;
}

/** A resource as an import reads it. */
export interface Importable extends ImportableProperties {
  /** The fields of a new record, each part of an object after it. */
  fields: readonly ImportField[];
}

/** How each resource is imported. */
const properties: Readonly<Record<ResourceName, ImportableProperties>> = { offices, agents };

/** The names of the resources that can be imported. */
export const importableNames = Object.keys(properties) as ResourceName[];

/**
 * Returns a resource as an import reads it.
 *
 * @param fields the fields of a new record, from the contract of the service
 */
export function createImportable(name: ResourceName, fields: readonly ImportField[]): Importable {
  return { ...properties[name], fields };
}
