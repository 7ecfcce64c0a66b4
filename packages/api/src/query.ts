/**
 * Reads records by a condition, and the log without its records. It is not part of server.ts, because only what needs it loads it, at its first request: a server
 * that gets no such request has neither its start nor its memory.
 */

export { type EntryPage, type EntryQuery, type LogEntry, queryEntries } from './events/entries.ts';
export { waitForPositions } from './events/waiting.ts';
export { isStorable } from './resources/query/check.ts';
export { type FieldText, findFieldTexts } from './resources/query/field-texts.ts';
export { queryFields } from './resources/query/fields.ts';
export { valueAt } from './resources/query/order.ts';
export { queryRecords } from './resources/query/query-records.ts';
