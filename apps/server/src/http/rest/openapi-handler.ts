import type { Operation, RosterError } from '@roster/api';
import { RawJson } from '@roster/api/server';
import { initTRPC } from '@trpc/server';
import { createOpenApiNodeHttpHandler, type OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { callProcedure } from '../../procedures.ts';
import { toResponseError } from '../problem-details.ts';
import { type RestCall, successOf } from './success.ts';

interface RestContext extends RestCall {
  /** Set if the procedure has returned encoded JSON. */
  rawJson: RawJson | undefined;
}

interface RequestParts extends RestCall {
  method: string;
  body: object | undefined;
}

const json = { 'content-type': 'application/json' };

/**
 * A `Request` with the path that Fastify was sent, and the query and body that Fastify has parsed. From a request of node:http the handler
 * would make one with all headers, at four times the cost (docs/adr/0004-second-router-for-rest.md).
 */
export class OpenApiRequest extends Request {
  readonly query: Readonly<Record<string, string[]>>;
  readonly context: RestContext;
  failure: RosterError | undefined;

  constructor({ method, path, query, body, context }: RequestParts) {
    super(`http://127.0.0.1${path}`, method === 'GET' ? undefined : { method, headers: json });
    this.query = query;
    this.context = { context, path, query, rawJson: undefined };
    // The handler takes a parsed body where a `Request` has a stream.
    if (body !== undefined) Object.defineProperty(this, 'body', { value: body });
  }

  /** The handler passes it to its callbacks as a request of node:http. */
  static from(request: object): OpenApiRequest {
    if (request instanceof OpenApiRequest) return request;
    throw new TypeError('the handler was given a request of another kind');
  }
}

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

/** The types of the handler ask for all of node:http; of a method, unlike a function, the compiler accepts a part. */
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

/** trpc-to-openapi changes the schemas it is given, to convert text. So it gets none of the service. */
function restRouter({ procedure: path, type, method, path: template, pathParameters }: Operation) {
  const input = z.looseObject(Object.fromEntries(pathParameters.map((name) => [name, z.string()])));
  const procedure = t.procedure
    .meta({ openapi: { method, path: template } })
    .input(input)
    .output(z.unknown());
  const call = async ({ ctx, input }: { ctx: RestContext; input: unknown }): Promise<unknown> => {
    const data = await callProcedure({ path, type, input }, ctx);
    if (!(data instanceof RawJson)) return data;
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

/** Made at the first request: trpc-to-openapi makes a document of each router, a sixth of a second for all operations. */
export function openApiHandler(operation: Operation): OpenApiHandler {
  let handler = handlers.get(operation);
  if (handler === undefined) {
    handler = createOpenApiHandler(operation);
    handlers.set(operation, handler);
  }
  return handler;
}
