/**
 * Reads records by a condition, and the log without its records. It is not part of server.ts, because only what needs it loads it, at its first request: a server
 * that gets no such request has neither its start nor its memory.
 */

export { type EntryPage, type EntryQuery, type LogEntry, queryEntries } from './events/entries.ts';
export { waitForPositions } from './events/waiting.ts';
export type {
  Comparison,
  Condition,
  ItemCondition,
  Literal,
  OrderBy,
  RecordQuery,
  RecordQueryPage,
  TextFunction,
} from './records/query/condition.ts';
export { type FieldText, type FieldTextQuery, findFieldTexts } from './records/query/field-texts.ts';
export { type QueriedName, queryFields } from './records/query/fields.ts';
export type { QueryFieldType } from './records/query/queried.ts';
export { queryRecords } from './records/query/query-records.ts';
