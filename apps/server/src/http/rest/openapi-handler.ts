import type { Operation, RosterError } from '@roster/api';
import { RawJson } from '@roster/api/server';
import { initTRPC } from '@trpc/server';
import { createOpenApiNodeHttpHandler, type OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { callProcedure } from '../../procedures.ts';
import { toResponseError } from '../problem-details.ts';
import { type RestCall, successOf } from './success.ts';

/** The context of a procedure of the REST router. */
interface RestContext extends RestCall {
  /** The response body, if the procedure of the service has returned encoded JSON. */
  rawJson: RawJson | undefined;
}

interface RequestParts extends RestCall {
  method: string;
  /** The parsed body; undefined if the operation has none. */
  body: object | undefined;
}

const json = { 'content-type': 'application/json' };

/**
 * A request that Fastify has routed and parsed, with only what the handler of trpc-to-openapi reads. The handler also takes a
 * request of node:http, but makes a `Request` of it with all its headers, which costs three times as much as the rest of the handler.
 */
export class OpenApiRequest extends Request {
  readonly query: Readonly<Record<string, string[]>>;
  readonly context: RestContext;
  /** Why the request is rejected; set when the handler reports an error. */
  failure: RosterError | undefined;

  constructor({ method, path, query, body, context }: RequestParts) {
    super(`http://127.0.0.1${path}`, method === 'GET' ? undefined : { method, headers: json });
    this.query = query;
    this.context = { context, path, query, rawJson: undefined };
    // The handler takes a parsed body from where a `Request` has a stream.
    if (body !== undefined) Object.defineProperty(this, 'body', { value: body });
  }

  /** The request that the handler passes to its callbacks under a type of node:http. */
  static from(request: object): OpenApiRequest {
    if (request instanceof OpenApiRequest) return request;
    throw new TypeError('the handler was given a request of another kind');
  }
}

/** The response that the handler of trpc-to-openapi writes, for Fastify to send. */
export class OpenApiResponse {
  statusCode = 200;
  readonly headers: Record<string, string> = {};
  body: string | undefined;

  setHeader(name: string, value: string): void {
    this.headers[name.toLowerCase()] = value;
  }

  end(body?: string): void {
    this.body = body;
  }
}

/**
 * The handler of trpc-to-openapi, with that part of its parameters which it uses: its own types ask for all of node:http.
 * Methods, unlike functions, may take less than what they are assigned from; the compiler checks that it is a part.
 */
interface OpenApiHandler {
  handle(request: HandledRequest, response: HandledResponse): Promise<void>;
}

interface HandledRequest {
  method?: string | undefined;
  url?: string | undefined;
  query?: unknown;
  body?: unknown;
}

interface HandledResponse {
  statusCode: number;
  setHeader(name: string, value: string): void;
  end(body: string): void;
}

const t = initTRPC.context<RestContext>().meta<OpenApiMeta>().create({ isDev: false });

/**
 * The router of one REST operation: a procedure whose input is what comes in the path, the query and the body, as it
 * comes, and which calls the procedure of the service. trpc-to-openapi converts text in the schemas it is given, and for
 * that changes them, so it is given none of the service: those decide what an input may be, the same for REST and RPC.
 */
function restRouter({ procedure: path, type, method, path: template, pathParameters }: Operation) {
  const input = z.looseObject(Object.fromEntries(pathParameters.map((name) => [name, z.string()])));
  const procedure = t.procedure
    .meta({ openapi: { method, path: template } })
    .input(input)
    .output(z.unknown());
  const call = async ({ ctx, input }: { ctx: RestContext; input: unknown }): Promise<unknown> => {
    const data = await callProcedure({ path, type, input }, ctx);
    if (!(data instanceof RawJson)) return data;
    // Sent as it is, so the handler has nothing to write as JSON.
    ctx.rawJson = data;
    return undefined;
  };
  return t.router({ operation: type === 'query' ? procedure.query(call) : procedure.mutation(call) });
}

function createOpenApiHandler(operation: Operation): OpenApiHandler {
  return {
    handle: createOpenApiNodeHttpHandler({
      router: restRouter(operation),
      createContext: ({ req }) => OpenApiRequest.from(req).context,
      responseMeta: ({ ctx, data: [data], errors }) =>
        ctx === undefined || errors.length > 0 ? {} : successOf(operation, ctx.rawJson ?? data, ctx),
      onError: ({ error, req }) => {
        OpenApiRequest.from(req).failure = toResponseError(error);
      },
    }),
  };
}

const handlers = new WeakMap<Operation, OpenApiHandler>();

/**
 * The handler of trpc-to-openapi for one operation: it maps a request to the procedure and its output to a response. It is made at the
 * first request, because trpc-to-openapi makes a document of each router that it is given: a sixth of a second for all operations.
 */
export function openApiHandler(operation: Operation): OpenApiHandler {
  let handler = handlers.get(operation);
  if (handler === undefined) {
    handler = createOpenApiHandler(operation);
    handlers.set(operation, handler);
  }
  return handler;
}
