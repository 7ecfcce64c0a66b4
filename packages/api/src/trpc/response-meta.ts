import type { ReadState } from '@roster/db';

/** What a procedure reports about its response; REST and RPC put it into response headers. */
export interface ResponseMeta {
  /** Whether the response is the stored one of an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
  /** Of an event stream: the cursor at which it starts. */
  cursor?: string;
  /** How new the data was that the request has read; undefined if the service has no replicas. */
  readState?: ReadState;
}
