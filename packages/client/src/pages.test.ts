import { describe, expect, it } from 'vitest';
import { createRosterClient } from './index.ts';
import { everyRecord } from './pages.ts';
import { type Answer, keepsSilent, refuses, scriptedServer, succeeds } from './testing/scripted-server.ts';
import { taken } from './testing/taken.ts';

/** A list of so many records with the ids 0, 1, 2 …; its cursor is the number of the next one. */
function lists(count: number): Answer {
  return (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const given = JSON.parse(searchParams.get('input') ?? '{}');
    const { limit = 50, cursor = '0' } = searchParams.has('batch') ? given[0] : given;
    const end = Math.min(count, Number(cursor) + limit);
    const items = Array.from({ length: end - Number(cursor) }, (_, index) => ({
      id: Number(cursor) + index,
    }));
    succeeds({ items, ...(end < count && { nextCursor: String(end) }) })(request, response);
  };
}

function inputsOf({ seen }: { seen: { url: string }[] }): unknown[] {
  return seen.map(({ url }) => {
    const { searchParams } = new URL(url, 'http://localhost');
    return JSON.parse(searchParams.get('input') ?? '')[0];
  });
}

const numbers = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

describe('every record of every page', () => {
  it.each([0, 1, 2, 3, 4, 10, 11])(
    'gives %i records in pages of 2, each once and in order',
    async (count) => {
      await using server = await scriptedServer(lists(count));
      const client = createRosterClient({ url: server.url });
      expect(await taken(client.offices.all({ limit: 2 }))).toEqual(numbers(count));
      expect(server.seen).toHaveLength(Math.max(1, Math.ceil(count / 2)));
    },
  );

  it('asks every page with the same filters, sort and limit, of every noun that has pages', async () => {
    await using server = await scriptedServer(lists(3));
    const client = createRosterClient({ url: server.url });
    await taken(client.agents.all({ officeId: 'x', sort: 'lastName', limit: 2 }));
    await taken(client.keys.all());
    expect(server.seen.map(({ url }) => url.split('?')[0])).toEqual([
      '/trpc/agents.list',
      '/trpc/agents.list',
      '/trpc/keys.list',
    ]);
    expect(inputsOf(server)).toEqual([
      { officeId: 'x', sort: 'lastName', limit: 2 },
      { officeId: 'x', sort: 'lastName', limit: 2, cursor: '2' },
      {},
    ]);
  });

  it('asks for the next page at the middle of one, and never for two ahead', async () => {
    let asked = 0;
    const records = everyRecord(async () => {
      asked += 1;
      return { items: [1, 2, 3, 4], nextCursor: 'next' };
    });
    const counts: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      await records.next();
      counts.push(asked);
    }
    expect(counts).toEqual([1, 1, 2, 2, 2, 2, 3, 3, 3]);
  });

  it('ends the request that runs ahead when the loop is left', async () => {
    const closed = Promise.withResolvers<void>();
    const ahead: Answer = (request) => void request.socket.once('close', () => closed.resolve());
    await using server = await scriptedServer(lists(100), ahead);
    for await (const { id } of createRosterClient({ url: server.url }).offices.all({ limit: 2 })) {
      if (Number(id) === 1) {
        while (server.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
        break;
      }
    }
    await closed.promise;
  });

  it('throws what the list throws, after the records that came before', async () => {
    const problem = { status: 400, code: 'invalid_cursor', detail: 'x', requestId: 'r' };
    await using server = await scriptedServer(lists(100), refuses(problem));
    const seen: unknown[] = [];
    const reading = async () => {
      for await (const { id } of createRosterClient({ url: server.url }).offices.all({ limit: 2 }))
        seen.push(id);
    };
    await expect(reading()).rejects.toMatchObject({ name: 'RosterError', code: 'invalid_cursor' });
    expect(seen).toEqual([0, 1]);
  });

  it('ends with `aborted` when its signal fires, while it waits and between two records', async () => {
    await using server = await scriptedServer(lists(100), keepsSilent);
    const client = createRosterClient({ url: server.url });
    const controller = new AbortController();
    const records = client.offices.all({ limit: 10 }, { signal: controller.signal });
    await records.next();
    controller.abort();
    await expect(records.next()).rejects.toMatchObject({ code: 'aborted' });
    const waiting = client.offices.all({}, { signal: AbortSignal.timeout(20) });
    await expect(waiting.next()).rejects.toMatchObject({ code: 'aborted' });
  });
});
