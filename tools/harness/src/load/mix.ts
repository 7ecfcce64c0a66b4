import type { Client } from 'pg';
import { drawTargets } from '../directory/data.ts';
import { rest, textOf } from '../directory/dialects.ts';
import { type Operation, streamsOf } from '../directory/operations.ts';
import { KEY } from '../server.ts';

/** Two fifths read one record, the rest are lists, searches, creates and patches. */
const MIX: readonly (readonly [Operation['kind'], number])[] = [
  ['get', 8],
  ['list', 5],
  ['search', 2],
  ['create', 3],
];
const PATCHES = 2;

/** An endless row of requests of all kinds, as text that is ready to be sent. */
export async function mixOf(client: Client): Promise<() => string> {
  const targets = await drawTargets(client);
  const streams = await Promise.all(
    MIX.map(async ([kind, times]) => {
      const [next] = await streamsOf({ kind }, { targets, connections: 1, client });
      return Array.from(
        { length: times },
        () => () => textOf(rest.messageOf((next as () => Operation)()), KEY),
      );
    }),
  );
  let patched = 0;
  // Without the version of the record: a request that was rejected has made none.
  const patch = () => {
    patched += 1;
    const path = `/agents/${targets.ids[patched % targets.ids.length]}`;
    return textOf({ method: 'PATCH', path, body: { title: `Consultant ${patched}` } }, KEY);
  };
  const kinds = [...streams.flat(), ...Array.from({ length: PATCHES }, () => patch)];
  let asked = 0;
  return () => {
    // Seven and the number of kinds have no common divisor, so that kinds alternate.
    asked += 7;
    return (kinds[asked % kinds.length] as () => string)();
  };
}
