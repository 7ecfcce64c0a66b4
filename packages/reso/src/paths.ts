import { RosterError } from '@roster/api';
import { type ResoCall, rejectOptionsBut } from './call/call.ts';
import type { ResoResponse } from './protocol/service.ts';
import type { EntitySet } from './sets.ts';

type Handler = (call: ResoCall) => Promise<ResoResponse>;

export interface Place {
  set?: EntitySet;
  isMetadata?: boolean;
  handlers: Readonly<{ GET: Handler } & Record<string, Handler>>;
}

/** A set, a key (a quoted text or a number, optionally with its name), and the rest. */
const pattern =
  /^\/([A-Za-z]+)(?:\((?:([A-Za-z]+)=)?(?:'([^']*(?:''[^']*)*)'|(\d{1,16}))\))?(?:\/(\$?[A-Za-z]+))?$/;

/** OData URL conventions, section 4. The path is percent-encoded. Undefined if nothing is there. */
export function findPlace(path: string, sets: readonly EntitySet[]): Place | undefined {
  const text = decoded(path);
  if (text === '' || text === '/') return { handlers: { GET: async (call) => serviceDocument(call, sets) } };
  if (text === '/$metadata') return { isMetadata: true, handlers: { GET: servedElsewhere } };
  const [, name = '', keyName, quoted, number, tail] = pattern.exec(text ?? '') ?? [];
  const set = sets.find((one) => one.name === name);
  if (set === undefined || (keyName !== undefined && keyName !== set.key)) return undefined;
  const key = set.isNumbered ? number : quoted?.replaceAll("''", "'");
  if (quoted === undefined && number === undefined) return placeOfSet(set, tail);
  return key === undefined ? undefined : placeOfEntity(set, key, tail);
}

function placeOfSet(set: EntitySet, tail: string | undefined): Place | undefined {
  if (tail === '$count') return { set, handlers: { GET: (call) => count(call, set) } };
  if (tail !== undefined) return undefined;
  return { set, handlers: { GET: set.read, ...(set.write && { POST: set.write.create }) } };
}

function placeOfEntity(set: EntitySet, key: string, tail: string | undefined): Place | undefined {
  const { write, readNavigation } = set;
  if (tail === undefined) {
    const read: Handler = (call) => set.readEntity(call, key);
    const writes: Record<string, Handler> | undefined = write && {
      PATCH: (call) => write.update(call, key),
      DELETE: (call) => write.delete(call, key),
    };
    return { set, handlers: { ...writes, GET: read } };
  }
  if (tail.startsWith('$')) return undefined;
  const navigate: Handler = async (call) => {
    if (readNavigation === undefined) throw new RosterError('no_such_route');
    return readNavigation(call, { key, property: tail });
  };
  return { set, handlers: { GET: navigate } };
}

/** As text (OData URL conventions, section 4.8). */
async function count(call: ResoCall, set: EntitySet): Promise<ResoResponse> {
  rejectOptionsBut('filter', call, 'a count');
  return { body: String(await set.count(call)), type: 'text/plain; charset=utf-8' };
}

/** OData JSON format, section 5. */
function serviceDocument(call: ResoCall, sets: readonly EntitySet[]): ResoResponse {
  rejectOptionsBut('format', call, 'the list of sets');
  const value = sets.map(({ name }) => ({ name, kind: 'EntitySet', url: name }));
  return { body: { '@odata.context': `${call.request.root}/$metadata`, value } };
}

const servedElsewhere: Handler = async () => {
  throw new Error('the metadata document is no response to a call');
};

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
