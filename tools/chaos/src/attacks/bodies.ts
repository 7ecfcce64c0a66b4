import { type Attack, type AttackTarget, head } from './attack.ts';
import { hold, repeat } from './connections.ts';

const json = { 'Content-Type': 'application/json' };
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** A request whose body never comes to its end. */
function unfinished(
  path: string,
  headers: Record<string, string>,
  sizes: { declared: number; sent: number },
): Buffer {
  const start = head('POST', path, { ...headers, ...json, 'Content-Length': sizes.declared });
  return Buffer.from(`${start}{"name":"${'x'.repeat(sizes.sent)}`);
}

const RPC_BODY = { declared: 200_000, sent: 1_000 };
const IMPORT_BODY = { declared: 4_000_000, sent: 3_900_000 };

/** Bodies of RPC that never end, from a caller without a key. */
export const unfinishedWithoutKey: Attack = (target, outcomes) => {
  const bytes = unfinished('/trpc/offices.create', {}, RPC_BODY);
  return hold(target, outcomes, { connections: 210, bytes: () => bytes, isRead: true });
};

/** Bodies of REST and RPC that never end, from a caller with a valid key. */
export const unfinishedWithKey: Attack = (target, outcomes) => {
  const paths = ['/trpc/offices.create', '/offices'];
  const all = paths.map((path) => unfinished(path, bearer(target.key), RPC_BODY));
  const bytes = (index: number) => all[index % all.length] as Buffer;
  return hold(target, outcomes, { connections: 210, bytes, isRead: true });
};

/** Imports of 4 MB of which the end never comes. */
export const unfinishedImports: Attack = (target, outcomes) => {
  const bytes = unfinished('/imports/agents', bearer(target.key), IMPORT_BODY);
  return hold(target, outcomes, { connections: 120, bytes: () => bytes, isRead: true });
};

const RECORDS = 500;
/** So many that a body has 450,000 in all, and so many that it holds fewer values than a body may. */
const FAULTS_A_RECORD = [900, 90];

/** Records in which every value, name or pair is a fault. */
function faultyRecords(faults: number): object[] {
  const numbers = Array.from({ length: faults }, (_, index) => index);
  return [
    { firstName: 'Ana', lastName: 'Silva', languages: numbers.map(() => 1) },
    Object.fromEntries(numbers.map((n) => [`n${n}`, 1])),
    { firstName: 'Ana', lastName: 'Silva', metadata: Object.fromEntries(numbers.map((n) => [n, 1])) },
  ];
}

function faultyImport(record: object, { key }: Pick<AttackTarget, 'key'>): Buffer {
  const body = Buffer.from(`{"records":[${Array(RECORDS).fill(JSON.stringify(record)).join(',')}]}`);
  const headers = { ...bearer(key), ...json, 'Content-Length': body.length };
  return Buffer.concat([Buffer.from(head('POST', '/imports/agents', headers)), body]);
}

/** Imports that are all faults, each of which would be named in the answer. */
export const faultLists: Attack = (target, outcomes) => {
  const all = FAULTS_A_RECORD.flatMap(faultyRecords).map((record) => faultyImport(record, target));
  const bytes = (index: number) => all[index % all.length] as Buffer;
  return repeat(target, outcomes, { connections: 8, bytes, pauseMs: 100 });
};
