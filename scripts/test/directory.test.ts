import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { directory } from '../../packages/api/src/directory/registry.ts';

/**
 * The resources of the directory are data: what differs between them is a property of their definitions, so that the compiler finds
 * what a new resource needs. A comparison of a name is what no compiler finds.
 */

const root = join(import.meta.dirname, '../..');

/** The sources that are held to it. */
const sources = [
  ...['api', 'db', 'import', 'mcp', 'reso', 'odata', 'contract', 'client'].map(
    (name) => `packages/${name}/src`,
  ),
  ...['server', 'cli', 'console'].map((name) => `apps/${name}/src`),
  'packages/contract/scripts',
];

/** The places that have an entry for each resource, and why. Where one is missing, mostly the compiler says so. */
const lists: Readonly<Record<string, string>> = {
  'packages/api/src/directory/registry.ts': 'the resources',
  'packages/import/src/synonyms.ts': 'what spreadsheets call the fields of each',
  'packages/import/src/reso-names.ts':
    'the names of the RESO Data Dictionary, which the server loads without the rest',
  'packages/reso/src/definitions/index.ts': 'the entity sets of the RESO Web API',
  'packages/api/src/router.ts': 'the routers, whose types are those of clients',
  'packages/api/src/imports/rules.ts': 'the fields that only an import reads',
  'packages/api/src/duplicates/compared.ts': 'the fields by which records are compared',
  'packages/api/src/jobs/bulk/schemas.ts': 'the bulk changes of one kind of record',
  'packages/api/src/stats/counts.ts': 'the counts of one kind of record',
  'packages/api/src/imports/router.ts': 'the imports of each, which stand in the router by their paths',
  'apps/server/src/pages/docs-page.ts': 'records that the examples of the documentation create',
  'apps/cli/src/commands/examples.ts':
    'the examples of commands; a resource without any has those that follow from its fields',
  'apps/console/src/resources/index.ts': 'the labels, icons and groups of each',
};

/** The other files that name several resources, and why. */
const naming: Readonly<Record<string, string>> = {
  'apps/console/src/api/caller.ts': 'the scopes under which all scheduled changes are',
  'apps/cli/src/ui/error-hints.ts': 'what to do about errors between an office and its agents',
  'apps/console/src/features/home/home-page.tsx': 'the numbers of offices and agents',
  'apps/console/src/features/people/roles.tsx': 'what each role may do',
  'apps/console/src/features/record-page/actions/record-actions.tsx':
    'the transfer of all agents of an office',
  'packages/api/src/errors/constraint-errors.ts':
    'tables, columns and constraints between offices and agents',
  'packages/api/src/errors/error-codes.ts': 'errors of rules between an office and its agents',
  'packages/api/src/index.ts': 'a door of the package',
  'packages/api/src/host/run-due.ts': 'the job that moves the agents of an office',
  'packages/api/src/log/event-details.ts': 'the event of an agent that is transferred between offices',
  'packages/api/src/stats/router.ts': 'what is counted of both',
  'packages/api/src/schedule/schemas.ts': 'the scheduled transfer of agents to an office',
  'packages/api/src/stats/schemas.ts': 'what is counted of both',
  'packages/import/src/header-words.ts': 'words in the names of columns',
  'packages/import/src/values/names.ts': 'words in the names of companies',
  'apps/console/src/features/imports/phone-country-field.tsx': 'the country of an agent by its office',
  'apps/console/src/features/home/needs.tsx': 'licences of agents with their offices',
  'apps/console/src/features/record-page/needs-attention.tsx': 'licences of the agents of an office',
  'apps/console/src/features/record-page/record-details.tsx': 'the page of an office begins with its agents',
  'apps/console/src/features/record-page/record-head.tsx': 'the manager of an office',
  'apps/console/src/features/record-page/relations.tsx': 'the agents of an office as a table',
  'packages/db/src/tables.ts': 'tables, columns and constraints between offices and agents',
  'packages/mcp/src/server.ts': 'questions about an office and its agents',
  'packages/mcp/src/tools.ts': 'tools between an office and its agents',
};

/** The most files that may name several resources, the lists among them: a limit that only falls. */
const NAMING_MAX = 37;

const plurals = Object.keys(directory);
const singulars: string[] = Object.values(directory).map(({ table }) => table);
const names = [...plurals, ...singulars];

interface Node {
  type: string;
  start: number;
  [part: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** All nodes of a syntax tree, each before those within it. */
function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const part of Object.values(node)) {
    for (const inner of Array.isArray(part) ? part : [part]) if (isNode(inner)) yield* nodesOf(inner);
  }
}

interface Finding {
  path: string;
  line: number;
}

/** The text of a literal, also as a type, and of a name before a value; undefined for what is no text. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'TSLiteralType') return textOf(node.literal);
  if (node.type === 'Identifier') return String(node.name);
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

const literalOf = (node: unknown) => (isNode(node) && node.type === 'Identifier' ? undefined : textOf(node));
const isName = (text: string | undefined): boolean => text !== undefined && names.includes(text);

/** Whether several resources are among some texts. */
function areResources(texts: readonly (string | undefined)[]): boolean {
  const has = (all: readonly string[]) => all.filter((name) => texts.includes(name)).length > 1;
  return has(plurals) || has(singulars);
}

/** Whether a node compares a value with the name of a resource, or chooses by it. */
function isComparison({ type, ...node }: Node): boolean {
  switch (type) {
    case 'BinaryExpression':
      return (
        /^[!=]==?$/.test(String(node.operator)) &&
        [node.left, node.right].some((side) => isName(literalOf(side)))
      );
    case 'SwitchCase':
      return isName(literalOf(node.test));
    case 'ObjectExpression':
      return areResources((node.properties as Node[]).map(({ key }) => textOf(key)));
    default:
      return false;
  }
}

/** Whether a node lists the names of resources: a union of types, or the values of an enum. */
function isUnion({ type, ...node }: Node): boolean {
  if (type === 'TSUnionType') return areResources((node.types as Node[]).map(literalOf));
  return type === 'ArrayExpression' && areResources((node.elements as Node[]).map(literalOf));
}

/**
 * Whether the syntax tree of a file has the names of several resources, as names or as words of texts; comments have no nodes.
 * `office_id` is the name of something else, as `officeId` is.
 */
function namesResources(program: Node): boolean {
  const words = new Set<string>();
  for (const node of nodesOf(program)) {
    const text = node.type === 'TemplateElement' ? (node.value as { raw: string }).raw : textOf(node);
    for (const word of text?.match(/[A-Za-z_]+/g) ?? []) words.add(word);
  }
  const isNamed = (index: number) => [plurals, singulars].some((all) => words.has(all[index] ?? ''));
  return plurals.filter((_, index) => isNamed(index)).length > 1;
}

interface SourceFile {
  path: string;
  text: string;
  program: Node;
}

/** The files of the sources that are no tests, and neither in the folder of a resource nor named after one. */
function readSources(): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...sources], {
    cwd: root,
    encoding: 'utf8',
  });
  const isOwn = (path: string) =>
    path
      .replace(/\.tsx?$/, '')
      .split('/')
      .some((part) => plurals.includes(part));
  const isOther = (path: string) =>
    /\.(test|test-d|fixture|d)\.tsx?$|\/testing\/|\/migrations\/|\/repeatable\/records\.ts$/.test(path);
  const paths = listed.split('\n').filter((path) => /\.tsx?$/.test(path) && !isOwn(path) && !isOther(path));
  return paths.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const { program, errors } = parseSync(path, text);
    if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
    return { path, text, program: program as unknown as Node };
  });
}

const files = readSources();

/** Where in the sources, outside the lists, nodes are that meet a condition. */
function find(condition: (node: Node) => boolean): Finding[] {
  return files
    .filter(({ path }) => !(path in lists))
    .flatMap(({ path, text, program }) =>
      [...nodesOf(program)]
        .filter(condition)
        .map(({ start }) => ({ path, line: text.slice(0, start).split('\n').length })),
    );
}

const treeOf = (text: string) => [...nodesOf(parseSync('example.ts', text).program as unknown as Node)];

describe('outside the folders of the resources', () => {
  it.each(sources)('%s has source files', (source) => {
    expect(files.filter(({ path }) => path.startsWith(`${source}/`)).length).toBeGreaterThan(0);
  });

  it('no value is compared with the name of a resource, or chosen by it', () => {
    expect(find(isComparison)).toEqual([]);
  });

  it('no type and no list names the resources: all come from the directory', () => {
    expect(find(isUnion)).toEqual([]);
  });

  it('only the files that are listed with a reason name several resources', () => {
    const found = files.filter(({ path, program }) => !(path in lists) && namesResources(program));
    const allowed = Object.keys(naming);
    expect(found.map(({ path }) => path).sort()).toEqual(allowed.sort());
    expect(Object.keys(lists).length + allowed.length).toBeLessThanOrEqual(NAMING_MAX);
  });
});

describe('the check by the syntax tree', () => {
  it.each([
    "if (name === 'agents') stop();",
    "const path = 'office' != table ? 1 : 2;",
    "switch (name) { case 'offices': }",
    'const pages = { offices: first, agents: second }[name];',
    'const pages = { offices, agents };',
  ])('finds a comparison in %s', (text) => {
    expect(treeOf(text).some(isComparison)).toBe(true);
  });

  it.each(["type Name = 'offices' | 'agents' | 'all';", "z.enum(['offices', 'agents'])"])(
    'finds a union in %s',
    (text) => {
      expect(treeOf(text).some(isUnion)).toBe(true);
    },
  );

  it.each([
    "// name === 'agents'",
    "log('offices or agents');",
    'const filter = { offices };',
    "type Status = 'active' | 'agents'",
  ])('finds nothing in %s', (text) => {
    expect(treeOf(text).some((node) => isComparison(node) || isUnion(node))).toBe(false);
  });
});
