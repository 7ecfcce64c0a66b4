import { expect, it } from 'vitest';
import { startTestServer } from './testing.ts';

it('answers', async () => {
  await using server = await startTestServer();
  const response = await fetch(`${server.url}/offices`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"x"}',
  });
  expect(response.status).toBe(201);
});
