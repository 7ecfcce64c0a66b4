import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const BYTES = 16;

/** Random bytes that no ID has used. Asking for those of one ID at a time costs more than all else. */
const pool = new Uint8Array(256 * BYTES);
let start = pool.length;

/** A UUID of version 7: in the order of the times, and at the same time in that of the sequence, which is random unless given. */
export function newId(now: Date, seq?: number): string {
  if (start === pool.length) {
    randomFillSync(pool);
    start = 0;
  }
  const random = pool.subarray(start, start + BYTES);
  start += BYTES;
  return uuidv7({ msecs: now.getTime(), random, ...(seq !== undefined && { seq }) });
}
