import { RecordEventType, type Scope } from '@roster/api';
import type { RecordQuery } from '@roster/api/query';
import type { Lookup, OpenLookup } from './lookups.ts';

export interface Navigation {
  name: string;
  target: string;
  /** The path with the ID: of the record or, for a collection, of the target. */
  path: string;
  isCollection: boolean;
}

/** A resource, or list items in its records, as an entity set: everything specific to it. */
export interface ResourceDefinition {
  name: string;
  /** The name in the API, and the prefix of its procedures. */
  resource: RecordQuery['resource'];
  key: string;
  /** Changed only by deactivate and reactivate; undefined for a read-only set. */
  status: string | undefined;
  scopes: { read: Scope; write: Scope | undefined };
  /** Data Dictionary names in display order, and their paths in a record. */
  names: Readonly<Record<string, string>>;
  eventTypes: readonly RecordEventType[];
  /** Times that are days in the Data Dictionary. */
  days: readonly string[];
  lookups: Readonly<Record<string, Lookup>>;
  openLookups: Readonly<Record<string, OpenLookup>>;
  navigation: readonly Navigation[];
}

export function eventTypesOf(record: string): RecordEventType[] {
  return RecordEventType.options.filter((type) => type.startsWith(`${record}.`));
}

/** Leads to one record or none. */
export function toOne(name: string, target: string, path: string): Navigation {
  return { name, target, path, isCollection: false };
}

/** Leads to the records that refer to this one. */
export function toMany(name: string, target: string, path: string): Navigation {
  return { name, target, path, isCollection: true };
}
