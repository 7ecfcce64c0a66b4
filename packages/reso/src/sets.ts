import type { Scope } from '@roster/api';
import type { ResoCall } from './call/call.ts';
import type { Navigation } from './definitions/definition.ts';
import {
  countEvents,
  EVENT_KEY,
  EVENT_SET,
  eventFields,
  readEvent,
  readEvents,
} from './events/entity-events.ts';
import { eventFilters } from './events/event-filter.ts';
import { isSortable, type ResoField, type ResoResource } from './fields/fields.ts';
import { countMemorySet, type MemorySet, readMemoryEntity, readMemorySet } from './memory/memory-set.ts';
import { createFieldSet, createLookupSet } from './memory/static-sets.ts';
import type { ResoResponse } from './protocol/service.ts';
import { readEntity, readNavigation } from './records/entities.ts';
import { countSet, readSet } from './records/read-records.ts';
import { createEntity, deleteEntity, updateEntity } from './records/write-records.ts';

export interface EntitySet {
  name: string;
  key: string;
  isNumbered: boolean;
  fields: readonly ResoField[];
  isSortable: (field: ResoField) => boolean;
  /** In terms of the capabilities vocabulary, if conditions are limited; then there are no functions. */
  filters?: Readonly<Record<string, 'SingleValue' | 'SingleRange'>>;
  scopes: { read: Scope | undefined; write: Scope | undefined };
  navigation: readonly Navigation[];
  read: (call: ResoCall) => Promise<ResoResponse>;
  count: (call: ResoCall) => Promise<number | undefined>;
  readEntity: (call: ResoCall, key: string) => Promise<ResoResponse>;
  readNavigation?: (call: ResoCall, place: { key: string; property: string }) => Promise<ResoResponse>;
  write?: {
    create: (call: ResoCall) => Promise<ResoResponse>;
    update: (call: ResoCall, key: string) => Promise<ResoResponse>;
    delete: (call: ResoCall, key: string) => Promise<ResoResponse>;
  };
}

/** A read-only set without navigation properties, with text keys, for every caller. */
const readOnly = {
  isNumbered: false,
  isSortable,
  scopes: { read: undefined, write: undefined },
  navigation: [],
};

function recordSet(resource: ResoResource): EntitySet {
  const { name, key, status, fields, scopes, navigation } = resource;
  return {
    ...readOnly,
    name,
    key,
    fields,
    scopes,
    navigation,
    read: (call) => readSet(call, resource),
    count: (call) => countSet(call, resource),
    readEntity: (call, id) => readEntity(call, resource, id),
    readNavigation: (call, place) => readNavigation(call, resource, place),
    ...(status !== undefined && {
      write: {
        create: (call) => createEntity(call, resource),
        update: (call, id) => updateEntity(call, resource, id),
        delete: (call, id) => deleteEntity(call, resource, id),
      },
    }),
  };
}

const eventSet: EntitySet = {
  ...readOnly,
  name: EVENT_SET,
  key: EVENT_KEY,
  isNumbered: true,
  fields: eventFields,
  isSortable: ({ name }) => name === EVENT_KEY,
  filters: eventFilters,
  scopes: { read: 'events:read', write: undefined },
  read: readEvents,
  count: countEvents,
  readEntity: readEvent,
};

function memorySet(set: MemorySet): EntitySet {
  return {
    ...readOnly,
    name: set.name,
    key: set.key,
    fields: set.fields,
    read: (call) => readMemorySet(call, set),
    count: (call) => countMemorySet(call, set),
    readEntity: (call, key) => readMemoryEntity(call, set, key),
  };
}

export function createSets(resources: ReadonlyMap<string, ResoResource>): readonly EntitySet[] {
  const records = [...resources.values()];
  const lookups = createLookupSet(records);
  const fields = createFieldSet([...records, eventSet, lookups]);
  return [...records.map(recordSet), eventSet, memorySet(lookups), memorySet(fields)];
}
