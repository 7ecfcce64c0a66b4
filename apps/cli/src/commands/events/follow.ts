import type { FollowedEvent, FollowQuery, RosterClient } from '@roster/client';
import type { CommandContext } from '../context.ts';

/**
 * The given cursor, or the current end of the log. The end is resolved before the first connection, so that no event between
 * the two is missed.
 */
export async function resolveStart(
  { after: given, types }: Pick<FollowQuery, 'after' | 'types'>,
  { client, signal }: { client: RosterClient; signal: AbortSignal },
): Promise<string> {
  if (given !== undefined && given !== 'latest') return given;
  return (await client.events.list.query({ after: 'latest', types }, { signal })).nextAfter;
}

/** Follows the log until the user interrupts, and prints the cursor behind the last event that was consumed. */
export async function* followEvents(
  query: FollowQuery,
  { client, io: { stderr }, callOptions: { signal } }: CommandContext,
): AsyncGenerator<FollowedEvent> {
  let cursor = await resolveStart(query, { client, signal });
  const onInterruption = ({ message }: Error, waitMs: number) =>
    void stderr.write(`${message} Trying again in ${(waitMs / 1_000).toFixed(1)} s.\n`);
  try {
    for await (const event of client.events.follow({ ...query, after: cursor }, { signal, onInterruption })) {
      yield event;
      cursor = event.cursor;
    }
  } finally {
    // After an error before the first event, the given cursor may be the cause.
    if (signal.aborted || cursor !== query.after) stderr.write(`Continue with: --after ${cursor}\n`);
  }
}
