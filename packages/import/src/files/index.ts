/** The way of a file on the server, from its text to records. It uses node:stream, which browsers have not. */
export {
  type CellFault,
  columnNameOf,
  type FileRow,
  fieldsByColumn,
  headersOf,
  type Place,
  readFileRows,
  readHeader,
} from './file-rows.ts';
export {
  type FilePreview,
  type FileTable,
  type PreviewProblem,
  previewTable,
  readTable,
} from './preview.ts';
export { FileError, type FileSettings } from './settings.ts';
