import { readFileSync, writeFileSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { openApiDocument, operations } from '@roster/api';
import { examples } from '../src/commands/examples.ts';
import { importables } from '../src/import/importable.ts';
import { columnsOf } from '../src/import/read/columns.ts';
import { buildProgram } from '../src/program.ts';
import { nouns } from '../src/resources.ts';
import { introductions } from './docs-introductions.ts';

/** A JSON Schema, as far as a table of fields shows it. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  allOf?: Schema[];
  description?: string;
  example?: unknown;
  enum?: (string | null)[];
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
}

const folder = new URL('../../../docs/', import.meta.url);
const document = openApiDocument({ baseUrl: 'http://127.0.0.1:3000' }) as {
  components: { schemas: Record<string, Schema> };
};

/** The name in the document of the record that a noun is about. */
const records: Readonly<Record<string, string>> = {
  offices: 'Office',
  agents: 'Agent',
  events: 'Event',
  webhooks: 'Webhook',
  keys: 'Key',
};

/** The command tree; nothing of it is run. */
export function commandTree(): CommandUnknownOpts {
  return buildProgram({
    io: {} as never,
    env: {},
    cwd: '/',
    signal: AbortSignal.abort(),
    version: '',
    openUrl: async () => false,
  });
}

/** A text in a cell of a table. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');

function table(header: string[], rows: string[][]): string {
  const lines = [header, header.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function resolved(schema: Schema): Schema {
  const { $ref, allOf, anyOf, ...own } = schema;
  if ($ref !== undefined)
    return { ...resolved(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}), ...own };
  const [inner] = allOf ?? (anyOf ?? []).filter(({ type }) => type !== 'null');
  return inner === undefined ? schema : { ...resolved(inner), ...own };
}

/** What a value may be, in a few words. */
function kindOf(given: Schema): string {
  const { type, enum: choices, maxLength, maxItems, items, properties } = resolved(given);
  const name = [type].flat().find((one) => one !== 'null') ?? 'any';
  if (choices !== undefined)
    return choices.flatMap((choice) => (choice === null ? [] : [`\`${choice}\``])).join(', ');
  if (name === 'array')
    return `${maxItems === undefined ? 'list' : `at most ${maxItems}`} of ${kindOf(items ?? {})}`;
  if (properties !== undefined) return Object.keys(properties).join(', ');
  return maxLength === undefined ? name : `${name}, at most ${maxLength}`;
}

function fieldTable(noun: string): string {
  const { properties = {} } = resolved(document.components.schemas[records[noun] ?? ''] ?? {});
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { description = '' } = { ...resolved(schema), ...schema };
    return [`\`${name}\``, kindOf(schema), description];
  });
  return table(['field', 'what it may be', 'meaning'], rows);
}

/** The options of a command, but for those that set the fields of a record. */
function optionTable(command: CommandUnknownOpts, verb: string): string {
  const setsFields = verb === 'create' || verb === 'update';
  const shown = command.options.filter(
    ({ helpGroupHeading }) => !setsFields || helpGroupHeading !== 'Fields:',
  );
  const rows = shown.map(({ flags, description }) => [`\`${flags}\``, description]);
  const note = setsFields
    ? `\n\nEach field of the record has an option too: \`roster ${pathOf(command)} --help\`.`
    : '';
  return rows.length === 0 ? '' : `${table(['option', 'meaning'], rows)}${note}\n`;
}

function pathOf(command: CommandUnknownOpts): string {
  return `${command.parent?.name()} ${command.name()}`;
}

/** The same by REST and from TypeScript, where it is one operation. */
function otherDoors(noun: string, verb: string): string {
  const operation = operations.find(({ procedure }) => procedure === `${noun}.${verb}`);
  if (operation === undefined) return '';
  const { method, path, procedure, type } = operation;
  return `REST: \`${method} ${path}\` · TypeScript: \`client.${procedure}.${type === 'query' ? 'query' : 'mutate'}\`\n`;
}

function verbSection(command: CommandUnknownOpts): string {
  const [noun, verb] = [command.parent?.name() ?? '', command.name()];
  const example = examples[`${noun} ${verb}`];
  const words = command.registeredArguments.map((one) =>
    one.required ? `<${one.name()}>` : `[${one.name()}]`,
  );
  return [
    `## \`${['roster', noun, verb, ...words].join(' ')}\`\n`,
    `${command.description()}\n`,
    otherDoors(noun, verb),
    example === undefined ? '' : `\`\`\`sh\n${example.join('\n')}\n\`\`\`\n`,
    optionTable(command, verb),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function nounPage(command: CommandUnknownOpts): string {
  const noun = command.name();
  return [
    `# ${noun.charAt(0).toUpperCase()}${noun.slice(1)}\n`,
    `${introductions[noun]}\n`,
    ...command.commands.map(verbSection),
    '## The record\n',
    `${fieldTable(noun)}\n`,
  ].join('\n');
}

/** The names that a header may have for each place of a record. */
function columnTable(noun: string): string {
  const importable = importables.find(({ name }) => name === noun);
  if (importable === undefined) throw new Error(`${noun} are not imported`);
  const rows = columnsOf(importable).map(({ place, reso, kind, description }) => [
    `\`${place}\``,
    reso === undefined ? '' : `\`${reso}\``,
    kind,
    description,
  ]);
  return table(['column', 'RESO name', 'cell', 'meaning'], rows);
}

/** A hand-written page, with each table between its marks made anew. */
function withTables(text: string): string {
  return text.replaceAll(
    /(<!-- columns of (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, noun: string, end: string) => `${begin}${columnTable(noun)}\n${end}`,
  );
}

/** The pages of `docs/` that are made from the command tree and the schemas, by name. */
export function docsPages(): Record<string, string> {
  const names = new Set(nouns.map(({ name }): string => name));
  const commands = commandTree().commands.filter((command) => names.has(command.name()));
  const pages = commands.map((command) => [`${command.name()}.md`, nounPage(command)]);
  const imports = withTables(readFileSync(new URL('import.md', folder), 'utf8'));
  return Object.fromEntries([...pages, ['import.md', imports]]);
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(docsPages())) writeFileSync(new URL(name, folder), text);
}
