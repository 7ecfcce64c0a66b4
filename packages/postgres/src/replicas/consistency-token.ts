/**
 * How far the database has come, as callers carry it: the term of a primary (8 hexadecimal digits; a failover or a
 * restore into another cluster begins the next one) and a place in its log (16; PostgreSQL's LSN). All are of one length,
 * so of two the greater text is the later.
 */
export type ConsistencyToken = string;

/** @param lsn as PostgreSQL writes it: `0/3000148` */
export function tokenOf(term: number, lsn: string): ConsistencyToken {
  const [high = '', low = ''] = lsn.split('/');
  return (digits(term.toString(16)) + digits(high) + digits(low)).toUpperCase();
}

function digits(hexadecimal: string): string {
  return hexadecimal.padStart(8, '0');
}

/** A token out of a request, in one letter case; undefined for what is none. */
export function parseToken(text: string): ConsistencyToken | undefined {
  return /^[0-9A-Fa-f]{24}$/.test(text) ? text.toUpperCase() : undefined;
}

/** The later of two, either of which may be missing. */
export function laterOf(
  a: ConsistencyToken | undefined,
  b: ConsistencyToken | undefined,
): ConsistencyToken | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
