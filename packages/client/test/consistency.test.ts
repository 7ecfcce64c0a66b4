import { expect, it } from 'vitest';
import { createRosterClient } from '../src/index.ts';
import { type Responder, scriptedServer, succeeds } from './support/scripted-server.ts';

const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

/** Succeeds with a consistency token. */
function succeedsAt(position: string): Responder {
  return (request, response) => {
    response.setHeader('Consistency-Token', `00000001${position.padStart(16, '0')}`);
    succeeds({ id })(request, response);
  };
}

it('every call sends the latest token, even if an older one was received last', async () => {
  await using service = await scriptedServer(succeedsAt('A0'), succeedsAt('90'), succeedsAt('B0'));
  const client = createRosterClient({ url: service.url });
  await client.offices.create.mutate({ name: 'x' });
  await client.offices.get.query({ id });
  await client.offices.get.query({ id });
  await client.offices.update.mutate({ id, name: 'y' });
  const sent = service.requests.map(({ headers }) => headers['consistency-token']?.slice(-2));
  expect(sent).toEqual([undefined, 'A0', 'A0', 'B0']);
});

it('after an event, calls ask for the latest state until a response has it', async () => {
  const event = { position: 1, type: 'office.created' };
  await using service = await scriptedServer(
    succeedsAt('A0'),
    (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(`id: 1\ndata: ${JSON.stringify(event)}\n\n`);
    },
    succeedsAt('B0'),
  );
  const client = createRosterClient({ url: service.url });
  await client.offices.get.query({ id });
  for await (const _ of client.events.follow()) break;
  await client.offices.get.query({ id });
  await client.offices.get.query({ id });
  const [, , first, second] = service.requests.map(({ headers }) => headers['consistency-token']);
  expect([first, second?.slice(-2)]).toEqual(['latest', 'B0']);
});

it('no token is sent to a service without replicas, and invalid tokens are ignored', async () => {
  await using service = await scriptedServer(succeeds({ id }), (request, response) => {
    response.setHeader('Consistency-Token', 'z'.repeat(24));
    succeeds({ id })(request, response);
  });
  const client = createRosterClient({ url: service.url });
  for (let count = 0; count < 3; count += 1) await client.offices.get.query({ id });
  for (const { headers } of service.requests) expect(headers).not.toHaveProperty('consistency-token');
});
