/**
 * A position in the history of the database: the term of a primary (8 hexadecimal digits; a failover, or a restore into
 * another cluster, starts the next term) and an LSN of its write-ahead log (16 digits). All tokens have the same length, so
 * their order as text is their order in time.
 */
export type ConsistencyToken = string;

/** @param lsn in PostgreSQL's text format: `0/3000148` */
export function toToken(term: number, lsn: string): ConsistencyToken {
  const [high = '', low = ''] = lsn.split('/');
  return (toDigits(term.toString(16)) + toDigits(high) + toDigits(low)).toUpperCase();
}

function toDigits(hexadecimal: string): string {
  return hexadecimal.padStart(8, '0');
}

/** A token in its canonical letter case; undefined if the text is not a token. */
export function parseToken(text: string): ConsistencyToken | undefined {
  return /^[0-9A-Fa-f]{24}$/.test(text) ? text.toUpperCase() : undefined;
}

/** The later of two tokens, either of which may be missing. */
export function laterToken(
  a: ConsistencyToken | undefined,
  b: ConsistencyToken | undefined,
): ConsistencyToken | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
