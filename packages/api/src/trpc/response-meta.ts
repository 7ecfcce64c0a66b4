import type { ReadState } from '@roster/db';

/** The report of a procedure about its response; REST and RPC put it into response headers. */
export interface ResponseMeta {
  /** Whether the response is the stored one of an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
  /** Of an event stream: the cursor at which it starts. */
  cursor?: string;
  /** The state of the data that the request has read; undefined if the service has no replicas. */
  readState?: ReadState;
}
