import { createFeed, createKeyRing, type Feed, type KeyRing, openPositionGiver } from '@roster/api/hosting';
import { type ConnectOptions, connect, type Database, listen } from '@roster/db';
import type { Kysely } from 'kysely';

export interface BackgroundOptions {
  connection: ConnectOptions['connection'];
  /** Where keys are read. */
  db: Kysely<Database>;
  now?: () => Date;
  adminKey?: string | undefined;
  /** Told of what failed beside the requests; it is tried again by itself. */
  onFailure: (error: unknown) => void;
}

/** What goes on beside the requests of a server, and ties it to the other servers of its database. */
export interface Background extends AsyncDisposable {
  keys: KeyRing;
  feed: Feed;
  /** A few connections of its own: neither the requests nor this wait for the other. */
  db: Kysely<Database>;
}

/** Listens to the database for changed keys and new events, and gives events their positions. */
export function openBackground(options: BackgroundOptions): Background {
  const { connection, adminKey, now = () => new Date() } = options;
  const db = connect({ connection, connectionsMax: 2 });
  const giver = openPositionGiver(db, options.onFailure);
  const feed = createFeed({ onCommit: giver.call });
  const listener = listen({
    connection,
    channels: { roster_keys: () => keys.forget(), roster_events: () => feed.grown() },
  });
  const keys = createKeyRing({ db: options.db, now, adminKey, isHearing: listener.isHearing });
  return {
    keys,
    feed,
    db,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([listener.close(), giver.close()]);
      await db.destroy();
    },
  };
}
