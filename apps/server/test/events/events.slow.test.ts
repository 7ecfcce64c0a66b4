import { connect } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { bearer, keyWith as newKey } from '../support/auth/keys.ts';
import { directoryOf } from '../support/fixtures.ts';
import { follow } from '../support/http/event-streams.ts';
import { startTestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

describe('GET /events/stream', () => {
  it('is rejected while too many are open', async () => {
    await using small = await startTestServer({ streamLimits: { openMax: 1 } });
    const first = await follow(small);
    await expectProblem(await small.request('GET', '/events/stream'), 'unavailable');
    first[Symbol.dispose]();
    await expect
      .poll(async () => {
        using second = await follow(small);
        return second.response.status;
      })
      .toBe(200);
  });

  it('is 429 for a key with too many open streams, and not for another key', async () => {
    await using small = await startTestServer({ streamLimits: { perKeyMax: 1 } });
    const { secret } = await newKey(small, ['events:read', 'offices:read', 'agents:read', 'teams:read']);
    using _ = await follow(small);
    const rejected = await small.request('GET', '/events/stream');
    expect(rejected.headers.get('Retry-After')).toBe('5');
    await expectProblem(rejected, 'rate_limited');
    expect((await small.request('GET', '/trpc/events.stream?input=%7B%7D')).status).toBe(429);
    const other = await small.request('GET', '/events/stream', undefined, bearer(secret));
    expect(other.status).toBe(200);
    await other.body?.cancel();
  });

  it('disconnects a client that does not read, and no other', async () => {
    await using strict = await startTestServer({
      timeouts: { stalledMs: 300 },
      streamLimits: { openMax: 2 },
    });
    await directoryOf(strict).office({ bio: 'x'.repeat(4_000) });
    // More than fits into the buffers between the two.
    await sql`
      insert into event (type, subject_id, version, occurred_at, record)
      select type, subject_id, version, occurred_at, record from event, generate_series(1, 4000)`.execute(
      strict.database.db,
    );
    const { port } = new URL(strict.url);
    const sleeper = connect(Number(port), '127.0.0.1')
      .pause()
      .on('error', () => undefined);
    sleeper.write(
      `GET /events/stream?after=0 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${strict.key}\r\n\r\n`,
    );
    using reader = await follow(strict, { query: 'after=0' });
    expect(await reader.events(4_001)).toHaveLength(4_001);
    await expect
      .poll(async () => {
        using third = await follow(strict);
        return third.response.status;
      })
      .toBe(200);
    await directoryOf(strict).office();
    expect(await reader.events(1)).toHaveLength(1);
    sleeper.destroy();
  });
});
