export const PAGE_SIZE = 100;
export const PAGE_SIZE_MAX = 1_000;
/** Records that count as one request, as in REST. */
export const RECORDS_OF_REQUEST = 200;
export const SKIP_MAX = 10_000;
/** For a page of rare events; each costs one more request. */
export const EVENT_READS_MAX = 10;
/** A read waits this long for the positions of committed events. */
export const EVENT_WAIT_MS = 5_000;
/** Per set. */
export const OPEN_VALUES_MAX = 20_000;
/** Expanded records of one collection; more follow its own link. */
export const COLLECTION_MAX = 100;
/** Entities on a page that can have expanded collections. */
export const EXPANDED_COLLECTIONS_MAX = 50;
