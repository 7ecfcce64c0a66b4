import { RecordEventType, type Scope } from '@roster/api';
import type { RecordQuery } from '@roster/api/query';
import type { Lookup, OpenLookup } from './lookups.ts';

/** A navigation property of an entity set. */
export interface Navigation {
  name: string;
  /** The name of the entity set that it leads to. */
  target: string;
  /** The path that has the id: of the record itself or, if it leads to many, of the target. */
  path: string;
  isCollection: boolean;
}

/** A resource of the API, or the items of a list in its records, as an entity set: all that the Web API knows of this one resource. */
export interface ResourceDefinition {
  /** The name of the entity set and of its type. */
  name: string;
  /** The name in the API, with which the names of its procedures begin if it is changed. */
  resource: RecordQuery['resource'];
  /** The field that is the key, which is the id. */
  key: string;
  /** The field of the status, which only deactivate and reactivate change; undefined for a set that is read only. */
  status: string | undefined;
  scopes: { read: Scope; write: Scope | undefined };
  /** The names of the Data Dictionary, in the order in which fields are shown, and their paths in a record. */
  names: Readonly<Record<string, string>>;
  eventTypes: readonly RecordEventType[];
  /** The names of the times of which the Data Dictionary has the day. */
  days: readonly string[];
  /** The lookups of the fields whose values Roster knows. */
  lookups: Readonly<Record<string, Lookup>>;
  /** The lookups of the fields that are free texts. */
  openLookups: Readonly<Record<string, OpenLookup>>;
  navigation: readonly Navigation[];
}

/** The types of the events whose names begin with that of a record, such as `office`. */
export function eventTypesOf(record: string): RecordEventType[] {
  return RecordEventType.options.filter((type) => type.startsWith(`${record}.`));
}

/** A navigation property that leads to one record, or to none. */
export function toOne(name: string, target: string, path: string): Navigation {
  return { name, target, path, isCollection: false };
}

/** A navigation property that leads to the records that name this one. */
export function toMany(name: string, target: string, path: string): Navigation {
  return { name, target, path, isCollection: true };
}
