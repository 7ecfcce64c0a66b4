/** The report of a procedure about its response; REST and RPC put it into response headers. */
export interface ResponseMeta {
  /** Whether the response is the stored one of an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
  /** Of an event stream: the cursor at which it starts. */
  cursor?: string;
}
