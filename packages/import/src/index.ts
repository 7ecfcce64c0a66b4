/** The names of columns and the values of cells, which the server, the command line and the console share. */

export { formatCell } from './cell-values.ts';
export { type Column, columnsOf, headerReader, WHOLE_NAME } from './columns.ts';
export { findEncoding, findForeignFormat, isPacked } from './encoding.ts';
export { exportedColumns, itemRecords } from './exported-rows.ts';
export { errorHeaders, isErrorHeader, nearestFields, searchFields } from './files/file-columns.ts';
export { foldedHeader, knownNames } from './header.ts';
export { headerWords } from './header-words.ts';
export { createImportable, type Importable, type OfficeFields } from './importable.ts';
export { type Headers, headerOf } from './rows.ts';
export { bareName } from './synonyms.ts';
export { countryName, findCountry } from './values/countries.ts';
export { dateOrderOf, toIsoDay } from './values/days.ts';
export { escapeFormula, unescapeFormula } from './values/formulas.ts';
