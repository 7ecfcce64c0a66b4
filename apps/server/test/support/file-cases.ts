import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Import, ImportError, ImportMapping, ImportRow, ResourceName } from '@roster/api';
import { type Body, directoryOf, type Page } from './fixtures.ts';
import type { TestServer } from './index.ts';

type Requests = Pick<TestServer, 'request'>;

const directory = join(import.meta.dirname, '../../../../packages/import/test/files');
const ending = '.expected.json';

interface FileProblem {
  code: string;
  advice: string;
}

/** A small file in the layout of a program, a register or a spreadsheet, and the outcome of its import. */
export interface FileCase {
  name: string;
  path: string;
  bytes: Buffer;
  resource: ResourceName;
  /** The options that someone chooses for the file. Unknown columns are always ignored. */
  options: {
    encoding?: string;
    sourceName?: string;
    mapping?: Pick<ImportMapping, 'columns' | 'dates' | 'phoneCountry'>;
  };
  /** The offices and agents that the file refers to, by name and by email address. */
  existing: { offices?: string[]; agents?: string[] };
  /** Members of the preview. */
  preview: Body;
  /** The columns whose days the preview asks about, with the reason. */
  dateDoubts: Record<string, 'ambiguous' | 'contradictory'>;
  /** The code of the reason why nothing of the file can be imported, and a part of its words; undefined if rows are read. */
  problem?: FileProblem;
  /** The same for REST alone, which takes no workbook. */
  restProblem?: FileProblem;
  report: FileReport;
}

/** The outcome of an import. */
interface FileReport {
  /** The columns that set no field. */
  ignored: string[];
  /** The errors of rows: row, column and code. */
  errors: string[];
  /** The number of rows with each warning. */
  warnings: Record<string, number>;
  /** The records in the order of the rows, without what the service sets and what has no value. */
  records: Body[];
}

/** The files of the folder, each beside its outcome. */
export function fileCases(): FileCase[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(ending))
    .map((expected) => {
      const name = expected.slice(0, -ending.length);
      const path = join(directory, name);
      const {
        ignored = [],
        errors = [],
        warnings = {},
        records = [],
        ...said
      } = JSON.parse(readFileSync(join(directory, expected), 'utf8')) as Pick<FileCase, 'resource'> &
        Partial<FileCase> &
        Partial<FileReport>;
      const report = { ignored, errors, warnings, records };
      return {
        options: {},
        existing: {},
        preview: {},
        dateDoubts: {},
        ...said,
        name,
        path,
        bytes: readFileSync(path),
        report,
      };
    });
}

/** Creates the offices and agents that files refer to. */
export async function seedFileCases(server: Requests, cases: readonly FileCase[]): Promise<void> {
  const directory = directoryOf(server);
  const named = (kind: 'offices' | 'agents') =>
    new Set(cases.flatMap(({ existing }) => existing[kind] ?? []));
  for (const name of named('offices')) await directory.office({ name });
  for (const email of named('agents')) await directory.agent({ firstName: 'Team', lastName: email, email });
}

/** What the service sets of a record. */
const setByService = new Set([
  ...['id', 'version', 'createdAt', 'updatedAt', 'statusChangedAt', 'deactivatedAt', 'transferredAt'],
  ...['nextLicenseExpiresOn', 'officeId', 'agentId'],
]);

/** The parameters with which a list embeds the records that others refer to. */
const expansions: Readonly<Record<ResourceName, [string, string][]>> = {
  offices: [],
  agents: [['expand', 'office']],
  teams: [['expand', 'members']],
};

/** A value without what the service sets, and without what has no value. */
function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([name]) => !setByService.has(name))
    .map(([name, member]) => [name, name === 'office' ? (member?.name ?? null) : given(member)])
    .filter(([, member]) => !['null', '{}', '[]'].includes(JSON.stringify(member)));
  return Object.fromEntries(members);
}

async function read<Value>({ request }: Requests, path: string): Promise<Value> {
  const response = await request('GET', path);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Value;
}

/** Reads the outcome of an import that is written. */
export async function fileReport(server: Requests, id: string): Promise<FileReport> {
  const [{ columns, findings, resource }, errors, rows] = await Promise.all([
    read<Import>(server, `/imports/${id}`),
    read<Page<ImportError>>(server, `/imports/${id}/errors?limit=200`),
    read<Page<ImportRow>>(server, `/imports/${id}/rows?limit=200`),
  ]);
  const ids = [...new Set(rows.items.flatMap(({ recordId }) => recordId ?? []))];
  const query = new URLSearchParams([['limit', '200'], ...expansions[resource]]);
  for (const one of ids) query.append('ids', one);
  const { items } =
    ids.length === 0 ? { items: [] } : await read<Page<Body>>(server, `/${resource}?${query}`);
  const records = items.toSorted((one, other) => ids.indexOf(String(one.id)) - ids.indexOf(String(other.id)));
  const kinds = ['renames', 'clears', 'damaged', 'moves', 'deactivations'] as const;
  const names = new Map(records.map(({ id, name }) => [id, name]));
  return {
    ignored: columns.flatMap(({ name, field }) => (field === null ? [name] : [])),
    errors: errors.items.map(({ row, column, code }) => [row, column, code].join(' ')),
    warnings: Object.fromEntries(kinds.flatMap((kind) => (findings?.[kind] ? [[kind, findings[kind]]] : []))),
    records: records.map(({ mainOfficeId = null, ...record }) => {
      const known = given(record) as Body;
      return mainOfficeId === null ? known : { ...known, mainOffice: names.get(mainOfficeId) };
    }),
  };
}
