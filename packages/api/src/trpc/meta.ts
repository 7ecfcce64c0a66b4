import type { ErrorCode } from '../errors/error-codes.ts';
import type { Scope } from '../identity/access/scopes.ts';

/** A request that makes a part of what an operation is tried on. */
export interface ExampleRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Its body: JSON, or the text of a file of CSV. */
  body?: Record<string, unknown> | string;
  /** The JSON pointer of what its response must have: it is repeated until then. */
  until?: string;
}

/**
 * The requests, one after the other, that make what an operation is tried on, so that no record in use is changed. In a text of theirs
 * `{2/id}` is what the second answered at the JSON pointer `/id`. `{email}` and `{phone}` are those of nobody, another one at each try,
 * `{inAnHour}` a time, `{key}` the key of the caller.
 */
export interface OperationExample {
  requests: readonly ExampleRequest[];
  /** The values of parameters of the path; `{1/id}` for `id` unless given. */
  path?: Record<string, string>;
  /** The values of fields of the body. */
  body?: Record<string, string>;
}

/**
 * The metadata of a procedure, from which the REST routes and the OpenAPI document are made. It is part of the router's type,
 * so it uses no type of trpc-to-openapi, which a client's compiler would have to read.
 */
export interface Meta extends Record<string, unknown> {
  openapi?: {
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
    /** With `{name}` for a parameter. */
    path: `/${string}`;
    tags: string[];
    summary: string;
    description: string;
    /** The media types of the body; application/json unless given. */
    contentTypes?: string[];
  };
  /** The REST path of a subscription, as server-sent events, which trpc-to-openapi does not support. */
  stream?: { path: `/${string}`; tags: string[]; summary: string; description: string };
  /** The status of a success; 200 unless given. With 202 it is 200 if the response has no id: nothing was accepted. */
  status?: 201 | 202 | 204;
  /** Whether the status is 207 if some records were rejected; the response counts them as `rejected`. */
  isPartial?: boolean;
  /** The media types of the file that is its body in REST, where the rest of the input is in the query. */
  fileTypes?: readonly string[];
  /** The maximum size of the body, if it is not the one of all operations. */
  bodyMaxBytes?: number;
  /** The scope that the key of the caller needs. */
  scope?: Scope;
  /** Whether every caller may call it, without a scope: then it has none, and decides itself what it shows to whom. */
  isForEveryCaller?: boolean;
  /** Other scopes, each of which will do as well, of a procedure for records of all resources. */
  orScopes?: readonly Scope[];
  /** Whether people need the role of a manager, or a higher one, for it. */
  isManaged?: boolean;
  /** Whether it heeds the offices that a caller is limited to; else such a caller is rejected. */
  isLimited?: boolean;
  /** Whether the response has a secret, which is not stored. */
  isSecret?: boolean;
  /**
   * The records that it is tried on, or the reason why none can be made. Those of the operation which creates a record are for all
   * operations on one that name no others.
   */
  example?: OperationExample | { reason: string };
  /** The error codes of this operation, beside those that all operations share and those that follow from its method, path and schemas. */
  errors?: ErrorCode[];
}

type OpenApi = NonNullable<Meta['openapi']>;

/** A method and a path, with `{name}` for a parameter: `GET /keys/{id}`. */
type Route = `${OpenApi['method']} ${OpenApi['path']}`;

/** The texts of an operation, and the rest of its metadata. */
type Description = Pick<OpenApi, 'summary' | 'description'> & Omit<Meta, 'openapi' | 'stream'>;

/** The media types of a PATCH, of which the first is that of JSON Merge Patch (RFC 7396). */
const patchTypes = ['application/merge-patch+json', 'application/json'];

/**
 * Returns what makes the metadata of an operation with this tag. It names the errors that the operation has besides those that follow
 * from its method, its path and its schemas (`openapi/operations.ts`).
 */
export function operationsOf(tag: string) {
  return (route: Route, { summary, description, ...meta }: Description): Meta => {
    const [method, path] = route.split(' ') as [OpenApi['method'], OpenApi['path']];
    const openapi = { method, path, tags: [tag], summary, description };
    return { ...meta, openapi: method === 'PATCH' ? { ...openapi, contentTypes: patchTypes } : openapi };
  };
}
