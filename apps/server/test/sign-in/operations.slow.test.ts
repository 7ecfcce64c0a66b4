import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteExpiredSignIns, storeSignIn, takeSignIn } from '@roster/api/testing';
import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { diagnose } from '../../src/cli/check/index.ts';
import { TestBrowser } from '../support/auth/browser.ts';
import { startIdentityProvider } from '../support/auth/identity-provider.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';

const PUBLIC = 'https://roster.example';

it('the first start with the local PostgreSQL prints a link for the first person, and none after they have signed in', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roster-first-person-'));
  // The user that PostgreSQL runs as when the tests run as root has to get in.
  await chmod(dataDir, 0o755);
  const printed = /^ {2}(http:\S+\/sign-in\/link\?token=\S+)$/m;
  try {
    {
      await using first = await startServiceProcess({ dataDir });
      await expect.poll(first.output).toMatch(printed);
      const [, link = ''] = printed.exec(first.output()) ?? [];
      const browser = new TestBrowser();
      expect((await browser.visit(link)).status).toBe(200);
      expect((await browser.fetch(`${first.url}/people`)).status).toBe(200);
      await first.end('SIGTERM');
    }
    await using second = await startServiceProcess({ dataDir });
    await expect.poll(second.output).toContain('Documentation at');
    expect(second.output()).not.toMatch(printed);
    await second.end('SIGTERM');
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

it('with a database of its own a service prints no link', async () => {
  await using database = await createTestDatabase();
  await using service = await startServiceProcess({ databaseUrl: database.url });
  await expect.poll(service.output).toContain('Documentation at');
  expect(service.output()).not.toContain('/sign-in/link');
});

it('what can be used once is deleted after it has expired, and not before', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  const now = new Date();
  const pending = { kind: 'link', now, data: {} } as const;
  await storeSignIn(db, { ...pending, secret: 'old', lifetimeMs: 1_000 });
  await storeSignIn(db, { ...pending, secret: 'new', lifetimeMs: 2_000 });
  await deleteExpiredSignIns(db, new Date(now.getTime() + 1_000));
  expect((await sql`select from sign_in`.execute(db)).rows).toHaveLength(1);
  expect(await takeSignIn(db, { secret: 'new', kind: 'provider', now })).toBe(undefined);
  expect(await takeSignIn(db, { secret: 'new', kind: 'link', now })).toEqual({});
});

it('--check says what the identity provider supports, and warns if it does not respond', async () => {
  await using provider = await startIdentityProvider({ publicUrl: PUBLIC });
  await using database = await createTestDatabase();
  const { issuer, clientId: ROSTER_OIDC_CLIENT_ID } = provider.config;
  const settings = {
    ROSTER_PUBLIC_URL: PUBLIC,
    ROSTER_OIDC_ISSUER: issuer,
    ROSTER_OIDC_CLIENT_ID,
    PORT: '0',
  };
  const asked = async () =>
    (await diagnose({ ...settings, DATABASE_URL: database.url })).find(
      ({ subject }) => subject === 'sign-in',
    );
  expect(await asked()).toMatchObject({
    level: 'ok',
    values: { issuer, hasDeviceFlow: true, hasLogout: true, hasBackChannelLogout: true },
  });
  provider.isDown = true;
  expect(await asked()).toMatchObject({ level: 'warning', values: { issuer } });
});
