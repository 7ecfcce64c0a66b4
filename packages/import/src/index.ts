/**
 * The way from a file to records: the encoding, the names of columns, the values of cells, the records of rows, and how the console
 * sends them. The server and the console read bytes each in its own way.
 */
export {
  type Batch,
  eachBatch,
  fittingRows,
  type OutgoingRow,
  ROWS_PER_BATCH_MAX,
} from './batches.ts';
export { formatCell } from './cell-values.ts';
export { type Column, columnsOf, headerReader } from './columns.ts';
export { type Counts, noCounts } from './counts.ts';
export {
  csvOptions,
  csvRowOf,
  delimiterOf,
  type ParsedRecord,
  type ParseFailure,
  type PlacedRecord,
  placedRecords,
} from './csv.ts';
export { type DateFormat, isMonth, partsOfDay, toIsoDay } from './days.ts';
export { findEncoding } from './encoding.ts';
export { recordsById } from './existing-records.ts';
export { exportedColumns, itemRecords } from './exported-rows.ts';
export { distinctHeaders } from './files/cell-texts.ts';
export { escapeFormula, unescapeFormula } from './formulas.ts';
export {
  type FileColumn,
  foldedHeader,
  knownNames,
  repeatedColumns,
  streetOf,
  whyNoColumn,
} from './header.ts';
export { IMPORT_ATTEMPTS, IMPORT_TIMEOUT_MS, type ImportClient, importClientOf } from './import-client.ts';
export { createImportable, type Importable, type ImportField, importableNames } from './importable.ts';
export { levelsOf } from './levels.ts';
export { type ColumnReader, ndjsonRowOf } from './ndjson.ts';
export { type RowIdentity, type RowRecord, recordOf, rowIdentityOf } from './row-record.ts';
export {
  BrokenRow,
  fieldPathOf,
  type Headers,
  headerOf,
  type Input,
  type ReadRow,
  ROW_MAX,
  type RowError,
  type Rows,
} from './rows.ts';
export { type MatchedBy, type RowResult, type SendOptions, sendBatch } from './send-batch.ts';
export { bareName } from './synonyms.ts';
