import { createServer, type IncomingMessage } from 'node:http';
import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { createOpenApiHttpHandler, type OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { versionOf } from './agent.ts';
import { Agent, AgentPage, AgentPatch, AgentQuery, NewAgent } from './agent-schema.ts';
import { createAgent, getAgent, listAgents, updateAgent } from './kysely.ts';
import { listen } from './start.ts';

/** The same stack as ours, wired as the READMEs of tRPC and trpc-to-openapi show, over Kysely on a pool. */

/** The REST adapter hands over a Request, tRPC's own a request of node:http. */
const createContext = ({ req }: { req: IncomingMessage | Request }) => ({
  ifMatch:
    req.headers instanceof Headers ? (req.headers.get('if-match') ?? undefined) : req.headers['if-match'],
});
const t = initTRPC.meta<OpenApiMeta>().context<typeof createContext>().create({ isDev: false });

const appRouter = t.router({
  agents: t.router({
    get: t.procedure
      .meta({ openapi: { method: 'GET', path: '/agents/{id}' } })
      .input(z.object({ id: z.uuid() }))
      .output(Agent)
      .query(async ({ input }) => {
        const record = await getAgent(input.id);
        if (record === undefined) throw new TRPCError({ code: 'NOT_FOUND' });
        return record;
      }),
    list: t.procedure
      .meta({ openapi: { method: 'GET', path: '/agents' } })
      .input(AgentQuery)
      .output(AgentPage)
      .query(({ input }) => listAgents(input)),
    create: t.procedure
      .meta({ openapi: { method: 'POST', path: '/agents' } })
      .input(NewAgent)
      .output(Agent)
      .mutation(({ input }) => createAgent(input)),
    update: t.procedure
      .meta({ openapi: { method: 'PATCH', path: '/agents/{id}' } })
      .input(AgentPatch.extend({ id: z.uuid() }))
      .output(Agent)
      .mutation(async ({ input: { id, ...patch }, ctx }) => {
        const record = await updateAgent(id, versionOf(ctx.ifMatch), patch);
        if (record === undefined) throw new TRPCError({ code: 'PRECONDITION_FAILED' });
        return record;
      }),
  }),
});

const rest = createOpenApiHttpHandler({ router: appRouter, createContext });
const rpc = createHTTPHandler({ router: appRouter, createContext, basePath: '/trpc/' });

listen(
  createServer((request, response) => {
    if (request.url?.startsWith('/trpc/')) rpc(request, response);
    else void rest(request, response);
  }),
);
