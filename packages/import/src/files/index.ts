/** The way of a file on the server, from its text to records. It uses node:stream, which browsers have not. */
export type { Place } from '../csv.ts';
export {
  type CellFault,
  type CellNote,
  columnNameOf,
  type FileRow,
  fieldsByColumn,
  headersOf,
  readFileRows,
  rowReader,
} from './file-rows.ts';
export {
  type FilePreview,
  type FileTable,
  type PreviewProblem,
  previewTable,
  readHeader,
  readTable,
} from './preview.ts';
export { FileError, type FileSettings } from './settings.ts';
