import { countries } from '@roster/fields/countries';
import { trimmedText } from '@roster/fields/text';
import { byWords } from './header-words.ts';
import type { Importable, ImportField } from './importable.ts';
import { resoNames } from './reso-names.ts';
import { bareName, contextsFor, synonymsOf } from './synonyms.ts';
import type { Side } from './values/days.ts';

/**
 * The way in which a cell is parsed: `text` unchanged, `choice` as an enum value, `list` as comma-separated texts, `json` as
 * JSON.
 */
type CellKind = 'text' | 'choice' | 'list' | 'json';

/** A column that a file may have. */
export interface Column {
  /** The path of its field: `address.city`. */
  field: string;
  path: readonly string[];
  kind: CellKind;
  description: string;
  /** The values that it takes, if they are a few. */
  choices?: readonly string[];
  /** Whether its choices are countries, which have names. */
  isCountry?: boolean;
  /** Whether it has days. */
  isDay?: boolean;
  /** Whether it has addresses. */
  isAddress?: boolean;
  /** Whether it has lists of languages. */
  isLanguages?: boolean;
  /** The side of today on which its days lie. */
  side?: Side;
  /** Whether it is a part of an item of a list, in a file that has a row for each item. */
  isOfItem?: boolean;
  /** The name in the RESO Data Dictionary 2.0. */
  reso?: string;
}

/** The column with the whole name of a person. */
export const WHOLE_NAME = 'wholeName';

type Described = Pick<
  Column,
  | 'field'
  | 'kind'
  | 'description'
  | 'choices'
  | 'isCountry'
  | 'isDay'
  | 'isAddress'
  | 'isLanguages'
  | 'isOfItem'
>;

/** Splits the path of a field: `licenses[0].number` is `licenses`, `0`, `number`. */
function pathOf(field: string): string[] {
  return field.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
}

const kinds = { list: 'list', records: 'json', map: 'json', object: 'json' } as const;

type Cell = Pick<Described, 'kind' | 'choices' | 'isCountry' | 'isDay'>;

const countryCodes = [...countries];

/** The way in which the cells of a column for a field are read. */
function cellOf({ kind, choices }: Pick<ImportField, 'kind' | 'choices'>): Cell {
  if (kind === 'country') return { kind: 'choice', choices: countryCodes, isCountry: true };
  return {
    kind: choices === undefined ? (kinds[kind as keyof typeof kinds] ?? 'text') : 'choice',
    ...(choices !== undefined && { choices }),
    ...(kind === 'date' && { isDay: true }),
  };
}

/** The columns for the fields of a new record. */
function fieldColumns({ fields }: Importable): Described[] {
  const isAddress = (name: string | undefined) =>
    fields.some(({ path: [whole, part] }) => whole === name && part === 'line1');
  return fields.map(({ path, description, ...field }) => ({
    field: path.join('.'),
    description,
    ...cellOf(field),
    ...(path.length === 1 && isAddress(path[0]) && { isAddress: true }),
    ...(path.join('.') === 'languages' && { isLanguages: true }),
  }));
}

/** The columns of a file that has a row for each item of a list. */
function itemColumns({ itemRows }: Importable): Described[] {
  if (itemRows === undefined) return [];
  const { field: list, parts, source, email, text } = itemRows;
  const column = (name: string, description: string, cell: Cell = { kind: 'text' }): Described => ({
    field: `${list}.${name}`,
    ...cell,
    isOfItem: true,
    description: `In a file with a row for each of the ${list}. ${description}`,
  });
  return [
    ...parts.map((part) => column(part.name, part.description, cellOf(part))),
    ...(email === undefined ? [] : [column(email, `The email address of ${text}, instead of the ID`)]),
    ...(source === undefined
      ? []
      : [
          column(`${source}.name`, `The name of the source of ${text}; by default that of the row`),
          column(`${source}.key`, `The key of ${text} in that source, instead of the ID`),
        ]),
  ];
}

/** The columns that name the office of a record otherwise than by its id. */
function officeColumns({ office }: Importable): Described[] {
  if (office === undefined) return [];
  const { source, name, text } = office;
  return [
    { field: source, kind: 'json', description: `The source of ${text}, instead of its ID` },
    {
      field: `${source}.name`,
      kind: 'text',
      description: `The name of the source of ${text}; by default that of the row`,
    },
    { field: `${source}.key`, kind: 'text', description: `The key of ${text} in its source` },
    ...(name === undefined
      ? []
      : ([{ field: name, kind: 'text', description: `The name of ${text}, if it is unique` }] as const)),
  ];
}

/** Further columns: the id and the status. */
function ownColumns({ singular }: Importable): Described[] {
  return [
    {
      field: 'id',
      kind: 'text',
      description: `The id of the ${singular}, here or in the system that the file comes from`,
    },
    {
      field: 'status',
      kind: 'choice',
      choices: ['active', 'inactive'],
      description: '`active` or `inactive`; the record is deactivated or reactivated if it differs',
    },
  ];
}

/** Columns for parts of fields that only the Data Dictionary has. */
const partColumns: Described[] = [
  {
    field: 'licenses[0].number',
    kind: 'text',
    description: 'The number of a licence, which is changed or added; the others stay',
  },
  { field: 'licenses[0].region', kind: 'text', description: 'The region of that licence' },
  { field: 'licenses[0].type', kind: 'text', description: 'The kind of that licence' },
  {
    field: 'licenses[0].expiresOn',
    kind: 'text',
    isDay: true,
    description: 'The last day of validity of that licence',
  },
  {
    field: 'address.postalCodePlus4',
    kind: 'text',
    description: 'The suffix of the postal code after a hyphen (ZIP+4)',
  },
];

/** The whole name of a person, of a resource whose records have a first and a last name. */
function nameColumns({ fields }: Importable): Described[] {
  if (!fields.some(({ path }) => path[0] === 'lastName')) return [];
  const description =
    'First, middle and last name in one cell, which is split: `DOE, JANE M` or `Jane M Doe`';
  return [{ field: WHOLE_NAME, kind: 'text', description }];
}

/** The names of the RESO Data Dictionary and their fields; none of a resource that it has not. */
function resoNamesOf({ name }: Importable): Readonly<Record<string, string>> {
  const all: Readonly<Record<string, Readonly<Record<string, string>>>> = resoNames;
  return all[name] ?? {};
}

/** Every column that an import reads. */
export function columnsOf(importable: Importable): Column[] {
  const byField = new Map(Object.entries(resoNamesOf(importable)).map(([reso, field]) => [field, reso]));
  return [
    ...ownColumns(importable),
    ...officeColumns(importable),
    ...fieldColumns(importable),
    ...itemColumns(importable),
    ...nameColumns(importable),
    ...partColumns.filter(({ field }) => importable.fields.some(({ path }) => path[0] === pathOf(field)[0])),
  ].map((column) => {
    const reso = byField.get(column.field);
    const side = column.isDay && column.field.endsWith('.since') ? ({ side: 'behind' } as const) : {};
    return { ...column, ...side, path: pathOf(column.field), ...(reso !== undefined && { reso }) };
  });
}

const snake = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('.', '_');

/** The spellings of a field in a header, in lower case: `address.city`, `address_city`, `addresscity`. */
function spellingsOf(field: string): string[] {
  return [field, snake(field), field.replaceAll('.', '')].map((name) => name.toLowerCase());
}

/** The meaning of a name in a header. */
export type Meaning =
  | { kind: 'column'; column: Column }
  | { kind: 'read-only'; field: string }
  | { kind: 'unknown' };

const METADATA = 'metadata.';

/**
 * Returns a function that interprets a name in the header of a file, ignoring letter case: field names, snake_case, names of
 * the Data Dictionary, and common names in spreadsheets (`First Name`, `E-mail`, `Zip`), compared word by word.
 */
export function headerReader(importable: Importable): (name: string) => Meaning {
  const columns = columnsOf(importable);
  const exact = new Map<string, Meaning>();
  for (const field of importable.readOnlyFields)
    for (const name of spellingsOf(field)) exact.set(name, { kind: 'read-only', field });
  for (const column of columns)
    for (const name of spellingsOf(column.field)) exact.set(name, { kind: 'column', column });
  for (const [name, field] of Object.entries(resoNamesOf(importable))) {
    const meaning = exact.get(field.toLowerCase());
    if (meaning !== undefined) exact.set(name.toLowerCase(), meaning);
  }
  const byField = new Map(columns.map((column) => [column.field, column]));
  // Not every resource has the field of a common name.
  const common = synonymsOf(importable.name).flatMap(({ field, ...one }) => {
    const column = byField.get(field);
    return column === undefined ? [] : { ...one, column };
  });
  const named = columns.flatMap((column) =>
    [column.field, column.reso ?? column.field].map((name): [string, Column] => [name, column]),
  );
  const usual = common.map(({ name, column }): [string, Column] => [name, column]);
  // Of two fields that share a name the first counts, and names of fields before others.
  const bare = new Map([...usual.toReversed(), ...named].map(([name, column]) => [bareName(name), column]));
  const ofWords = byWords(
    contextsFor(importable.name),
    common.flatMap(({ name, column, isWhole }) => (isWhole ? [] : [[name, column] as const])),
  );
  return (header) => {
    const name = trimmedText(header);
    // Assigning to this name would set the prototype instead.
    if (name === `${METADATA}__proto__`) return { kind: 'unknown' };
    if (name.startsWith(METADATA) && name.length > METADATA.length) {
      const path = ['metadata', name.slice(METADATA.length)];
      return { kind: 'column', column: { field: name, path, kind: 'text', description: '' } };
    }
    const meaning = exact.get(name.toLowerCase());
    if (meaning !== undefined) return meaning;
    const column = bare.get(bareName(name)) ?? ofWords(name);
    return column === undefined ? { kind: 'unknown' } : { kind: 'column', column };
  };
}
