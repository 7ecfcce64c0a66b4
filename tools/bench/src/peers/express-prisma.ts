import { createServer } from 'node:http';
import { PrismaPg } from '@prisma/adapter-pg';
import express from 'express';
import { type Prisma, PrismaClient } from '../../.generated/prisma/client.ts';
import { type AgentRow, changeOf, eventOf, newRow, previousOf, recordOf, versionOf } from './agent.ts';
import { CONNECTIONS, databaseUrl, listen } from './start.ts';

/** Express 5 and Prisma 7 with its driver adapter: the client without an engine. */
const adapter = new PrismaPg({ connectionString: databaseUrl(), max: CONNECTIONS });
const prisma = new PrismaClient({ adapter, omit: { agent: { search_text: true } } });
const app = express();
app.use(express.json());

app.get('/agents/:id', async ({ params }, response) => {
  const row = await prisma.agent.findUnique({ where: { id: params.id } });
  if (row === null) response.status(404).json({ title: 'Not found' });
  else response.json(recordOf(row));
});

app.get('/agents', async ({ query }, response) => {
  const { limit = '50', status, region, q } = query as Record<string, string | undefined>;
  const words = q?.toUpperCase().split(/\s+/) ?? [];
  const rows = await prisma.agent.findMany({
    where: {
      ...(status !== undefined && { status }),
      ...(region !== undefined && { address_region: region }),
      ...(q !== undefined && { AND: words.map((word) => ({ search_text: { contains: word } })) }),
    },
    orderBy:
      q === undefined ? [{ last_name: 'asc' }, { id: 'asc' }] : [{ created_at: 'desc' }, { id: 'desc' }],
    take: Number(limit),
  });
  response.json({ items: rows.map(recordOf) });
});

app.post('/agents', async ({ body }, response) => {
  const record = await prisma.$transaction(async (trx) => {
    const data = newRow(body) as Prisma.agentCreateInput;
    const created = recordOf(await trx.agent.create({ data }));
    await trx.event.create({ data: eventOf('agent.created', created) as Prisma.eventCreateInput });
    return created;
  });
  response.status(201).json(record);
});

app.patch('/agents/:id', async ({ params, body, headers }, response) => {
  const { id } = params;
  const version = versionOf(headers['if-match']);
  const record = await prisma.$transaction(async (trx) => {
    // Prisma locks no row it reads: the condition on the version decides who comes first.
    const before = await trx.agent.findFirst({ where: { id, version } });
    if (before === null) return undefined;
    const data = changeOf(body, before as AgentRow) as Prisma.agentUpdateInput;
    const changed = recordOf(await trx.agent.update({ where: { id, version }, data }));
    const event = eventOf('agent.updated', changed, previousOf(body, recordOf(before)));
    await trx.event.create({ data: event as Prisma.eventCreateInput });
    return changed;
  });
  if (record === undefined) response.status(412).json({ title: 'Another version' });
  else response.json(record);
});

listen(createServer(app));
