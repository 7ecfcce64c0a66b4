import { fastify } from 'fastify';
import { z } from 'zod';
import { type Body, type ListQuery, versionOf } from './agent.ts';
import { Agent, AgentPage } from './agent-schema.ts';
import { createAgent, getAgent, listAgents, updateAgent } from './kysely.ts';
import { announce } from './start.ts';

/** Fastify with schemas for its responses, which it compiles to a serializer, over Kysely. */
const app = fastify();
const options = { io: 'output', target: 'draft-7' } as const;
const agent = z.toJSONSchema(Agent, options);
const page = z.toJSONSchema(AgentPage, options);

app.get<{ Params: { id: string } }>(
  '/agents/:id',
  { schema: { response: { 200: agent } } },
  async ({ params }, reply) => (await getAgent(params.id)) ?? reply.code(404).send({ title: 'Not found' }),
);

app.get<{ Querystring: ListQuery }>(
  '/agents',
  { schema: { response: { 200: page }, querystring: { properties: { limit: { type: 'integer' } } } } },
  ({ query }) => listAgents(query),
);

app.post<{ Body: Body }>('/agents', { schema: { response: { 201: agent } } }, async ({ body }, reply) =>
  reply.code(201).send(await createAgent(body)),
);

app.patch<{ Params: { id: string }; Body: Body }>(
  '/agents/:id',
  { schema: { response: { 200: agent } } },
  async ({ params, body, headers }, reply) =>
    (await updateAgent(params.id, versionOf(headers['if-match']), body)) ??
    reply.code(412).send({ title: 'Another version' }),
);

const url = await app.listen({ host: '127.0.0.1', port: 0 });
announce(Number(new URL(url).port));
