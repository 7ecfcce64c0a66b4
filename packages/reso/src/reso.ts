import { RosterError, type Scope } from '@roster/api';
import type { RecordQuery } from '@roster/api/query';
import { parseQueryOptions } from '@roster/odata';
import { checkSkip, parseSkipToken, type ResoCall } from './call/call.ts';
import { definitions } from './definitions/index.ts';
import { createResource, type FieldTypes, type ResoResource } from './fields/fields.ts';
import { checkMetadataOptions, metadataOf } from './metadata.ts';
import { findPlace, type Place } from './paths.ts';
import { parsing } from './protocol/errors.ts';
import { checkFormat } from './protocol/formats.ts';
import { parsePreferences } from './protocol/preferences.ts';
import type { ResoRequest, ResoResponse, Service } from './protocol/service.ts';
import { createSets } from './sets.ts';

export interface ResoOptions {
  fieldTypes: Readonly<Record<RecordQuery['resource'], FieldTypes>>;
}

/** OData 4.01 in JSON. */
export interface Reso {
  /** Takes a percent-encoded path under the service root; undefined if nothing is there. */
  find(path: string): ResoPlace | undefined;
  /** XML, the same for every caller. Throws `invalid_parameter` for unknown query options. */
  readMetadata(request: Pick<ResoRequest, 'query'>): string;
}

export interface ResoPlace {
  isMetadata: boolean;
  /** In alphabetical order. */
  methods: readonly string[];
  /** The methods and OPTIONS, for the header `Allow`. */
  allow: string;
  scopeFor(method: string): Scope | undefined;
  /** Rejects with a `RosterError`, such as `method_not_allowed`. */
  respond(request: ResoRequest, service: Service): Promise<ResoResponse>;
}

export function createReso({ fieldTypes }: ResoOptions): Reso {
  const resources = new Map(
    definitions.map((definition) => [
      definition.name,
      createResource(definition, fieldTypes[definition.resource]),
    ]),
  );
  const sets = createSets(resources);
  const metadata = metadataOf(sets);
  return {
    find: (path) => {
      const found = findPlace(path, sets);
      return found && placeOf(found, resources);
    },
    readMetadata: (request) => {
      checkMetadataOptions(request);
      return metadata;
    },
  };
}

type Resources = ReadonlyMap<string, ResoResource>;

function placeOf({ set, isMetadata = false, handlers }: Place, resources: Resources): ResoPlace {
  const methods = [...Object.keys(handlers), 'HEAD'].sort();
  const allow = [...methods, 'OPTIONS'].sort().join(', ');
  return {
    isMetadata,
    methods,
    allow,
    scopeFor: (method) => set?.scopes[method === 'GET' || method === 'HEAD' ? 'read' : 'write'],
    respond: async (request, service) => {
      const handle = handlers[request.method === 'HEAD' ? 'GET' : request.method];
      if (handle === undefined)
        throw new RosterError(
          'method_not_allowed',
          `${request.method} is not a method of this path, which has ${allow}.`,
        );
      const call = callOf(request, service, resources);
      checkFormat(call.options.format, request.headers);
      checkSkip(call);
      return handle(call);
    },
  };
}

/** Throws `invalid_parameter`. */
function callOf(request: ResoRequest, service: Service, resources: Resources): ResoCall {
  const { query, headers, method } = request;
  // A next link has the time of the first page, so that `now()` is the same on all.
  const now = parseSkipToken((query.$skiptoken ?? query.skiptoken)?.[0])?.now ?? new Date();
  const options = parsing(() => parseQueryOptions(query, { now }));
  return { request, service, resources, options, preferences: parsePreferences(headers, method), now };
}
