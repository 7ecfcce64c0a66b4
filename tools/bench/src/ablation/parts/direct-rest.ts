import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CreateContext } from '../../../../../apps/server/src/context.ts';
import { recordTag } from '../../../../../apps/server/src/http/etag.ts';
import { encodeBody } from '../../../../../apps/server/src/http/json.ts';
import { requireMediaType } from '../../../../../apps/server/src/http/media-types.ts';
import { jsonType } from '../../../../../apps/server/src/http/problem-details.ts';
import { parseQuery } from '../../../../../apps/server/src/http/query-string.ts';
import { requireRight } from '../../../../../apps/server/src/plugins/authentication.ts';
import { callProcedure } from '../../../../../apps/server/src/procedures.ts';
import { type Operation, operations } from '../../../../../packages/api/src/index.ts';
import { RawJson } from '../../../../../packages/api/src/server.ts';

/** REST without trpc-to-openapi: each route of Fastify calls its procedure, and sets the headers of a success itself. */

function inputOf({ url, params, body }: FastifyRequest): object {
  const query = Object.entries(parseQuery(url)).map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]);
  return { ...Object.fromEntries(query), ...(body as object), ...(params as object) };
}

async function handle(
  { procedure: path, type, method, status, path: template }: Operation,
  {
    request,
    reply,
    createContext,
  }: { request: FastifyRequest; reply: FastifyReply; createContext: CreateContext },
): Promise<FastifyReply> {
  const context = createContext(request, { acceptsRawJson: true });
  const data = await callProcedure({ path, type, input: inputOf(request) }, { context });
  reply.code(status).header('Content-Type', jsonType);
  reply.header('Cache-Control', method === 'GET' ? 'private, no-cache' : 'no-store');
  const { id, version, nextCursor } = data as { id?: string; version?: number; nextCursor?: string };
  if (version !== undefined) reply.header('ETag', recordTag(Number(version)));
  if (status === 201) reply.header('Location', `${template}/${id}`);
  if (nextCursor !== undefined) reply.header('Link', `<${request.url}&cursor=${nextCursor}>; rel="next"`);
  return reply.send(data instanceof RawJson ? encodeBody(data.take()) : JSON.stringify(data));
}

/** Takes the place of the function of the same name in apps/server/src/rest/routes.ts. */
export function registerRest(app: FastifyInstance, createContext: CreateContext): void {
  for (const operation of operations) {
    app.route({
      method: operation.method,
      ...(operation.bodyMaxBytes && { bodyLimit: operation.bodyMaxBytes }),
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { procedure: operation.procedure },
      onRequest: [requireRight(operation), ...(operation.method === 'GET' ? [] : [requireMediaType])],
      handler: (request, reply) => handle(operation, { request, reply, createContext }),
    });
  }
}
