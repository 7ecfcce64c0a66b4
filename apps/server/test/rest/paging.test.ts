import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, directoryOf, type Page, type Records } from '../support/fixtures.ts';
import { scripts } from '../support/full-records.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

type Agent = Records['agents'];

const words = Object.values(scripts).slice(0, 2);
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const record = (_: unknown, index: number) => ({
    firstName: 'Ana',
    lastName: `${words[index % 2]}${index}`,
  });
  const records = Array.from({ length: 210 }, record);
  expect((await server.request('POST', '/imports/agents', { records })).status).toBe(200);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Follows the Link header from page to page. */
async function walk(first: string): Promise<Agent[]> {
  const read: Agent[] = [];
  let path: string | undefined = first;
  while (path !== undefined) {
    const response = await server.request('GET', path);
    expect(response.status).toBe(200);
    const { items, nextCursor } = await bodyOf<Page<Agent>>(response);
    read.push(...items);
    const link: string | undefined = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
    expect(link !== undefined).toBe(nextCursor !== undefined);
    if (nextCursor !== undefined)
      expect(new URL(link ?? '', server.url).searchParams.get('cursor')).toBe(nextCursor);
    path = link;
  }
  return read;
}

describe('the size of a page', () => {
  it('is 50 by default, otherwise as requested, and a size of more than 200 is rejected', async () => {
    const sizeOf = async (query: string) => (await directoryOf(server).list('agents', query)).items.length;
    expect(await sizeOf('')).toBe(50);
    expect(await sizeOf('limit=1')).toBe(1);
    expect(await sizeOf('limit=199')).toBe(199);
    expect(await sizeOf('limit=200')).toBe(200);
    for (const limit of [201, 999_999_999_999])
      await expectProblem(await server.request('GET', `/agents?limit=${limit}`), 'invalid_parameter');
  });

  it('may change from page to page', async () => {
    const first = await directoryOf(server).list('agents', 'limit=3');
    const second = await directoryOf(server).list('agents', `limit=4&cursor=${first.nextCursor}`);
    const both = await directoryOf(server).list('agents', 'limit=7');
    expect([...first.items, ...second.items]).toEqual(both.items);
  });
});

describe('the next page', () => {
  it('keeps every filter, in any script, with its repetitions', async () => {
    const q = encodeURIComponent(`${words[1]} ana`);
    const read = await walk(
      `/agents?limit=9&q=${q}&status=active&status=inactive&sort=lastName&includeTotal=true&expand=office`,
    );
    const { total } = await directoryOf(server).list('agents', `q=${q}&includeTotal=true`);
    expect(read.length).toBe(total);
    expect(read.length).toBe(105);
    expect(read.every(({ lastName }) => lastName?.startsWith(`${words[1]}`))).toBe(true);
  });

  it('is the same whatever order the parameters are in', async () => {
    const { nextCursor } = await directoryOf(server).list('agents', 'limit=1&status=active&q=ana');
    const page = await directoryOf(server).list('agents', `q=ana&cursor=${nextCursor}&status=active&limit=1`);
    expect(page.items.length).toBe(1);
  });

  it('continues where the last page ended, although that record has been deleted', async () => {
    const first = await directoryOf(server).list('agents', 'limit=1');
    await directoryOf(server).remove('agents', `${first.items[0]?.id}`);
    const second = await directoryOf(server).list('agents', `limit=1&cursor=${first.nextCursor}`);
    const { items, nextCursor } = await directoryOf(server).list('agents', 'limit=1');
    expect([second.items, second.nextCursor]).toEqual([items, nextCursor]);
  });
});

const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  it.each([
    'x',
    '%20',
    '!!!',
    'W10',
    cursorOf(null),
    cursorOf({}),
    cursorOf(['a', 'b', 'c']),
    'x'.repeat(4_000),
  ])('that is none of ours (%s) is invalid_cursor', async (cursor) => {
    await expectProblem(await server.request('GET', `/agents?cursor=${cursor}`), 'invalid_cursor');
  });

  it.each(['cursor=', `cursor=${'x'.repeat(4_001)}`, 'cursor=a&cursor=b'])(
    '?%.20s is invalid_parameter',
    async (query) => {
      await expectProblem(await server.request('GET', `/agents?${query}`), 'invalid_parameter');
    },
  );

  it('of another filter, another sort or another resource is cursor_mismatch', async () => {
    const { nextCursor } = await directoryOf(server).list('agents', 'limit=1&status=active');
    for (const query of [
      '',
      'status=inactive',
      'status=active&q=ana',
      'status=active&sort=createdAt',
      'status=active&sort=lastName',
    ]) {
      await expectProblem(
        await server.request('GET', `/agents?${query}&cursor=${nextCursor}`),
        'cursor_mismatch',
      );
    }
    await expectProblem(
      await server.request('GET', `/offices?status=active&cursor=${nextCursor}`),
      'cursor_mismatch',
    );
  });

  it('whose position was tampered with is rejected, never an internal error', async () => {
    for (const sort of ['-createdAt', 'lastName']) {
      const { nextCursor = '' } = await directoryOf(server).list('agents', `limit=1&sort=${sort}`);
      const [, id, binding] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
      const tampered =
        sort === 'lastName' ? ['a\0', '\ud800'] : ['yesterday', '', "'; drop table agent", '9'.repeat(30)];
      for (const value of tampered) {
        const response = await server.request(
          'GET',
          `/agents?sort=${sort}&cursor=${cursorOf([value, id, binding])}`,
        );
        await expectProblem(response, 'invalid_cursor');
      }
    }
  });

  it('at a time that the database cannot store is rejected, never an internal error', async () => {
    const { nextCursor = '' } = await directoryOf(server).list('agents', 'limit=1');
    const [, id, binding] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
    const response = await server.request(
      'GET',
      `/agents?cursor=${cursorOf(['0000-01-01T00:00:00Z', id, binding])}`,
    );
    await expectProblem(response, 'invalid_cursor');
  });
});
