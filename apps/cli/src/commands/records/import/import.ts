import { Command, Option } from '@commander-js/extra-typings';
import type { ImportMapping, ResourceName } from '@roster/client';
import { phoneCountries } from '@roster/contract/countries';
import { columnsOf, findCountry, type Importable } from '@roster/import';
import { operationContract } from '../../../contract/operations.ts';
import { objectOfMembers } from '../../../contract/option-values.ts';
import {
  addFields,
  addIdempotencyKey,
  collect,
  idempotencyKeyOf,
  parseInput,
} from '../../../contract/options.ts';
import { commandLine } from '../../../environment.ts';
import { usageError } from '../../../errors.ts';
import { loadClient } from '../../../service/client.ts';
import { connectionOf } from '../../../service/connection.ts';
import { addJson, jsonOutput } from '../../../ui/json-option.ts';
import { printerFor } from '../../../ui/printer.ts';
import { ioFor, type Runtime } from '../../context.ts';
import { type Summary, undoNote } from '../../imports/follow.ts';
import { dateFormats, type EmptyCells, emptyCells } from './import-task.ts';

const decisionFields = operationContract('imports', 'write').fields;

/** The columns of a file, below the options in the help. */
function columnsText(importable: Importable): string {
  const columns = columnsOf(importable);
  const width = Math.max(...columns.map(({ field }) => field.length));
  const lines = columns.map(({ field, reso = '' }) => `  ${field.padEnd(width)}  ${reso}`.trimEnd());
  return ['', 'Columns, with their names in the RESO Data Dictionary:', ...lines].join('\n');
}

function importOptions(importable: Importable) {
  const { name } = importable;
  const contract = operationContract(name, 'import');
  const command = new Command('import')
    .summary(contract.summary)
    .description(contract.description)
    .argument('<file>', 'The file; - for stdin')
    .addOption(
      new Option('--format <format>', 'Format of the file. Detected by default').choices([
        'csv',
        'ndjson',
      ] as const),
    )
    .option('--encoding <encoding>', 'Encoding of the file. Detected by default')
    .option('--sheet <name>', 'Sheet of a workbook (.xlsx). Defaults to the first with anything in it')
    .option('--source <name>', 'The system the file comes from; IDs in the file are keys of that system')
    .option('--key-column <column>', 'Column with the key of each row in that system')
    .option(
      '--map <header=column>',
      'Map a column to a field, such as "Desk phone=directPhone"; repeatable',
      collect,
    )
    .option('--mapping <name>', 'Use the mapping saved under this name, and save it again')
    .option(
      '--dates <header=format>',
      'Format of the dates in a column: iso, day-first, month-first or year-first; repeatable',
      collect,
    )
    .option(
      '--empty-cells <what>',
      'Whether empty cells keep or clear the field: keep, clear or, for one column, ' +
        '<header>=clear; repeatable. Defaults to keep',
      collect,
    )
    .option(
      '--phone-country <country>',
      'Country of phone numbers without a country code, as a name or code. Defaults to that of each record',
    )
    .option('--ignore <column>', 'Ignore a column; repeatable', collect)
    .option('--ignore-unknown', "Ignore columns that Roster doesn't recognise")
    .option('--errors <file>', 'Write all errors to this CSV file')
    .option(
      '--matches <file>',
      'Write to this CSV file which record each row matches, and why (source, id, email, emailAndName)',
    )
    .option('--dry-run', 'Check the file and show what would change, without writing')
    .addHelpText('after', () => columnsText(importable));
  addFields(command, decisionFields, 'Options:');
  addIdempotencyKey(command, contract);
  addJson(command, contract);
  return { command, contract };
}

/** A column and what is said of it. Throws a usage error for a text that is no such pair. */
function pairOf(text: string, option: string): [header: string, said: string] {
  const at = text.lastIndexOf('=');
  if (at < 1) throw usageError(`${option}, not "${text}"`);
  return [text.slice(0, at), text.slice(at + 1).trim()];
}

/** The effects in `--empty-cells`, for the file and for single columns. Throws a usage error for anything else. */
function emptyCellsOf(given: readonly string[]): {
  file: EmptyCells | undefined;
  columns: [string, EmptyCells][];
} {
  const effectOf = (text: string) => emptyCells.find((one) => one === text);
  const ofFile = given.flatMap((text) => effectOf(text) ?? []);
  if (ofFile.length > 1) throw usageError('--empty-cells is given twice for the file');
  const columns = given
    .filter((text) => effectOf(text) === undefined)
    .map((text): [string, EmptyCells] => {
      const [header, said] = pairOf(text, '--empty-cells takes keep, clear, <header>=keep or <header>=clear');
      const what = effectOf(said);
      if (what === undefined) throw usageError(`--empty-cells takes keep or clear, not "${said}"`);
      return [header, what];
    });
  return { file: ofFile[0], columns };
}

/** Adds the options to a saved mapping. Throws a usage error for malformed pairs and repeated columns. */
function mappingOf(
  kept: ImportMapping,
  {
    map = [],
    dates = [],
    ignore = [],
    empty,
    phoneCountry,
  }: {
    map?: string[] | undefined;
    dates?: string[] | undefined;
    ignore?: string[] | undefined;
    empty: readonly [string, EmptyCells][];
    phoneCountry?: string | undefined;
  },
): ImportMapping {
  const mapped = map.map((text) => pairOf(text, '--map takes <header>=<column>'));
  const ignored = ignore.map((header): [string, string] => [header, '']);
  const days = dates.map((text) => {
    const [header, said] = pairOf(text, '--dates takes <header>=<format>');
    const format = dateFormats.find((one) => one === said);
    if (format === undefined) throw usageError(`--dates takes ${dateFormats.join(', ')}, not "${said}"`);
    return [header, format] as const;
  });
  return {
    ...kept,
    columns: { ...kept.columns, ...objectOfMembers([...mapped, ...ignored], '--map and --ignore') },
    dates: { ...kept.dates, ...objectOfMembers(days, '--dates') },
    emptyCells: { ...kept.emptyCells, ...objectOfMembers(empty, '--empty-cells') },
    ...(phoneCountry !== undefined && { phoneCountry: phoneCountryOf(phoneCountry) }),
  };
}

function phoneCountryOf(text: string): string {
  const code = findCountry(text, phoneCountries);
  if (code === undefined)
    throw usageError(`--phone-country takes a country such as PT or Portugal, not "${text}"`);
  return code;
}

function noteOnKeyless(
  { matchedByEmail, createdWithoutKey, createdWithoutEmail }: Summary,
  { isEmailUnique }: Importable,
): string {
  if (matchedByEmail + createdWithoutKey === 0) return '';
  const by = isEmailUnique ? 'email' : 'email and name';
  const matched = `Rows without a key: ${matchedByEmail} matched by ${by}, ${createdWithoutKey} created.\n`;
  if (createdWithoutEmail === 0) return matched;
  return (
    `${matched}Importing the file again would create ${createdWithoutEmail} of these twice, because they have neither a key nor an email. ` +
    'To avoid that, use --source <name>: it gives each row a key made from its values.\n'
  );
}

export function importCommand(importable: Importable<ResourceName>, runtime: Runtime) {
  const { command, contract } = importOptions(importable);
  return command.action(async (file, options, command) => {
    const all: Record<string, unknown> = command.optsWithGlobals();
    const { cwd, env, signal } = runtime;
    const { io, json } = await jsonOutput(all, contract, ioFor(runtime.io, all));
    const printer = printerFor(io, json);
    const connection = connectionOf(all, runtime);
    const [{ openInput }, { unpackSheet }, { importFile }, { findMapping, keepMapping }, client] =
      await Promise.all([
        import('./input-file.ts'),
        import('./sheet.ts'),
        import('./import-file.ts'),
        import('./import-task.ts'),
        loadClient(connection),
      ]);
    const { mapping: name } = options;
    const kept = name === undefined ? undefined : findMapping(env, importable.name, name);
    await using opened = await openInput(file, { cwd, stdin: io.stdin, signal });
    const { sheet, format, encoding } = options;
    const input = { ...opened, ...(await unpackSheet(opened, { sheet, format, encoding }, io)) };
    const empty = emptyCellsOf(options.emptyCells ?? []);
    const { summary, ...agreed } = await importFile({
      importable,
      input,
      settings: {
        name: input.name,
        format: options.format ?? input.format,
        encoding: options.encoding,
        sourceName: options.source,
        keyColumn: options.keyColumn,
        ignoreUnknown: options.ignoreUnknown,
        emptyCells: empty.file ?? kept?.emptyCells,
      },
      mapping: mappingOf(kept?.mapping ?? {}, { ...options, empty: empty.columns }),
      connection,
      client,
      idempotencyKey: idempotencyKeyOf(all.idempotencyKey, contract) ?? crypto.randomUUID(),
      io,
      cwd,
      commandLine: (words) => commandLine(words, env),
      signal,
      errorsFile: options.errors,
      matchesFile: options.matches,
      decisions: { acceptWarnings: [], skip: [], ...parseInput(decisionFields, all) },
      isDryRun: options.dryRun === true,
      isInteractive: printer.isForPeople && file !== '-',
    });
    if (name !== undefined) keepMapping(env, importable.name, { name, kept: agreed });
    await printer.record({ ...summary });
    io.stderr.write(noteOnKeyless(summary, importable));
    io.stderr.write(
      options.dryRun ? 'Nothing was written.\n' : undoNote(summary, (words) => commandLine(words, env)),
    );
  });
}
