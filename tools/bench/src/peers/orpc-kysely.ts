import { createServer } from 'node:http';
import { OpenAPIHandler } from '@orpc/openapi/node';
import { ORPCError, os } from '@orpc/server';
import { z } from 'zod';
import { versionOf } from './agent.ts';
import { Agent, AgentPage, AgentPatch, AgentQuery, NewAgent } from './agent-schema.ts';
import { createAgent, getAgent, listAgents, updateAgent } from './kysely.ts';
import { listen } from './start.ts';

/** oRPC's OpenAPIHandler on node:http, with input and output, over Kysely. */
const base = os.$context<{ ifMatch: string | undefined }>();

const router = {
  get: base
    .route({ method: 'GET', path: '/agents/{id}' })
    .input(z.object({ id: z.uuid() }))
    .output(Agent)
    .handler(async ({ input }) => {
      const record = await getAgent(input.id);
      if (record === undefined) throw new ORPCError('NOT_FOUND');
      return record as z.input<typeof Agent>;
    }),
  list: base
    .route({ method: 'GET', path: '/agents' })
    .input(AgentQuery)
    .output(AgentPage)
    .handler(async ({ input }) => (await listAgents(input)) as z.input<typeof AgentPage>),
  create: base
    .route({ method: 'POST', path: '/agents', successStatus: 201 })
    .input(NewAgent)
    .output(Agent)
    .handler(async ({ input }) => (await createAgent(input)) as z.input<typeof Agent>),
  update: base
    .route({ method: 'PATCH', path: '/agents/{id}' })
    .input(AgentPatch.extend({ id: z.uuid() }))
    .output(Agent)
    .handler(async ({ input: { id, ...patch }, context }) => {
      const record = await updateAgent(id, versionOf(context.ifMatch), patch);
      if (record === undefined) throw new ORPCError('PRECONDITION_FAILED');
      return record as z.input<typeof Agent>;
    }),
};

const handler = new OpenAPIHandler(router);

listen(
  createServer(async (request, response) => {
    const context = { ifMatch: request.headers['if-match'] };
    const { matched } = await handler.handle(request, response, { context });
    if (!matched) response.writeHead(404).end();
  }),
);
