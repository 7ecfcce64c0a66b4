import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('the setting of the database', () => {
  it.each([
    'postgres://u:p%2Cq@h:5433/db',
    'postgresql://u@/db?host=/run/postgresql',
    'postgres://[::1]:5432/db',
  ])('may be %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['postgres://u:secret@h1,h2/db', 'put a proxy or a pooler in front of several servers'],
    ['postgres://u:secret@h/db?target_session_attrs=standby', 'one address'],
    ['postgres://u:secret@h:99999/db', 'host or host:port'],
    ['http://u:secret@h/db', 'postgres:// URL'],
  ])('is rejected with its name, the reason and without the password: %s', (value, why) => {
    const read = () => readConfig({ DATABASE_URL: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow('DATABASE_URL');
    expect(read).toThrow(why);
    expect(read).not.toThrow('secret');
  });
});
