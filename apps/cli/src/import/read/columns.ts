import { verbContract } from '../../contract/contract.ts';
import type { Importable } from '../importable.ts';
import { resoNames } from './reso-names.ts';
import { bareName, synonyms } from './synonyms.ts';

/**
 * How a cell is read and written: `text` as it is, `choice` as one of few words, `list` as texts with commas between,
 * `json` as JSON.
 */
type CellKind = 'text' | 'choice' | 'list' | 'json';

/** One column that a file may have. */
export interface Column {
  /** Where its value is in a record: `address.city`. */
  place: string;
  path: readonly string[];
  kind: CellKind;
  description: string;
  /** The name in the RESO Data Dictionary 2.0. */
  reso?: string;
}

type Described = Pick<Column, 'place' | 'kind' | 'description'>;

/** Where a place with dots and brackets is: `licenses[0].number` is in `licenses`, `0`, `number`. */
function pathOf(place: string): string[] {
  return place.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
}

const kinds = { list: 'list', records: 'json', map: 'json', object: 'json' } as const;

/** The columns for what a new record may say. */
function fieldColumns({ name }: Importable): Described[] {
  return verbContract(name, 'create').fields.map(({ path, kind, choices, description }) => ({
    place: path.join('.'),
    kind: choices === undefined ? (kinds[kind as keyof typeof kinds] ?? 'text') : 'choice',
    description,
  }));
}

/** Columns beside those of the fields: which record it is, its state, other names of its office. */
function ownColumns({ singular, officeSource, officeName, officeId }: Importable): Described[] {
  const office = officeId === 'officeId' ? 'the office the agent works in' : 'the main office';
  return [
    {
      place: 'id',
      kind: 'text',
      description: `The id of the ${singular}, here or where the file comes from`,
    },
    {
      place: 'status',
      kind: 'choice',
      description: '`active` or `inactive`; the record is deactivated or reactivated where it differs',
    },
    { place: officeSource, kind: 'json', description: `Where ${office} came from, instead of its id` },
    {
      place: `${officeSource}.name`,
      kind: 'text',
      description: `The source of ${office}; that of the row unless given`,
    },
    { place: `${officeSource}.key`, kind: 'text', description: `The key of ${office} in its source` },
    ...(officeName === undefined
      ? []
      : ([
          { place: officeName, kind: 'text', description: `The name of ${office}, if no other has it` },
        ] as const)),
  ];
}

/** Columns that only the Data Dictionary knows: parts of fields. */
const partColumns: Described[] = [
  { place: 'licenses[0].number', kind: 'text', description: 'The number of the only licence' },
  { place: 'licenses[0].region', kind: 'text', description: 'Where the only licence holds' },
  { place: 'licenses[0].type', kind: 'text', description: 'The kind of the only licence' },
  { place: 'licenses[0].expiresOn', kind: 'text', description: 'The last day of the only licence' },
  {
    place: 'address.postalCodePlus4',
    kind: 'text',
    description: 'What follows the postal code after a hyphen',
  },
];

/** Every column that an import of these records reads. */
export function columnsOf(importable: Importable): Column[] {
  const byPlace = new Map(Object.entries(resoNames[importable.name]).map(([reso, place]) => [place, reso]));
  return [...ownColumns(importable), ...fieldColumns(importable), ...partColumns].map((column) => {
    const reso = byPlace.get(column.place);
    return { ...column, path: pathOf(column.place), ...(reso !== undefined && { reso }) };
  });
}

/** What the service sets, and nobody else: named to say so. */
const readOnly = new Set([
  ...[
    'statusReason',
    'statusChangedAt',
    'deactivatedAt',
    'createdAt',
    'updatedAt',
    'version',
    'transferredAt',
  ],
]);

const snake = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('.', '_');

/** All the ways a place may be written in a header, in small letters: `address.city`, `address_city`, `addresscity`. */
function spellingsOf(place: string): string[] {
  return [place, snake(place), place.replaceAll('.', '')].map((name) => name.toLowerCase());
}

/** What a name in a header means. */
export type Meaning =
  | { kind: 'column'; column: Column }
  | { kind: 'read-only'; place: string }
  | { kind: 'unknown' };

const METADATA = 'metadata.';

/** Usual names of columns, without their spaces and punctuation; one that could mean two places means neither. */
function usualNames(importable: Importable, columns: readonly Column[]): Map<string, Meaning> {
  const byPlace = new Map(columns.map((column) => [column.place, column]));
  const meanings = new Map<string, Meaning>();
  for (const column of columns)
    for (const name of [column.place, column.reso ?? column.place])
      meanings.set(bareName(name), { kind: 'column', column });
  for (const [place, names] of Object.entries(synonyms[importable.name])) {
    const column = byPlace.get(place);
    if (column === undefined) throw new Error(`There is no column ${place}`);
    for (const name of names)
      if (!meanings.has(bareName(name))) meanings.set(bareName(name), { kind: 'column', column });
  }
  return meanings;
}

/**
 * How the names in a file's header are understood, in any letter case: our names, snake_case, the Data Dictionary's, and
 * those that are usual in spreadsheets (`First Name`, `E-mail`, `Zip`).
 */
export function headerReader(importable: Importable): (name: string) => Meaning {
  const meanings = new Map<string, Meaning>();
  for (const place of readOnly)
    for (const name of spellingsOf(place)) meanings.set(name, { kind: 'read-only', place });
  const columns = columnsOf(importable);
  const usual = usualNames(importable, columns);
  for (const column of columns)
    for (const name of spellingsOf(column.place)) meanings.set(name, { kind: 'column', column });
  for (const [name, place] of Object.entries(resoNames[importable.name])) {
    const meaning = meanings.get(place.toLowerCase());
    if (meaning !== undefined) meanings.set(name.toLowerCase(), meaning);
  }
  return (header) => {
    const name = header.trim();
    // A name that no metadata may have: an assignment to it would be lost without a word.
    if (name === `${METADATA}__proto__`) return { kind: 'unknown' };
    if (name.startsWith(METADATA) && name.length > METADATA.length) {
      const path = ['metadata', name.slice(METADATA.length)];
      return { kind: 'column', column: { place: name, path, kind: 'text', description: '' } };
    }
    return meanings.get(name.toLowerCase()) ?? usual.get(bareName(name)) ?? { kind: 'unknown' };
  };
}
