import type { QueryResult } from 'kysely';
import { ReplicaBehindError } from '../errors.ts';
import type { Session } from '../protocol/session.ts';
import { type EncodedStatement, encode, type OnEnded } from '../protocol/statement.ts';
import type { LsnCheck, ReadResult } from '../types.ts';

/**
 * Sends a statement between two LSN probes. The statements of a connection run in order and its server only moves forward,
 * so the probe before shows that the server had replayed `minLsn`, and the probe after is behind everything the statement
 * has seen. The probe before is omitted if the last one on this connection was far enough.
 *
 * `onEnded` gets a `ReplicaBehindError` if the server had not replayed `minLsn`.
 */
export function sendWithLsnCheck(
  session: Session,
  { statement, lsnCheck: { probe, minLsn } }: { statement: EncodedStatement; lsnCheck: LsnCheck },
  onEnded: OnEnded,
): void {
  const encodedProbe = encode({ sql: probe.sql, parameters: [] });
  let failure: Error | undefined;
  let result: QueryResult<unknown> = { rows: [] };
  const readLsn = (error: Error | undefined, { rows: [row] }: QueryResult<unknown>) => {
    session.lastLsn = error === undefined ? probe.read(row) : undefined;
    return session.lastLsn;
  };
  if (minLsn !== undefined && !isReached(session.lastLsn, minLsn)) {
    session.send(encodedProbe, (error, probed) => {
      const hasReplayed = isReached(readLsn(error, probed), minLsn);
      failure = error ?? (hasReplayed ? undefined : new ReplicaBehindError());
    });
  }
  session.send(statement, (error, statementResult) => {
    failure ??= error;
    result = statementResult;
  });
  session.send(encodedProbe, (error, probed) => {
    const lsn = readLsn(error, probed);
    const withLsn: ReadResult<unknown> = { ...result, lsn };
    onEnded(failure ?? error, withLsn);
  });
}

function isReached(lsn: string | undefined, minLsn: string): boolean {
  return lsn !== undefined && lsn >= minLsn;
}
