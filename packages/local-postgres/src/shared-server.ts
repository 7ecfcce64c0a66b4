import { setTimeout as sleep } from 'node:timers/promises';
import { type EnterOptions, enter, type Joined, leave } from './acquire.ts';

/** Our share in the server of one place. */
export interface Share {
  socketDirectory: string;
  /** Whether the server was already running when we came. */
  adopted: boolean;
  /** Gives the share up; whoever gives up the last one stops the server. Idempotent. */
  close(): Promise<void>;
}

const REVIVAL_PAUSE_MIN_MS = 50;
const REVIVAL_PAUSE_MAX_MS = 30_000;

/**
 * Takes a share in the server of a place, starting it when it does not run and making its cluster when there is
 * none. A server that is lost while we use it, because it was killed, is started again.
 *
 * @throws EmbeddedUnavailable when it can be neither started nor joined
 */
export async function shareServer(options: Omit<EnterOptions, 'mayInitialise'>): Promise<Share> {
  const first = await enter({ ...options, mayInitialise: true });
  let joined: Joined | undefined = first;
  if (first.adopted) options.onProgress(`the server that already runs on ${options.place.data} is used`);
  const closing = new AbortController();

  const keep = async (): Promise<void> => {
    while (joined !== undefined && !closing.signal.aborted) {
      await joined.membership.lost;
      if (closing.signal.aborted) return;
      options.onProgress('the connection to the database server was lost');
      joined = undefined;
      joined = await revive({ ...options, mayInitialise: false }, closing.signal);
    }
  };
  const kept = keep();

  const close = async (): Promise<void> => {
    closing.abort();
    // While the server is being revived, what there is to leave shows only afterwards.
    if (joined === undefined) await kept;
    await leave(options.place, joined);
  };
  let closed: Promise<void> | undefined;
  return {
    socketDirectory: first.server.socketDirectory,
    adopted: first.adopted,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function revive(options: EnterOptions, closing: AbortSignal): Promise<Joined | undefined> {
  for (let pauseMs = REVIVAL_PAUSE_MIN_MS; ; pauseMs = Math.min(2 * pauseMs, REVIVAL_PAUSE_MAX_MS)) {
    await sleep(pauseMs, undefined, { ref: false, signal: closing }).catch(() => undefined);
    if (closing.aborted) return undefined;
    try {
      const joined = await enter(options);
      options.onProgress('the database server runs again');
      return joined;
    } catch (error) {
      options.onProgress(`the database server cannot be started again yet: ${error}`);
    }
  }
}
