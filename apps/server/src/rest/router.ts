import type { Operation } from '@roster/api';
import { RawJson } from '@roster/api/server';
import { initTRPC } from '@trpc/server';
import { createOpenApiNodeHttpHandler, type OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { recordTag } from '../http/etag.ts';
import { jsonType, toResponseError } from '../http/problem-details.ts';
import { callProcedure } from '../procedures.ts';
import { type OpenApiHandler, OpenApiRequest, type RestContext } from './openapi-request-shim.ts';

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
  const router = t.router({
    operation: type === 'query' ? procedure.query(call) : procedure.mutation(call),
  });
  // The handler would make a caller of tRPC for each request, whose middlewares have nothing to do.
  return Object.assign(router, {
    createCaller: (ctx: RestContext) => ({ operation: (input: unknown) => call({ ctx, input }) }),
  });
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

/** Status and headers of a success, from the output of the procedure. */
function successOf(operation: Operation, output: unknown, ctx: RestContext) {
  // A cache may keep it for its own caller, and asks each time whether it still holds.
  const cacheControl = operation.method === 'GET' ? 'private, no-cache' : 'no-store';
  const headers: Record<string, string> = { 'cache-control': cacheControl, 'content-type': jsonType };
  if (ctx.context.request.responseMeta.isReplayed) headers['idempotency-replayed'] = 'true';
  let { status }: { status: number } = operation;
  if (typeof output === 'object' && output !== null) {
    if ('version' in output) headers.etag = recordTag(Number(output.version));
    if (operation.status === 201 && 'id' in output) headers.location = `${operation.path}/${output.id}`;
    const links = linksOf(output, ctx);
    if (links !== '') headers.link = links;
    if (operation.status === 202) {
      if ('id' in output) headers.location = `/jobs/${output.id}`;
      else status = 200;
    }
    if (operation.isPartial && 'refused' in output && Number(output.refused) > 0) status = 207;
  }
  return { status, headers };
}

/** The pages next to a page, as a Link header (RFC 8288); empty if there are none. */
function linksOf(output: object, { path, query }: RestContext): string {
  const { nextCursor, prevCursor } = output as { nextCursor?: unknown; prevCursor?: unknown };
  const next = nextCursor === undefined ? '' : `<${pageAt(path, query, String(nextCursor))}>; rel="next"`;
  if (prevCursor === undefined) return next;
  const prev = `<${pageAt(path, query, String(prevCursor))}>; rel="prev"`;
  return next === '' ? prev : `${next}, ${prev}`;
}

/** The URL of the page at a cursor. */
function pageAt(path: string, query: RestContext['query'], cursor: string): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    if (name !== 'cursor') for (const value of values) parameters.append(name, value);
  }
  parameters.append('cursor', cursor);
  return `${path}?${parameters}`;
}
