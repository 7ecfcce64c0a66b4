import type { FuzzHeaders } from './headers.ts';

/** A request with correct HTTP framing, whatever else is wrong with it. Ids that stand for known ones are not replaced yet. */
export interface FuzzRequest {
  method: string;
  target: string;
  headers: FuzzHeaders;
  body: string | Uint8Array | undefined;
  /** Whether it must be rejected. */
  isRejected?: boolean;
}
