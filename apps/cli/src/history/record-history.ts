import type { Event } from '@roster/client';
import type { Session } from '../context/command-context.ts';
import { eventTypesOf } from '../contract/contract.ts';
import { CliError } from '../errors/errors.ts';
import type { Noun } from '../resources.ts';

/** Events a page: the most the service gives at once. */
const LIMIT = 200;

/**
 * The events of a record that the log still has, oldest first and some at a time. Throws where it has none, as for an
 * id that no record ever had.
 */
export async function* historyOf(
  { name, singular }: Pick<Noun, 'name' | 'singular'>,
  id: string,
  { client, callOptions: { signal } }: Pick<Session, 'client' | 'callOptions'>,
): AsyncGenerator<Event[]> {
  const query = { subject: id, types: eventTypesOf(singular), limit: LIMIT };
  let after: string | undefined;
  let isFound = false;
  for (let hasMore = true; hasMore; ) {
    const page = await client.events.list.query({ ...query, after }, { signal });
    if (page.items.length > 0) yield page.items;
    isFound ||= page.items.length > 0;
    after = page.nextAfter;
    hasMore = page.hasMore;
  }
  if (!isFound) {
    throw new CliError(`the log has no ${singular} with the id ${id}`, {
      remedy: `Find the id with: roster ${name} list`,
    });
  }
}
