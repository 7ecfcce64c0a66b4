import { RosterError, type Scope } from '@roster/api';
import type { RecordQuery } from '@roster/api/query';
import { parseQueryOptions } from '@roster/odata';
import type { ResoCall } from './call/call.ts';
import { parseSkipToken } from './call/next-link.ts';
import { checkSkip } from './call/options.ts';
import { definitions } from './definitions/index.ts';
import { createResource, type FieldTypes, type ResoResource } from './fields/fields.ts';
import { checkMetadataOptions, metadataOf } from './metadata.ts';
import { findPlace, type Place } from './paths.ts';
import { parsing } from './protocol/errors.ts';
import { checkFormat } from './protocol/formats.ts';
import { parsePreferences } from './protocol/preferences.ts';
import type { ResoAnswer, ResoRequest, Service } from './protocol/service.ts';
import { createSets } from './sets.ts';

export interface ResoOptions {
  /** The fields of each resource of the API that conditions and orders may name. */
  fieldTypes: Readonly<Record<RecordQuery['resource'], FieldTypes>>;
}

/** The RESO Web API (OData 4.01, JSON). */
export interface Reso {
  /** Finds the place of a path under the service root, percent-encoded as in the URL; undefined if nothing is there. */
  find(path: string): ResoPlace | undefined;
  /** The metadata document, as XML: the same for every caller. Throws `invalid_parameter` for query options that it does not have. */
  readMetadata(request: Pick<ResoRequest, 'query'>): string;
}

/** The place that a path names. */
export interface ResoPlace {
  isMetadata: boolean;
  /** The methods that it has, in the order of the alphabet. */
  methods: readonly string[];
  /** These and OPTIONS, as the header `Allow` lists them. */
  allow: string;
  /** The scope that a request needs whatever else it says; undefined if every caller may make it. */
  scopeFor(method: string): Scope | undefined;
  /** Answers a request for it. Rejects with a `RosterError`: `method_not_allowed` for a method that it does not have. */
  answer(request: ResoRequest, service: Service): Promise<ResoAnswer>;
}

/** Creates the RESO Web API of a service with the resources of the API. */
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
    answer: async (request, service) => {
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

/** Reads the options and preferences of a request. Throws `invalid_parameter`. */
function callOf(request: ResoRequest, service: Service, resources: Resources): ResoCall {
  const { query, headers, method } = request;
  // A link to a next page has the time of the first: `now()` is the same for all pages.
  const now = parseSkipToken((query.$skiptoken ?? query.skiptoken)?.[0])?.now ?? new Date();
  const options = parsing(() => parseQueryOptions(query, { now }));
  return { request, service, resources, options, preferences: parsePreferences(headers, method), now };
}
