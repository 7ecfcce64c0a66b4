import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import type { Targets } from '../../harness/src/directory/data.ts';
import { type Dialect, textOf } from '../../harness/src/directory/dialects.ts';
import { isWrite, type Operation, streamsOf, type Work } from '../../harness/src/directory/operations.ts';
import { openWire } from '../../harness/src/load/wire.ts';
import { KEY, OURS } from './contestants.ts';
import type { ServerProcess } from './server-process.ts';

/** Before anything is timed: whether all contestants answer the same. */

type Json = Record<string, unknown>;

/** The records of one answer. Throws if it is an error. */
export async function ask(server: ServerProcess, dialect: Dialect, operation: Operation): Promise<Json[]> {
  const wire = await openWire(server.port, () => undefined);
  const answer = await wire.ask(textOf(dialect.messageOf(operation), KEY));
  wire.close();
  const text = answer.body.toString();
  const where = `${server.contestant.name}, ${operation.kind}`;
  if (answer.status >= 300) throw new Error(`${where}: ${answer.status} ${text}`);
  try {
    return dialect.recordsOf(operation, JSON.parse(text));
  } catch (cause) {
    throw new Error(`${where}: ${cause instanceof Error ? cause.message : cause}: ${text.slice(0, 500)}`, {
      cause,
    });
  }
}

/** What a created record has of its own in every answer. */
const own = ['id', 'email', 'officeId', 'createdAt', 'updatedAt', 'statusChangedAt', 'version', 'title'];

/** The records without what each created one has of its own. */
export function comparable(records: Json[], work: Work): Json[] {
  if (!isWrite(work)) return records;
  return records.map((record) => ({ ...record, ...Object.fromEntries(own.map((name) => [name, null])) }));
}

/** The first difference of two lists of records, in words. */
export function difference(one: Json[], other: Json[]): string {
  if (one.length !== other.length) return `${other.length} records instead of ${one.length}`;
  for (const [index, record] of one.entries()) {
    for (const name of new Set([...Object.keys(record), ...Object.keys(other[index] ?? {})])) {
      const [value, theirs] = [record[name], other[index]?.[name]];
      if (!isDeepStrictEqual(value, theirs)) {
        return `record ${index}, ${name}: ${JSON.stringify(theirs)} instead of ${JSON.stringify(value)}`;
      }
    }
  }
  return 'nothing';
}

interface Logged {
  type: string;
  version: number;
  record: Json;
  previous: Json;
}

/** The events since the last look; they are gone afterwards. */
async function takeEvents(client: Client): Promise<Logged[]> {
  const { rows } = await client.query<Logged>(
    'select type, version, record, previous from event order by id',
  );
  await client.query('truncate event cascade');
  return rows;
}

function faultOfEvent(events: Logged[], operation: Operation, record: Json): string | undefined {
  const [event] = events;
  if (events.length !== 1 || event === undefined)
    return `${events.length} events were written instead of one`;
  const previous = operation.kind === 'patch' ? ['title'] : [];
  // Roster keeps what else has changed too: the version and the time.
  const kept = Object.keys(event.previous).filter((name) => name !== 'version' && name !== 'updatedAt');
  const isRight =
    event.type === (operation.kind === 'patch' ? 'agent.updated' : 'agent.created') &&
    event.version === record.version &&
    isDeepStrictEqual(event.record, record) &&
    isDeepStrictEqual(kept, previous);
  return isRight ? undefined : `the event is not that of the change: ${JSON.stringify(event)}`;
}

interface CheckOptions {
  servers: ServerProcess[];
  works: Work[];
  targets: Targets;
  client: Client;
}

/**
 * Asks every contestant for the same once per work and compares the answers, and the events of changes, field by field.
 * Throws where a peer differs. Answers what ours lacks, in sentences for the report.
 */
export async function checkSame({ servers, works, targets, client }: CheckOptions): Promise<string[]> {
  const notes = new Set<string>();
  await client.query('truncate event cascade');
  for (const work of works) {
    let expected: Json[] | undefined;
    for (const server of servers) {
      const dialect = server.contestant.dialects[work.protocol];
      if (dialect === undefined) continue;
      server.resume();
      const [stream] = await streamsOf(work, { targets, connections: 1, client });
      const operation = (stream as () => Operation)();
      const records = await ask(server, dialect, operation);
      const { name } = server.contestant;
      if (records.length === 0) throw new Error(`${name}, ${work.name}: no records`);
      const mine = comparable(records, work);
      expected ??= mine;
      if (!isDeepStrictEqual(mine, expected)) {
        throw new Error(`${name}, ${work.name}: ${difference(expected, mine)}`);
      }
      if (isWrite(work)) {
        const fault = faultOfEvent(await takeEvents(client), operation, records[0] as Json);
        if (fault !== undefined && name === OURS) notes.add(`Roster, ${work.name}: ${fault}.`);
        else if (fault !== undefined) throw new Error(`${name}, ${work.name}: ${fault}`);
      }
      server.pause();
    }
  }
  return [...notes];
}
