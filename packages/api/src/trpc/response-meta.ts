/** Becomes response headers in REST and RPC. */
export interface ResponseMeta {
  isReplayed: boolean;
  /** The cursor at which an event stream starts. */
  cursor?: string;
}
