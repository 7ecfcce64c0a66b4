import type { IncomingMessage, ServerResponse } from 'node:http';
import process from 'node:process';
import type { FastifyBaseLogger } from 'fastify';
import type { AppOptions } from '../../../../../apps/server/src/app.ts';
import { encodeBody } from '../../../../../apps/server/src/http/json.ts';
import { ADMIN_KEY_ID } from '../../../../../packages/api/src/access/caller.ts';
import { agents } from '../../../../../packages/api/src/agents/definition.ts';
import { AgentQuery, NewAgent } from '../../../../../packages/api/src/index.ts';
import { createRecord, readRecord } from '../../../../../packages/api/src/records/service.ts';
import { readPage } from '../../../../../packages/api/src/resources/list/list-records.ts';
import type { RawJson } from '../../../../../packages/api/src/server.ts';
import type { CallContext } from '../../../../../packages/api/src/trpc/context.ts';

/**
 * Nothing between the socket and the read: node:http of the same process calls what reads and writes, with no key, limit,
 * header or hook. Of writes the check of the input stays, because columns are made of what it answers.
 */

let ctx: CallContext | undefined;
let log: FastifyBaseLogger | undefined;

/** To be called with what the application is built of. */
export function serveBare({ db, notifier, now = () => new Date(), log: given }: AppOptions): void {
  const caller = { id: ADMIN_KEY_ID };
  ctx = {
    db,
    caller,
    limit: undefined,
    request: { id: 'bare' },
    services: { now, notifier },
  } as unknown as CallContext;
  if (process.env.ABLATION_LOG === 'true') log = given;
}

type Body = string | Buffer;

async function listed(context: CallContext, input: unknown): Promise<RawJson> {
  const { expand: _, ...query } = AgentQuery.parse(input);
  return readPage(context.db, { resource: agents, input: agents.filtersOf(query), limit: undefined });
}

async function created(context: CallContext, request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const input = NewAgent.parse(JSON.parse(Buffer.concat(chunks).toString()));
  const record = await createRecord(context, agents, input);
  context.services.notifier.onCommit();
  return JSON.stringify(record);
}

const inputOf = (url: string): unknown => JSON.parse(decodeURIComponent(url.slice(url.indexOf('=') + 1)));
const plain = (json: RawJson): Body => encodeBody(json.take());
const enveloped = (json: RawJson): Body => encodeBody(['{"result":{"data":', ...json.take(), '}}']);

async function bodyOf(context: CallContext, request: IncomingMessage): Promise<Body | undefined> {
  const { method, url = '' } = request;
  if (method === 'POST' && url === '/agents') return created(context, request);
  if (method === 'POST' && url === '/trpc/agents.create')
    return `{"result":{"data":${await created(context, request)}}}`;
  if (url.startsWith('/agents/'))
    return plain(await readRecord(context, agents, url.slice('/agents/'.length)));
  if (url.startsWith('/agents?'))
    return plain(
      await listed(context, Object.fromEntries(new URLSearchParams(url.slice('/agents?'.length)))),
    );
  if (url.startsWith('/trpc/agents.get?'))
    return enveloped(await readRecord(context, agents, (inputOf(url) as { id: string }).id));
  if (url.startsWith('/trpc/agents.list?')) return enveloped(await listed(context, inputOf(url)));
  return undefined;
}

/** Answers a request of those that are measured. */
export async function answerBare(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (ctx === undefined) throw new Error('serveBare was not called');
  const startedMs = performance.now();
  const body = await bodyOf(ctx, request);
  const status =
    body === undefined ? 404 : request.method === 'POST' && request.url === '/agents' ? 201 : 200;
  const text = body ?? '';
  const length = String(Buffer.byteLength(text));
  response.writeHead(status, ['Content-Type', 'application/json', 'Content-Length', length]).end(text);
  log?.info(
    {
      ...{
        reqId: 'bare',
        keyId: ADMIN_KEY_ID,
        actor: { type: 'key', id: ADMIN_KEY_ID },
        method: request.method,
      },
      ...{ path: '/agents/{id}', procedure: 'agents.get', status, durationMs: performance.now() - startedMs },
    },
    'request',
  );
}
