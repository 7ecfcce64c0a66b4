import type { FollowQuery } from '@roster/client';
import type { CommandContext } from '../context/command-context.ts';
import type { IoStreams } from '../terminal/io-streams.ts';

/**
 * The cursor to follow the log from: the given one, else the current end of the log. The end is resolved to a cursor
 * before the first connection, so that no event between the two is missed.
 */
export async function resolveStart(
  { after: given, types }: Pick<FollowQuery, 'after' | 'types'>,
  { client, callOptions: { signal } }: Pick<CommandContext, 'client' | 'callOptions'>,
): Promise<string> {
  if (given !== undefined && given !== 'latest') return given;
  return (await client.events.list.query({ after: 'latest', types }, { signal })).nextAfter;
}

/** Prints each interruption of a followed log, and how long the client waits before it reconnects. */
export function reportInterruptions({ stderr }: IoStreams): (error: Error, waitMs: number) => void {
  return ({ message }, waitMs) => {
    stderr.write(`${message} Trying again in ${(waitMs / 1_000).toFixed(1)} s.\n`);
  };
}

/** Prints the cursor with which the next command continues. */
export function reportCursor({ stderr }: IoStreams, cursor: string): void {
  stderr.write(`Continue with: --after ${cursor}\n`);
}
