import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('the settings of databases', () => {
  it('take several hosts, and several replicas', () => {
    const url = 'postgres://u:p@h1:5432,h2:5433/db?target_session_attrs=read-write';
    const replicas = 'postgres://u:p%2Cq@r1/db, postgresql://u@r2:5433/db';
    expect(readConfig({ DATABASE_URL: url, DATABASE_REPLICA_URLS: replicas })).toMatchObject({
      databaseUrl: url,
      replicaUrls: ['postgres://u:p%2Cq@r1/db', 'postgresql://u@r2:5433/db'],
      replicaLagMaxMs: 10_000,
    });
    expect(readConfig({}).replicaUrls).toEqual([]);
  });

  it.each([
    ['DATABASE_URL', 'postgres://u:secret@h1,h2/db?target_session_attrs=standby'],
    ['DATABASE_URL', 'http://u:secret@h/db'],
    ['DATABASE_REPLICA_URLS', 'postgres://u:secret@r1,r2/db'],
    ['DATABASE_REPLICA_URLS', 'postgres://u:secret@r1/db,http://r2/db'],
    ['DATABASE_REPLICA_URLS', 'postgres://u:secret@r1/db'],
    ['ROSTER_REPLICA_LAG_MAX_MS', '499'],
  ])('are rejected with their name and without the password if they are invalid: %s=%s', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(name);
    expect(read).not.toThrow('secret');
  });
});
