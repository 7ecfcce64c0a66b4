/** Records of a page, unless a client prefers another number. */
export const PAGE_SIZE = 100;
export const PAGE_SIZE_MAX = 1_000;
/** A page counts as one request for each so many records, as in REST, whose pages have no more. */
export const RECORDS_OF_REQUEST = 200;
export const SKIP_MAX = 10_000;
/** Reads of the log that a page of rare events may take, each of which costs one request more. */
export const EVENT_READS_MAX = 10;
/** For how long a read of the log waits for the numbers of events that are committed. */
export const EVENT_WAIT_MS = 5_000;
/** Values of open lookups, which are those that records have, that Lookup has of each set. */
export const OPEN_VALUES_MAX = 20_000;
/** Records of one collection that an expansion has, such as the members of an office; more are behind its own link. */
export const COLLECTION_MAX = 100;
/** Entities of a page whose collections can be expanded. */
export const EXPANDED_COLLECTIONS_MAX = 50;
