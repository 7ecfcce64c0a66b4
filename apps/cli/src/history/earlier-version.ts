import type { Event } from '@roster/client';
import type { CommandContext } from '../context/command-context.ts';
import { CliError } from '../errors/errors.ts';
import type { Resource, Row } from '../resources.ts';
import { readHistory } from './record-history.ts';

/** A record in its current and in an earlier version. */
export interface RecordVersions {
  current: Row;
  earlier: Row;
}

function goneError({ type }: Event, { name, singular }: Resource, id: string): CliError | undefined {
  if (type.endsWith('.deleted')) {
    const hint = `Restore it first with: roster ${name} restore ${id}`;
    return new CliError(`the ${singular} is deleted`, { hint });
  }
  return type.endsWith('.purged') ? new CliError(`the ${singular} is deleted for good`) : undefined;
}

/**
 * Reads the current state of a record, and its state in an earlier version from the log. Throws `CliError` if the version
 * does not exist or is no longer in the log, or the record is deleted.
 */
export async function readEarlierVersion(
  resource: Resource,
  { id, version }: { id: string; version: number },
  context: CommandContext,
): Promise<RecordVersions> {
  let earlier: Row | undefined;
  let newest: Event | undefined;
  for await (const events of readHistory(resource, id, context)) {
    for (const event of events) if (event.version === version) earlier = event.record ?? undefined;
    newest = events.at(-1);
  }
  const gone = newest && goneError(newest, resource, id);
  if (gone !== undefined) throw gone;
  const current = await context.procedures.get.query({ id }, context.callOptions);
  // The log lags slightly behind the latest change.
  if (version === current.version) return { current, earlier: current };
  if (earlier !== undefined) return { current, earlier };
  const { singular, name } = resource;
  const isAhead = Number(current.version) < version;
  const message = isAhead
    ? `the ${singular} has no version ${version}; it is at version ${current.version}`
    : `version ${version} of the ${singular} is no longer in the log`;
  throw new CliError(message, { hint: `List its versions with: roster ${name} history ${id}` });
}
