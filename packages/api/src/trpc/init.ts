import { initTRPC } from '@trpc/server';
import type { Scope } from '../access/scopes.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { ErrorShape } from '../errors/roster-error.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import type { Context } from './context.ts';

export interface ExampleRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: Record<string, unknown> | string;
  /** Repeats the request until its response has this JSON pointer. */
  until?: string;
}

/**
 * Requests that prepare an example, so that it changes no real record. In their texts `{2/id}` is `/id` in
 * the second response; `{email}` and `{phone}` are unused and new each time, `{inAnHour}` is a time, `{key}`
 * the caller's key.
 */
export interface OperationExample {
  requests: readonly ExampleRequest[];
  /** Path parameters. `id` defaults to `{1/id}`. */
  path?: Record<string, string>;
  body?: Record<string, string>;
}

/** Uses no type of trpc-to-openapi, because clients compile it as part of the router's type. */
export interface Meta extends Record<string, unknown> {
  openapi?: {
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
    path: `/${string}`;
    tags: string[];
    summary: string;
    description: string;
    /** Defaults to application/json. */
    contentTypes?: string[];
  };
  /** The REST path of a subscription, as server-sent events, which trpc-to-openapi does not support. */
  stream?: { path: `/${string}`; tags: string[]; summary: string; description: string };
  /** Defaults to 200. With 202 it is 200 if the response has no ID: nothing was accepted. */
  status?: 201 | 202 | 204;
  /** Whether the response may have a `job`, with the status 202. */
  mayStartJob?: boolean;
  /** Whether the status is 207 if records of the response have `errors`. */
  isPartial?: boolean;
  /** Media types if REST has a file as the body and other inputs in the query. */
  fileTypes?: readonly string[];
  bodyMaxBytes?: number;
  /** Whether a patch may have read-only fields as they were read. */
  takesReadFields?: boolean;
  scope?: Scope;
  /** Needs no scope: the procedure decides what each caller sees. */
  isForEveryCaller?: boolean;
  orScopes?: readonly Scope[];
  /** Needs the role of a manager or higher. */
  isManaged?: boolean;
  /** Applies office limits. Otherwise limited access is rejected. */
  isLimited?: boolean;
  isSecret?: boolean;
  /** Set if the procedure changes the rights of callers or the tree of offices, which the host keeps in memory. */
  changes?: 'callers' | 'officeTree';
  /** Or the reason why there is none. That of an operation which creates a record is the default for others. */
  example?: OperationExample | { reason: string };
  /** In addition to the common errors and those derived from its method, path and schemas. */
  errors?: ErrorCode[];
}

type OpenApi = NonNullable<Meta['openapi']>;

type Route = `${OpenApi['method']} ${OpenApi['path']}`;

type Description = Pick<OpenApi, 'summary' | 'description'> & Omit<Meta, 'openapi' | 'stream'>;

/** The first is that of JSON Merge Patch (RFC 7396). */
const patchTypes = ['application/merge-patch+json', 'application/json'];

/** List only errors that don't follow from method, path and schemas (`openapi/operations.ts`). */
export function operationsOf(tag: string) {
  return (route: Route, { summary, description, ...meta }: Description): Meta => {
    const [method, path] = route.split(' ') as [OpenApi['method'], OpenApi['path']];
    const openapi = { method, path, tags: [tag], summary, description };
    return { ...meta, openapi: method === 'PATCH' ? { ...openapi, contentTypes: patchTypes } : openapi };
  };
}

export const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    // The default is application/json, but a streamed batch has several lines.
    jsonl: { contentType: 'application/jsonl' },
    // As for GET /events/stream: heartbeat, and when a client considers the connection lost.
    sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 45_000 } },
    errorFormatter: ({ shape, error, path, ctx }): ErrorShape => {
      const rosterError = toRosterError(error);
      const problem = rosterError.problem({
        instance: ctx?.request.path ?? `/trpc/${path ?? ''}`,
        requestId: ctx?.request.id ?? 'unknown',
      });
      return {
        message: rosterError.message,
        code: shape.code,
        data: {
          code: rosterError.code,
          httpStatus: rosterError.status,
          ...(path !== undefined && { path }),
          problem,
        },
      };
    },
  });

export const router = t.router;

/** `collaborators` are read at each call, because a router that is only described has none. */
export function given<Own extends object>(collaborators: () => Own) {
  return t.middleware(({ next }) => next({ ctx: collaborators() }));
}

export type Given<Own extends object> = ReturnType<typeof given<Own>>;
