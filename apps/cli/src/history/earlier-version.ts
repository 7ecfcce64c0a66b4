import type { Event } from '@roster/client';
import type { Session } from '../context/command-context.ts';
import { CliError } from '../errors/errors.ts';
import type { Noun, Row } from '../resources.ts';
import { historyOf } from './record-history.ts';

/** A record as it is, and as it was. */
export interface TwoStates {
  current: Row;
  earlier: Row;
}

function goneError({ type }: Event, { name, singular }: Noun, id: string): CliError | undefined {
  if (type.endsWith('.deleted')) {
    const remedy = `Bring it back first, with: roster ${name} restore ${id}`;
    return new CliError(`the ${singular} is deleted`, { remedy });
  }
  return type.endsWith('.purged') ? new CliError(`the ${singular} is deleted for good`) : undefined;
}

/**
 * A record as it is now, and as its log says it was in a version. Throws for a version there never was or that is no
 * longer kept, and for a record that is deleted.
 */
export async function withEarlier(
  noun: Noun,
  { id, version }: { id: string; version: number },
  session: Session,
): Promise<TwoStates> {
  let earlier: Row | undefined;
  let newest: Event | undefined;
  for await (const events of historyOf(noun, id, session)) {
    for (const event of events) if (event.version === version) earlier = event.record ?? undefined;
    newest = events.at(-1);
  }
  const gone = newest && goneError(newest, noun, id);
  if (gone !== undefined) throw gone;
  const current = await session.procedures.get.query({ id }, session.callOptions);
  // The log is a moment behind what was changed just now.
  if (version === current.version) return { current, earlier: current };
  if (earlier !== undefined) return { current, earlier };
  const { singular, name } = noun;
  const isAhead = Number(current.version) < version;
  const message = isAhead
    ? `the ${singular} has no version ${version}; it is at version ${current.version}`
    : `version ${version} of the ${singular} is no longer kept`;
  throw new CliError(message, { remedy: `See the versions there are with: roster ${name} history ${id}` });
}
