/**
 * The SQLSTATE codes that are compared with anywhere, by the names of PostgreSQL's manual (appendix "PostgreSQL Error
 * Codes").
 */
export const SQLSTATE = {
  adminShutdown: '57P01',
  cannotConnectNow: '57P03',
  checkViolation: '23514',
  connectionFailure: '08006',
  crashShutdown: '57P02',
  deadlockDetected: '40P01',
  duplicatePreparedStatement: '42P05',
  foreignKeyViolation: '23503',
  idleInTransactionSessionTimeout: '25P03',
  idleSessionTimeout: '57P05',
  inFailedSqlTransaction: '25P02',
  invalidAuthorizationSpecification: '28000',
  invalidCatalogName: '3D000',
  invalidParameterValue: '22023',
  invalidPassword: '28P01',
  invalidSqlStatementName: '26000',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  readOnlySqlTransaction: '25006',
  serializationFailure: '40001',
  tooManyConnections: '53300',
  undefinedTable: '42P01',
  uniqueViolation: '23505',
} as const;

/**
 * The code of an error: a SQLSTATE for an error of PostgreSQL, the system's code ('ECONNREFUSED') for one of a socket or
 * file; undefined for anything without a code.
 */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}
