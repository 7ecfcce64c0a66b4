import { expect, it } from 'vitest';
import { connect, withDisconnectCheck } from '../connect.ts';
import { createTestDatabase, read, running } from '../testing/driver-helpers.ts';
import { RoutedKysely } from './routed-kysely.ts';

it('cancels the reads of a disconnected client wherever they are routed', async () => {
  await using database = await createTestDatabase();
  const elsewhere = connect({ connection: database.connection, pipeline: { connections: 1 } });
  const db = connect({ connection: database.connection });
  let isDisconnected = false;
  const ofClient = withDisconnectCheck(db, () => isDisconnected);
  if (!(ofClient instanceof RoutedKysely && elsewhere instanceof RoutedKysely)) {
    throw new Error('connect returned another class');
  }
  const reading = read(
    ofClient.withRouting({ reads: elsewhere.reads }),
    `select pg_sleep(4), 'is cancelled'`,
  );
  const outcome = expect(reading).rejects.toMatchObject({ name: 'ClientDisconnectedError' });
  await expect.poll(() => running(database, `'is cancelled'`)).toBe(1);
  isDisconnected = true;
  await outcome;
  await expect.poll(() => running(database, `'is cancelled'`)).toBe(0);
  await Promise.all([db.destroy(), elsewhere.destroy()]);
});
