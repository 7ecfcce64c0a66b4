import { expect, it } from 'vitest';
import { resoOf } from '../support/http/reso.ts';
import { startTestServer } from '../support/index.ts';

it('counts a request at the rate limit as every other interface does, a large page as several', async () => {
  await using limited = await startTestServer({ rateLimit: 8 });
  const { send, error } = resoOf(limited);
  expect(
    (await send('GET', '/Member', undefined, { Prefer: 'maxpagesize=1000' })).headers.get('ratelimit'),
  ).toMatch(/r=3;/);
  for (let left = 3; left > 0; left -= 1) expect((await send('GET', '/Lookup')).status).toBe(200);
  expect(await error('GET', '/Lookup')).toMatchObject({ status: 429, code: 'rate_limited' });
});
