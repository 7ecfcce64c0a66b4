/**
 * Reads records by a condition. It is not part of server.ts, because only what needs it loads it, at its first request: a server
 * that gets no such request has neither its start nor its memory.
 */

export { queryFields } from './resources/query/fields.ts';
export { queryRecords } from './resources/query/query-records.ts';
