import { writeFileSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { operations } from '@roster/api';
import { definitions } from '@roster/api/server';
import { columnsOf } from '@roster/import';
import { examples } from '../src/commands/examples.ts';
import { camelCase } from '../src/contract/fields.ts';
import { importables, resources } from '../src/contract/resources.ts';
import { buildProgram } from '../src/program.ts';
import { introductions } from './docs-introductions.ts';

const NOTE = '<!-- `npm run generate` writes this page; a test compares it with the code. -->\n';
const folder = new URL('../../../docs/reference/', import.meta.url);

/** The schemas of the records in the reference of the operations. */
const records: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    importables.map(({ name, singular }) => [name, singular.charAt(0).toUpperCase() + singular.slice(1)]),
  ),
  'deleted-records': 'DeletedRecord',
  'scheduled-changes': 'ScheduledChange',
  events: 'Event',
  webhooks: 'Webhook',
  keys: 'Key',
  people: 'Person',
  invitations: 'Invitation',
  passkeys: 'Passkey',
  sessions: 'Session',
  views: 'View',
};

function introductionOf(resource: string): string {
  const described = definitions.find(({ name }) => name === resource)?.texts.description;
  const introduction = introductions[resource] ?? (described && `${described}.`);
  if (introduction === undefined) throw new Error(`docs-introductions.ts does not introduce ${resource}`);
  return introduction;
}

/** The command tree, of which no command is run. */
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

/** Escapes a text for a cell of a Markdown table. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');

function table(header: string[], rows: string[][]): string {
  const lines = [header, header.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The options of a command, except those that set fields of a record. */
function optionTable(command: CommandUnknownOpts, name: string): string {
  const setsFields = name === 'create' || name === 'invite' || name === 'update';
  const shown = command.options.filter(
    ({ helpGroupHeading }) => !setsFields || helpGroupHeading !== 'Fields:',
  );
  const rows = shown.map(({ flags, description }) => [`\`${flags}\``, description]);
  const note = setsFields
    ? `\n\nEach field of the record has an option too: \`roster ${pathOf(command)} --help --all\`.`
    : '';
  return rows.length === 0 ? '' : `${table(['option', 'meaning'], rows)}${note}\n`;
}

function pathOf(command: CommandUnknownOpts): string {
  return `${command.parent?.name()} ${command.name()}`;
}

/** The same operation by REST and from TypeScript; empty if the command is not an operation. */
function otherInterfaces(resource: string, name: string): string {
  const operation = operations.find(
    ({ procedure }) => procedure === `${camelCase(resource)}.${camelCase(name)}`,
  );
  if (operation === undefined) return '';
  const { method, path, procedure, type } = operation;
  return `REST: \`${method} ${path}\` · TypeScript: \`client.${procedure}.${type === 'query' ? 'query' : 'mutate'}\`\n`;
}

/** The arguments of a command, in the notation of its help. */
function wordsOf({ registeredArguments }: CommandUnknownOpts): string[] {
  return registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
}

function commandSection(command: CommandUnknownOpts): string {
  const [resource, name] = [command.parent?.name() ?? '', command.name()];
  const example = examples[`${resource} ${name}`];
  return [
    `## \`${['roster', resource, name, ...wordsOf(command)].join(' ')}\`\n`,
    `${command.description()}\n`,
    otherInterfaces(resource, name),
    example === undefined ? '' : `\`\`\`sh\n${example.join('\n')}\n\`\`\`\n`,
    optionTable(command, name),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The parts of a page about a command that is no operation. */
function ownSections(command: CommandUnknownOpts): string[] {
  return [
    `## \`roster ${[command.name(), ...wordsOf(command)].join(' ')}\`\n`,
    `${command.description()}\n`,
    optionTable(command, command.name()),
  ];
}

/** The page of the commands that belong to no resource, and of the global options. */
function generalPage(general: readonly CommandUnknownOpts[]): string {
  const globals = commandTree().options.map(({ flags, description }) => [`\`${flags}\``, description]);
  const sections = general.flatMap(ownSections);
  return [
    '# roster\n',
    NOTE,
    `\`roster <resource> <command>\` calls one operation; [The command line](../../how-to/command-line.md) says how to install it and
what all commands have in common. The resources: ${resources.map(({ name }) => `[${name}](${name}.md)`).join(', ')}.
`,
    '## Options of every command\n',
    `${table(['option', 'meaning'], globals)}\n`,
    ...sections.filter((part) => part !== ''),
    '## Exit codes\n',
    `${table(
      ['code', 'meaning'],
      [
        ['0', 'success'],
        ['1', 'the service returned an error, or the call failed'],
        ['2', 'the command line, or a value on it, is invalid'],
        ['4', 'the key is invalid, or lacks a scope'],
        ['130', 'interrupted'],
      ],
    )}\n`,
  ].join('\n');
}

function resourcePage(command: CommandUnknownOpts): string {
  const resource = command.name();
  const record = records[resource];
  const fields = `The fields of the record: schema \`${record}\` of the [operations](../README.md#operations).\n`;
  return [
    `# roster ${resource}\n`,
    NOTE,
    `${introductionOf(resource)}\n`,
    ...command.commands.map(commandSection),
    ...(record === undefined ? [] : [fields]),
  ].join('\n');
}

/** The columns of an import and their names in the Data Dictionary. */
function columnTable(resource: string): string {
  const importable = importables.find(({ name }) => name === resource);
  if (importable === undefined) throw new Error(`${resource} are not imported`);
  const rows = columnsOf(importable).map(({ field, reso, kind, description }) => [
    `\`${field}\``,
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

/** The pages of `docs/reference` that are generated from the command tree and the schemas, by path. */
export function docsPages(): Record<string, string> {
  const names = new Set(resources.map(({ name }): string => name));
  const all = commandTree().commands;
  const general = all.filter((command) => !names.has(command.name()) && !command.name().startsWith('__'));
  const commands = all.filter((command) => names.has(command.name()));
  const pages = commands.map((command) => [`cli/${command.name()}.md`, resourcePage(command)]);
  return Object.fromEntries([
    ...pages,
    ['cli/README.md', generalPage(general)],
    ['import-columns.md', columnsPage()],
  ]);
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(docsPages())) writeFileSync(new URL(name, folder), text);
}
