import { RosterError } from '@roster/api';
import { CachedDocument } from '../http/cached-document.ts';
import { JSON_TYPE, type ResoAnswer, type ResoCall } from './call.ts';
import { checkEntityOptions, readEntity, readNavigation } from './entities.ts';
import { countEvents, readEvent, readEvents } from './entity-events.ts';
import { optionError } from './errors.ts';
import { countMemorySet, readMemoryEntity, readMemorySet } from './memory-set.ts';
import { metadataXml } from './metadata.ts';
import type { ResourcePath, SetName } from './paths.ts';
import { isRecordSet, setNames } from './paths.ts';
import { countSet, readSet } from './read-records.ts';
import { resources } from './resources.ts';
import { fieldSet, lookupSet } from './static-sets.ts';
import { createEntity, deleteEntity, updateEntity } from './write-records.ts';

const memorySets = { Lookup: lookupSet, Field: fieldSet };

/** The metadata document, which is the same for every caller. */
export const metadata = new CachedDocument(metadataXml, 'application/xml; charset=utf-8');

/** Answers a request for anything but the metadata. */
export function answerCall(call: ResoCall, path: ResourcePath): Promise<ResoAnswer> | ResoAnswer {
  checkFormat(call);
  const { method } = call.request;
  if (method === 'GET' || method === 'HEAD') return read(call, path);
  if ('set' in path && isRecordSet(path.set)) {
    const resource = resources[path.set];
    if (method === 'POST' && path.kind === 'set') return createEntity(call, resource);
    if (method === 'PATCH' && path.kind === 'entity') return updateEntity(call, resource, path.key);
    if (method === 'DELETE' && path.kind === 'entity') return deleteEntity(call, resource, path.key);
  }
  call.reply.header('Allow', allowed(path));
  throw new RosterError('method_not_allowed', `${method} is not a method of this path.`);
}

/** The methods of a path. */
function allowed(path: ResourcePath): string {
  const isWritten = 'set' in path && isRecordSet(path.set);
  if (isWritten && path.kind === 'set') return 'GET, HEAD, OPTIONS, POST';
  return isWritten && path.kind === 'entity' ? 'DELETE, GET, HEAD, OPTIONS, PATCH' : 'GET, HEAD, OPTIONS';
}

function read(call: ResoCall, path: ResourcePath): Promise<ResoAnswer> | ResoAnswer {
  switch (path.kind) {
    case 'service':
      return serviceDocument(call);
    case 'set':
      return readOf(call, path.set);
    case 'count':
      return count(call, path.set);
    case 'entity':
      return entity(call, path.set, path.key);
    case 'navigation':
      if (isRecordSet(path.set)) return readNavigation(call, resources[path.set], path);
      throw new RosterError('no_such_route');
    case 'metadata':
      throw new Error('the metadata document is sent as it is');
  }
}

function readOf(call: ResoCall, set: SetName): Promise<ResoAnswer> | ResoAnswer {
  if (isRecordSet(set)) return readSet(call, resources[set]);
  return set === 'EntityEvent' ? readEvents(call) : readMemorySet(call, memorySets[set]);
}

function count(call: ResoCall, set: SetName): Promise<ResoAnswer> | ResoAnswer {
  const others = Object.entries(call.options).find(([name]) => name !== 'filter');
  if (others !== undefined)
    throw optionError(`$${others[0].toLowerCase()}`, 'not_allowed', 'is not an option of a count');
  if (isRecordSet(set)) return countSet(call, resources[set]);
  if (set === 'EntityEvent') return countEvents(call);
  return countMemorySet(call, memorySets[set]);
}

function entity(call: ResoCall, set: SetName, key: string): Promise<ResoAnswer> | ResoAnswer {
  if (isRecordSet(set)) return readEntity(call, resources[set], key);
  checkEntityOptions(call);
  if (call.options.expand !== undefined)
    throw optionError('$expand', 'not_supported', `is not an option of ${set}`);
  return set === 'EntityEvent' ? readEvent(call, key) : readMemoryEntity(call, memorySets[set], key);
}

/** The sets that there are (OData JSON format, section 5). */
function serviceDocument({ root }: ResoCall): ResoAnswer {
  const value = setNames.map((name) => ({ name, kind: 'EntitySet', url: name }));
  return { body: { '@odata.context': `${root}/$metadata`, value }, type: JSON_TYPE };
}

function checkFormat({ options: { format } }: ResoCall): void {
  if (format === undefined || /^(?:json|application\/json(?:\s*;.*)?)$/i.test(format)) return;
  throw optionError('$format', 'not_supported', 'must be json');
}
