import { AssertionError, deepStrictEqual } from 'node:assert/strict';
import type { Client } from 'pg';
import type { Asked } from '../../harness/src/caller.ts';
import { OURS, type Running } from './contestants.ts';
import type { TurnOptions } from './turns.ts';
import { isWrite, type Json, recordsIn, streamsOf, type Work } from './works.ts';

/** Before anything is timed: whether all contestants return the same. */

/** The records of one response. Throws if there are none. */
async function ask(server: Running, work: Work, request: Asked): Promise<Json[]> {
  const records = recordsIn(work, await server.awake(() => server.ask(request)));
  if (records.length === 0) throw new Error('no records');
  return records;
}

/** What a created or changed record has of its own in every response. */
const OWN = ['id', 'email', 'officeId', 'createdAt', 'updatedAt', 'statusChangedAt', 'version', 'title'];
const withoutOwn = (record: Json) => ({ ...record, ...Object.fromEntries(OWN.map((name) => [name, null])) });

/** Takes the events of a change out of the log. Throws if they are not the one of the change. */
async function checkEvent(client: Client, { kind }: Work, record: Json): Promise<void> {
  const { rows } = await client.query('select type, version, record, previous from event order by id');
  await client.query('truncate event cascade');
  // Roster keeps what else has changed too: the version and the time.
  const { version: _, updatedAt: __, ...previous } = rows[0]?.previous ?? {};
  const isPatch = kind === 'patch';
  const type = isPatch ? 'agent.updated' : 'agent.created';
  const expected = { type, version: record.version, record, previous: isPatch ? ['title'] : [] };
  deepStrictEqual([{ ...rows[0], previous: Object.keys(previous) }, ...rows.slice(1)], [expected]);
}

/**
 * Asks every contestant for the same once a work and compares the responses, and the events of changes, field by field.
 * Throws where a peer differs. Returns what Roster lacks, in sentences for the report.
 */
export async function checkSame({ servers, works, targets, client }: TurnOptions): Promise<string[]> {
  const notes: string[] = [];
  await client.query('truncate event cascade');
  for (const work of works) {
    let expected: Json[] | undefined;
    for (const server of servers.filter(({ contestant }) => contestant.hasRpc || !work.isRpc)) {
      const [stream] = await streamsOf(work, { targets, connections: 1, client });
      try {
        const records = await ask(server, work, (stream as () => Asked)());
        const mine = isWrite(work) ? records.map(withoutOwn) : records;
        expected ??= mine;
        deepStrictEqual(mine, expected);
        if (isWrite(work)) await checkEvent(client, work, records[0] as Json);
      } catch (cause) {
        const fault = `${server.contestant.title}, ${work.name}: ${cause instanceof Error ? cause.message : cause}`;
        if (server.name !== OURS || !(cause instanceof AssertionError)) throw new Error(fault, { cause });
        notes.push(fault);
      }
    }
  }
  return notes;
}
