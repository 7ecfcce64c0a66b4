import { expect, it } from 'vitest';
import { connect } from './connect.ts';
import { withDisconnectCheck } from './create-kysely.ts';
import { RoutedKysely } from './routed-kysely.ts';
import { createTestDatabase } from './testing/databases.ts';
import { read, running } from './testing/driving.ts';

it('reads that go elsewhere are given up as well when their caller leaves', async () => {
  await using database = await createTestDatabase();
  const elsewhere = connect({ connection: database.connection, pipelines: 1 });
  const db = connect({ connection: database.connection });
  let isGone = false;
  const theirs = withDisconnectCheck(db, () => isGone);
  if (!(theirs instanceof RoutedKysely && elsewhere instanceof RoutedKysely)) {
    throw new Error('connect answers another kind');
  }
  const left = read(theirs.withReads(elsewhere.reads), `select pg_sleep(4), 'leaves'`);
  const outcome = expect(left).rejects.toMatchObject({ name: 'ClientDisconnectedError' });
  await expect.poll(() => running(database, `'leaves'`)).toBe(1);
  isGone = true;
  await outcome;
  await expect.poll(() => running(database, `'leaves'`)).toBe(0);
  await Promise.all([db.destroy(), elsewhere.destroy()]);
});
