import type { Event, WebhookDelivery } from '@roster/api';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { bodyOf, directoryOf, type Page } from '../support/fixtures.ts';
import { type Receiver, startReceiver } from '../support/http/receiver.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';
import { QUICKLY, until, webhooksOf } from '../support/webhooks.ts';

let server: TestServer;
let receiver: Receiver;
beforeEach(async () => {
  server = await startTestServer({ webhooks: QUICKLY });
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Two offices, and what a key that is limited to the first of them requests. */
async function limitedScene() {
  const directory = directoryOf(server);
  const { id: own } = await directory.office({ name: 'Porto' });
  const { id: other } = await directory.office({ name: 'Lisboa' });
  const scopes = ['offices:read', 'agents:read', 'teams:read', 'events:read', 'webhooks:manage'] as const;
  const { secret } = await keyWith(server, scopes, { officeIds: [own] });
  const request: TestServer['request'] = (method, path, body) =>
    server.request(method, path, body, bearer(secret));
  return { directory, own, other, request, webhooks: webhooksOf({ request }) };
}

const subjectsOf = ({ taken }: Receiver) => taken.map(({ data }) => data.subject);
/** Waits until every event that was written has been delivered, or never will be. */
async function settled(): Promise<void> {
  const { db } = server.database;
  await until(async () => {
    const { rows } = await sql`
      select from event where position is null
      union all select from webhook, event_log where read_to < last_position
      union all select from webhook_delivery where status = 'pending'`.execute(db);
    return rows.length === 0;
  }, 'all deliveries');
}

describe('a webhook of a limited key', () => {
  it('receives of each event what the feed has for the key: no hidden members, and no hidden record of a merge', async () => {
    const { directory, own, other, request, webhooks } = await limitedScene();
    await webhooks.create({ url: receiver.url });
    const agents = [];
    for (const officeId of [own, own, own, other, other, other])
      agents.push((await directory.agent({ officeId })).id);
    const [mine, merged, survivor, theirs, absorbing, absorbed] = agents;
    const member = (agentId: string | undefined) => ({ agentId });
    const team = await directory.team({ officeId: own, members: [mine, theirs].map(member) });
    await directory.patch('teams', team.id, { members: [mine, theirs, absorbing].map(member) });
    await directory.patch('teams', team.id, { members: [mine, merged].map(member) });
    for (const [id, duplicateId] of [
      [absorbing, merged],
      [survivor, absorbed],
      [survivor, mine],
    ])
      expect((await server.request('POST', `/agents/${id}/merge`, { duplicateId })).status).toBe(200);
    await settled();
    const feed = await bodyOf<Page<Event>>(await request('GET', '/events?limit=200'));
    const sent = receiver.taken
      .map(({ data }) => data)
      .sort((one, next) => Number(one.position) - Number(next.position));
    const withoutActor = ({ actor: _, ...event }: Record<string, unknown>) => event;
    const from = Number(sent[0]?.position);
    expect(sent.map(withoutActor)).toEqual(
      feed.items.filter(({ position }) => position >= from).map(withoutActor),
    );
    const text = JSON.stringify(sent);
    for (const id of [mine, merged, survivor, team.id]) expect(text).toContain(id);
    for (const id of [theirs, absorbing, absorbed, other]) expect(text).not.toContain(id);
    expect(sent.filter(({ type }) => type === 'agent.merged').map(({ details }) => details)).toMatchObject([
      { mergeId: expect.any(String) },
      { mergeId: expect.any(String) },
      { mergedInto: survivor },
      { mergedFrom: mine },
    ]);
  });

  it('is not sent what was pending when it was given other offices, and does not list it', async () => {
    const { directory, own, other, request, webhooks } = await limitedScene();
    receiver.onMessage = () => ({ status: 503 });
    const { id } = await webhooksOf(server).create({ url: receiver.url, types: ['agent.created'] });
    const { id: theirs } = await directory.agent({ officeId: other });
    const { id: mine } = await directory.agent({ officeId: own });
    await until(() => receiver.received.length > 1, 'two attempts');
    await expectProblem(await request('GET', `/webhooks/${id}`), 'not_found');
    await webhooksOf(server).patch(id, { officeIds: [own], status: 'disabled' });
    receiver.onMessage = () => ({ status: 204 });
    await webhooks.patch(id, { status: 'active' });
    await until(() => subjectsOf(receiver).includes(mine), 'the delivery');
    await settled();
    expect(subjectsOf(receiver)).not.toContain(theirs);
    const [delivery] = (await webhooksOf(server).deliveries(id)).filter(({ subject }) => subject === theirs);
    expect(delivery).toMatchObject({ status: 'superseded' });
    const listed = await bodyOf<Page<WebhookDelivery>>(await request('GET', `/webhooks/${id}/deliveries`));
    const subjects = listed.items.map(({ subject }) => subject);
    expect(subjects).toContain(mine);
    expect(subjects).not.toContain(theirs);
  });
});
