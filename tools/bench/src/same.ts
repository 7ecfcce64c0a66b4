import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import type { Targets } from '../../harness/src/directory/data.ts';
import { KEY, OURS } from './contestants.ts';
import type { ServerProcess } from './server-process.ts';
import { isWrite, type Json, type Request, recordsIn, streamsOf, type Work } from './works.ts';

/** Before anything is timed: whether all contestants answer the same. */

/** The records of one answer. Throws if it is an error. */
async function ask(
  { port }: ServerProcess,
  work: Work,
  { path, body, ...request }: Request,
): Promise<Json[]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...request,
    headers: {
      Authorization: `Bearer ${KEY}`,
      ...request.headers,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const records = recordsIn(work, await response.json());
  if (records.length === 0) throw new Error('no records');
  return records;
}

/** What a created or changed record has of its own in every answer. */
const OWN = ['id', 'email', 'officeId', 'createdAt', 'updatedAt', 'statusChangedAt', 'version', 'title'];
const withoutOwn = (record: Json) => ({ ...record, ...Object.fromEntries(OWN.map((name) => [name, null])) });

/** The first difference of two lists of records, in words. */
function difference(one: Json[], other: Json[]): string {
  for (const [index, record] of one.entries()) {
    const theirs = other[index] ?? {};
    const names = new Set([...Object.keys(record), ...Object.keys(theirs)]);
    const name = [...names].find((key) => !isDeepStrictEqual(record[key], theirs[key]));
    if (name !== undefined)
      return `record ${index}, ${name}: ${JSON.stringify(theirs[name])} instead of ${JSON.stringify(record[name])}`;
  }
  return `${other.length} records instead of ${one.length}`;
}

interface Logged {
  type: string;
  version: number;
  record: Json;
  previous: Json;
}

/** What is wrong with the events of a change, which are taken out of the log; undefined if nothing is. */
async function faultOfEvent(client: Client, { kind }: Work, record: Json): Promise<string | undefined> {
  const { rows } = await client.query<Logged>(
    'select type, version, record, previous from event order by id',
  );
  await client.query('truncate event cascade');
  const [event] = rows;
  if (rows.length !== 1 || event === undefined) return `${rows.length} events were written instead of one`;
  // Roster keeps what else has changed too: the version and the time.
  const kept = Object.keys(event.previous).filter((name) => name !== 'version' && name !== 'updatedAt');
  const expected = {
    type: kind === 'patch' ? 'agent.updated' : 'agent.created',
    version: record.version,
    record,
    kept: kind === 'patch' ? ['title'] : [],
  };
  const { previous: _, ...found } = { ...event, kept };
  return isDeepStrictEqual(found, expected)
    ? undefined
    : `the event is not that of the change: ${JSON.stringify(event)}`;
}

interface CheckOptions {
  servers: ServerProcess[];
  works: Work[];
  targets: Targets;
  client: Client;
}

/**
 * Asks every contestant for the same once a work and compares the answers, and the events of changes, field by field.
 * Throws where a peer differs. Answers what Roster lacks, in sentences for the report.
 */
export async function checkSame({ servers, works, targets, client }: CheckOptions): Promise<string[]> {
  const notes: string[] = [];
  await client.query('truncate event cascade');
  for (const work of works) {
    let expected: Json[] | undefined;
    for (const server of servers) {
      const { name, hasRpc } = server.contestant;
      if (work.isRpc && !hasRpc) continue;
      server.resume();
      const [stream] = await streamsOf(work, { targets, connections: 1, client });
      const records = await ask(server, work, (stream as () => Request)()).catch((cause: Error) => {
        throw new Error(`${name}, ${work.name}: ${cause.message}`, { cause });
      });
      const mine = isWrite(work) ? records.map(withoutOwn) : records;
      expected ??= mine;
      if (!isDeepStrictEqual(mine, expected))
        throw new Error(`${name}, ${work.name}: ${difference(expected, mine)}`);
      const fault = isWrite(work) ? await faultOfEvent(client, work, records[0] as Json) : undefined;
      if (fault !== undefined && name !== OURS) throw new Error(`${name}, ${work.name}: ${fault}`);
      if (fault !== undefined) notes.push(`Roster, ${work.name}: ${fault}.`);
      server.pause();
    }
  }
  return notes;
}
