import { writeFileSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { operations } from '@roster/api';
import { examples } from '../src/commands/examples.ts';
import { importables } from '../src/import/importable.ts';
import { columnsOf } from '../src/import/read/columns.ts';
import { buildProgram } from '../src/program.ts';
import { nouns } from '../src/resources.ts';
import { introductions } from './docs-introductions.ts';

const NOTE = '<!-- `npm run generate` writes this page; a test compares it with the code. -->\n';
const folder = new URL('../../../docs/reference/', import.meta.url);

/** The schema of the record that a resource is about, in the reference of the operations. */
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

/** The arguments of a command as its help writes them. */
function wordsOf({ registeredArguments }: CommandUnknownOpts): string[] {
  return registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
}

function verbSection(command: CommandUnknownOpts): string {
  const [noun, verb] = [command.parent?.name() ?? '', command.name()];
  const example = examples[`${noun} ${verb}`];
  return [
    `## \`${['roster', noun, verb, ...wordsOf(command)].join(' ')}\`\n`,
    `${command.description()}\n`,
    otherDoors(noun, verb),
    example === undefined ? '' : `\`\`\`sh\n${example.join('\n')}\n\`\`\`\n`,
    optionTable(command, verb),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The page of the commands that belong to no resource, and of what all commands have in common. */
function generalPage(general: readonly CommandUnknownOpts[]): string {
  const globals = commandTree().options.map(({ flags, description }) => [`\`${flags}\``, description]);
  const sections = general.flatMap((command) => [
    `## \`roster ${[command.name(), ...wordsOf(command)].join(' ')}\`\n`,
    `${command.description()}\n`,
    optionTable(command, command.name()),
  ]);
  return [
    '# roster\n',
    NOTE,
    `\`roster <resource> <verb>\` calls one operation; [The command line](../../how-to/command-line.md) says how to install it and
what all commands have in common. The resources: ${nouns.map(({ name }) => `[${name}](${name}.md)`).join(', ')}.
`,
    '## Options of every command\n',
    `${table(['option', 'meaning'], globals)}\n`,
    ...sections.filter((part) => part !== ''),
    '## Exit codes\n',
    `${table(
      ['code', 'meaning'],
      [
        ['0', 'success'],
        ['1', 'the service rejected the call, or it failed'],
        ['2', 'the command line is wrong, or a value on it'],
        ['4', 'the key is not valid, or lacks a scope'],
        ['130', 'interrupted'],
      ],
    )}\n`,
  ].join('\n');
}

function nounPage(command: CommandUnknownOpts): string {
  const noun = command.name();
  return [
    `# roster ${noun}\n`,
    NOTE,
    `${introductions[noun]}\n`,
    ...command.commands.map(verbSection),
    `The fields of the record: [${records[noun]}](../operations.md#${records[noun]?.toLowerCase()}).\n`,
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

/** The page of the columns that an import reads and an export writes. */
function columnsPage(): string {
  return [
    '# Columns of an import and an export\n',
    NOTE,
    'How a file is read is on the page [Import and export](../how-to/import-and-export.md).\n',
    ...importables.flatMap(({ name }) => [`## Columns of ${name}\n`, `${columnTable(name)}\n`]),
    `An export has these columns in this order, each field in its parts, without \`officeName\`, without the parts of
\`licenses\`, and with \`mainOfficeSource\` or \`officeSource\` beside the id if the office has a source, so that the file can
be imported elsewhere.
`,
  ].join('\n');
}

/** The pages of `docs/reference` that are made from the command tree and the schemas, by their paths in it. */
export function docsPages(): Record<string, string> {
  const names = new Set(nouns.map(({ name }): string => name));
  const all = commandTree().commands;
  const general = all.filter((command) => !names.has(command.name()) && !command.name().startsWith('__'));
  const commands = all.filter((command) => names.has(command.name()));
  const pages = commands.map((command) => [`cli/${command.name()}.md`, nounPage(command)]);
  return Object.fromEntries([
    ...pages,
    ['cli/README.md', generalPage(general)],
    ['import-columns.md', columnsPage()],
  ]);
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(docsPages())) writeFileSync(new URL(name, folder), text);
}
