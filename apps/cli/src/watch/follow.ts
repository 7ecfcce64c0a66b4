import type { FollowQuery } from '@roster/client';
import type { Session } from '../context/command-context.ts';

/**
 * Where to begin to follow the log: at the place that was asked for, else at the end of the log, which has a name from
 * then on, so that what happens until the first connection stands is not missed.
 */
export async function endOfLog(
  { after: asked, types }: Pick<FollowQuery, 'after' | 'types'>,
  { client, callOptions: { signal } }: Pick<Session, 'client' | 'callOptions'>,
): Promise<string> {
  if (asked !== undefined && asked !== 'latest') return asked;
  return (await client.events.list.query({ after: 'latest', types }, { signal })).nextAfter;
}
