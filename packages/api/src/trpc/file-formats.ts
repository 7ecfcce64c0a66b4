/** The settings by which the rows of a file are read: those of its import, and those that were found out. */
export interface FileSettings {
  name: string | null;
  format: 'csv' | 'ndjson';
  encoding: string;
  delimiter: string;
  /** The names of the columns of a CSV file, in their order. */
  headers: readonly string[];
  sourceName?: string | undefined;
  keyColumn?: string | undefined;
  columns: Readonly<Record<string, string>>;
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  dates: Readonly<Record<string, 'iso' | 'day-first' | 'month-first' | 'year-first'>>;
  emptyCells: 'keep' | 'clear';
  columnEmptyCells: Readonly<Record<string, 'keep' | 'clear'>>;
  isUnknownIgnored: boolean;
  /** The country of phone numbers without a country code; undefined leaves it to the records. */
  phoneCountry?: string | undefined;
  /** The columns of a CSV file with the fields that they set; null for one that is left out. */
  fields: readonly { name: string; field: string | null }[];
}

/** The beginning of a part of a file: the number of its first row and line. */
interface Place {
  row: number;
  line: number;
}

/** A fault of a row. */
export interface RowFault {
  column: string;
  value: string | null;
  code: string;
  detail: string;
}

/** A row of a file as a record. */
export interface FileRow extends Place {
  /** The bytes of the text up to the end of the row, and where the next one begins. */
  bytes: number;
  next: Place;
  record: Record<string, unknown>;
  /** The key of its record, in the form in which rows are compared. */
  source: string | null;
  recordId: string | null;
  email: string | null;
  /** The source of the office above its own. */
  main: string | null;
  status: string | null;
  /** The texts of its cells in their order; of NDJSON the line. */
  cells: string[];
  /** The list of the record of which the row is an item, if it is one. */
  list: string | null;
  faults: RowFault[];
}

/** The options of an upload by which its file is read. */
interface FileOptions {
  name?: string | undefined;
  format?: 'csv' | 'ndjson' | undefined;
  /** The canonical name of the encoding that the file has. */
  encoding: string;
  delimiter?: string | undefined;
  sourceName?: string | undefined;
  keyColumn?: string | undefined;
  mapping?:
    | ({
        [Part in 'columns' | 'values' | 'dates' | 'phoneCountry']?: FileSettings[Part] | undefined;
      } & { emptyCells?: FileSettings['columnEmptyCells'] | undefined })
    | undefined;
  emptyCells?: 'keep' | 'clear' | undefined;
  ignoreUnknown?: boolean | undefined;
}

/** The columns of a file by its beginning, and what they are taken for. */
interface FilePreview {
  resource: string;
  format: FileSettings['format'];
  delimiter: string;
  columns: {
    name: string;
    field: string | null;
    samples: string[];
    values: { text: string; count: number; choice: string | null }[] | null;
    dates: FileSettings['dates'][string] | null;
    empty: number;
  }[];
  problems: { code: 'repeated' | 'no_columns'; columns: string[] }[];
}

/** Reads files. The server has it from the package that knows formats and names of columns. */
export interface FileFormats {
  /** Throws `validation_failed` for what is no text by its first bytes, such as a workbook. */
  checkIsText: (head: Uint8Array) => void;
  /** The encoding that the beginning of a file names or has for sure; undefined for one that may be UTF-8. */
  findEncoding: (head: Uint8Array) => string | undefined;
  /**
   * Finds out how a file is read, by its beginning as text. Throws `validation_failed` if its header and the options do not
   * fit.
   */
  settingsOf: (resource: string, beginning: Buffer, options: FileOptions) => Promise<FileSettings>;
  /**
   * Finds out what the columns of a file are taken for, by its beginning as text. Of several resources it is the one whose fields
   * most columns set. Throws `validation_failed` if the file has no header, or the mapping names an unknown field.
   */
  previewOf: (
    resources: readonly string[],
    beginning: Buffer,
    options: Omit<FileOptions, 'encoding'> & { isCut: boolean },
  ) => Promise<FilePreview>;
  /**
   * Reads the rows of a part of a file, which begins where a row does. One with a text that cannot be kept has that fault, and no
   * values.
   */
  readRows: (
    resource: string,
    text: AsyncIterable<Buffer>,
    options: { settings: FileSettings; from: Place; isStorable: (text: string) => boolean },
  ) => AsyncIterable<FileRow>;
  /** The name in the file of a field such as `address.city`; the field if no column has it. */
  columnOf: (resource: string, settings: FileSettings, field: string) => string;
}
