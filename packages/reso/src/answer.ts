import { RosterError } from '@roster/api';
import type { ResoCall } from './call/call.ts';
import { checkCountOptions } from './call/options.ts';
import type { ResourcePath } from './paths.ts';
import type { ResoAnswer } from './protocol/service.ts';
import type { EntitySet } from './sets.ts';

type Handler = (call: ResoCall) => Promise<ResoAnswer> | ResoAnswer;

/** The handlers of a path, by its methods. */
export function handlersOf(path: ResourcePath, sets: readonly EntitySet[]): ReadonlyMap<string, Handler> {
  const read: Handler = (call) => readPath(call, path, sets);
  const handlers = new Map([
    ['GET', read],
    ['HEAD', read],
  ]);
  const write = 'set' in path ? path.set.write : undefined;
  if (path.kind === 'set' && write !== undefined) handlers.set('POST', write.create);
  if (path.kind === 'entity' && write !== undefined) {
    handlers.set('PATCH', (call) => write.update(call, path.key));
    handlers.set('DELETE', (call) => write.delete(call, path.key));
  }
  return handlers;
}

function readPath(
  call: ResoCall,
  path: ResourcePath,
  sets: readonly EntitySet[],
): Promise<ResoAnswer> | ResoAnswer {
  switch (path.kind) {
    case 'service':
      return serviceDocument(call, sets);
    case 'set':
      return path.set.read(call);
    case 'count':
      checkCountOptions(call);
      return path.set.count(call);
    case 'entity':
      return path.set.readEntity(call, path.key);
    case 'navigation':
      if (path.set.readNavigation === undefined) throw new RosterError('no_such_route');
      return path.set.readNavigation(call, path);
    case 'metadata':
      throw new Error('the metadata document is no answer to a call');
  }
}

/** The sets that there are (OData JSON format, section 5). */
function serviceDocument({ request }: ResoCall, sets: readonly EntitySet[]): ResoAnswer {
  const value = sets.map(({ name }) => ({ name, kind: 'EntitySet', url: name }));
  return { body: { '@odata.context': `${request.root}/$metadata`, value } };
}
