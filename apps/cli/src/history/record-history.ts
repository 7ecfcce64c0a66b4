import type { Event } from '@roster/client';
import type { CommandContext } from '../context/command-context.ts';
import { eventTypesOf } from '../contract/contract.ts';
import { CliError } from '../errors/errors.ts';
import type { Resource } from '../resources.ts';

/** Events per page: the maximum of the service. */
const LIMIT = 200;

/**
 * Reads the events of a record that the log still has, oldest first, page by page. Throws `CliError` if there are none, for
 * example because no record has the id.
 */
export async function* readHistory(
  { name, singular }: Pick<Resource, 'name' | 'singular'>,
  id: string,
  { client, callOptions: { signal } }: Pick<CommandContext, 'client' | 'callOptions'>,
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
      hint: `Find the id with: roster ${name} list`,
    });
  }
}
