import { describe, expect, it } from 'vitest';
import { allRecords } from '../src/calls/pages.ts';
import { createRosterClient } from '../src/index.ts';
import { collect } from './support/outcomes.ts';
import { hangs, type Responder, rejects, scriptedServer, succeeds } from './support/scripted-server.ts';

/** A list of so many records with the ids 0, 1, 2 …; the cursor is the next id. */
function lists(count: number): Responder {
  return (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const input = JSON.parse(searchParams.get('input') ?? '{}');
    const { limit = 50, cursor = '0' } = searchParams.has('batch') ? input[0] : input;
    const end = Math.min(count, Number(cursor) + limit);
    const items = Array.from({ length: end - Number(cursor) }, (_, index) => ({
      id: Number(cursor) + index,
    }));
    succeeds({ items, ...(end < count && { nextCursor: String(end) }) })(request, response);
  };
}

function inputsOf({ requests }: { requests: { url: string }[] }): unknown[] {
  return requests.map(({ url }) => {
    const { searchParams } = new URL(url, 'http://localhost');
    return JSON.parse(searchParams.get('input') ?? '')[0];
  });
}

const numbers = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

describe('all', () => {
  it.each([0, 1, 2, 3, 4, 10, 11])(
    'yields %i records in pages of 2, each once and in order',
    async (count) => {
      await using server = await scriptedServer(lists(count));
      const client = createRosterClient({ url: server.url });
      expect(await collect(client.offices.all({ limit: 2 }))).toEqual(numbers(count));
      expect(server.requests).toHaveLength(Math.max(1, Math.ceil(count / 2)));
    },
  );

  it('requests every page with the same filters, sort and limit, of every resource with pages', async () => {
    await using server = await scriptedServer(lists(3));
    const client = createRosterClient({ url: server.url });
    await collect(client.agents.all({ officeId: 'x', sort: 'lastName', limit: 2 }));
    await collect(client.keys.all());
    expect(server.requests.map(({ url }) => url.split('?')[0])).toEqual([
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

  it('requests the next page after half of the current one, and never two ahead', async () => {
    let reads = 0;
    const records = allRecords(async () => {
      reads += 1;
      return { items: [1, 2, 3, 4], nextCursor: 'next' };
    });
    const counts: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      await records.next();
      counts.push(reads);
    }
    expect(counts).toEqual([1, 1, 2, 2, 2, 2, 3, 3, 3]);
  });

  it('aborts the request of the next page when the loop is left', async () => {
    const closed = Promise.withResolvers<void>();
    const nextPage: Responder = (request) => void request.socket.once('close', () => closed.resolve());
    await using server = await scriptedServer(lists(100), nextPage);
    for await (const { id } of createRosterClient({ url: server.url }).offices.all({ limit: 2 })) {
      if (Number(id) === 1) {
        while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
        break;
      }
    }
    await closed.promise;
  });

  it('throws the error of a list after the records before it', async () => {
    const problem = { status: 400, code: 'invalid_cursor', detail: 'x', requestId: 'r' };
    await using server = await scriptedServer(lists(100), rejects(problem));
    const seen: unknown[] = [];
    const reading = async () => {
      for await (const { id } of createRosterClient({ url: server.url }).offices.all({ limit: 2 }))
        seen.push(id);
    };
    await expect(reading()).rejects.toMatchObject({ name: 'RosterError', code: 'invalid_cursor' });
    expect(seen).toEqual([0, 1]);
  });

  it('throws `aborted` when its signal fires, during a request and between two records', async () => {
    await using server = await scriptedServer(lists(100), hangs);
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
