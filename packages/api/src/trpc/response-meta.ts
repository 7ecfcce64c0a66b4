export interface ResponseMeta {
  isReplayed: boolean;
  /** The cursor at which an event stream starts. */
  cursor?: string;
}
