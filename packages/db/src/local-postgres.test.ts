import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectLocalPostgres, startLocalPostgres } from './local-postgres.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'roster-db-'));
  await chmod(directory, 0o755);
});

afterAll(() => rm(directory, { recursive: true }));

describe('the local PostgreSQL of the service', () => {
  it('has the superuser and the database that existing data directories have', async () => {
    const dataDir = join(directory, 'new');
    const database = await startLocalPostgres({ dataDir, settings: { fsync: 'off' } });
    try {
      expect(database.connection).toMatchObject({ user: 'roster', database: 'roster' });
      expect((await inspectLocalPostgres(dataDir)).running).toEqual(database.connection);
    } finally {
      await database.close();
    }
  });

  it('names the backup and DATABASE_URL in the error for data of another major version', async () => {
    const dataDir = join(directory, 'old');
    await mkdir(join(dataDir, 'postgres', 'data'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '17\n');
    await expect(startLocalPostgres({ dataDir })).rejects.toThrow(
      /written by PostgreSQL 17.*\(roster-server backup\).*\nTo use .* set DATABASE_URL=postgres:\/\//,
    );
  });
});
