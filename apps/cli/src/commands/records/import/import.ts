import { Command, Option } from '@commander-js/extra-typings';
import type { ImportMapping } from '@roster/client';
import { phoneCountries } from '@roster/contract/countries';
import { findCountry, type Importable } from '@roster/import';
import { operationContract } from '../../../contract/operations.ts';
import { objectOfMembers } from '../../../contract/option-values.ts';
import { addIdempotencyKey, collect, idempotencyKeyOf } from '../../../contract/options.ts';
import { commandLine } from '../../../environment.ts';
import { usageError } from '../../../errors.ts';
import { loadClient } from '../../../service/client.ts';
import { connectionOf } from '../../../service/connection.ts';
import { addJson, jsonOutput } from '../../../ui/json-option.ts';
import { printerFor } from '../../../ui/printer.ts';
import { ioFor, type Runtime } from '../../context.ts';
import { type Summary, undoNote } from '../../imports/follow.ts';
import { dateFormats, type EmptyCells, emptyCells } from './import-task.ts';

const suspicions = ['renames', 'clears', 'moves', 'deactivations'] as const;

function importOptions({ name }: Importable) {
  const contract = operationContract(name, 'import');
  const command = new Command('import')
    .summary(contract.summary)
    .description(contract.description)
    .argument('<file>', 'The file; - for stdin')
    .addOption(
      new Option(
        '--format <format>',
        'The format of the file; by default detected from its name or content',
      ).choices(['csv', 'ndjson'] as const),
    )
    .option('--encoding <encoding>', 'The encoding of the file; detected by default')
    .option('--source <name>', 'The system that the file comes from; the ids in the file are its keys')
    .option('--key-column <column>', 'The column with the key of each row in its source')
    .option('--map <header=column>', 'Map a column of the file to a field; once for each', collect, [])
    .option('--mapping <name>', 'Use the mapping that was kept under this name, and keep it there')
    .option(
      '--dates <header=format>',
      'How the days of a column are written: iso, day-first, month-first or year-first; once for each',
      collect,
      [],
    )
    .option(
      '--empty-cells <what>',
      'Whether an empty cell of a CSV file keeps the field as it is, or clears it: keep (the default) or clear. For one column: ' +
        '<header>=clear. Repeatable',
      collect,
      [],
    )
    .option(
      '--phone-country <country>',
      'The country of phone numbers without a country code, by its name or code; by default that of each record',
    )
    .option('--ignore <column>', 'Ignore a column; once for each', collect, [])
    .option('--ignore-unknown', 'Ignore every unknown column')
    .option('--errors <file>', 'Write all errors to this file, as CSV')
    .option(
      '--matches <file>',
      'Write to this file, as CSV, which record each row matches and by what (source, id, email, emailAndName)',
    )
    .option('--skip-rejected', 'Write the other rows if some are rejected')
    .option('--skip-look-alikes', 'Leave out rows that would create what looks like an existing record')
    .addOption(
      new Option('--confirm <what>', 'Write what the check finds suspicious; once for each')
        .choices(suspicions)
        .argParser<string[]>(collect),
    )
    .option(
      '--accept-renames',
      'Accept that a row gives another name to an agent whom its e-mail address alone matches: --confirm renames',
    )
    .option('--dry-run', 'Check everything and show what would change; write nothing');
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

/**
 * The effect of empty cells that `--empty-cells` names, for the file and for its columns. Throws a usage error for a text that says neither, and for what is given
 * twice.
 */
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

/** The mapping that `--map`, `--dates`, `--phone-country`, `--empty-cells` and `--ignore` say, over one that was kept. Throws a usage error for a text that is no pair, and for a column given twice. */
function mappingOf(
  kept: ImportMapping,
  {
    map,
    dates,
    ignore,
    empty,
    phoneCountry,
  }: {
    map: string[];
    dates: string[];
    ignore: string[];
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

/** The code of the country that `--phone-country` names. Throws a usage error for another text. */
function phoneCountryOf(text: string): string {
  const code = findCountry(text, phoneCountries);
  if (code === undefined)
    throw usageError(`--phone-country takes a country such as PT or Portugal, not "${text}"`);
  return code;
}

/** The suspicions that `--confirm` and `--accept-renames` allow. Throws a usage error for another word. */
function confirmedOf(confirm: readonly string[] = [], acceptRenames = false) {
  const unknown = confirm.find((name) => !suspicions.some((one) => one === name));
  if (unknown !== undefined) throw usageError(`--confirm takes ${suspicions.join(', ')}, not ${unknown}`);
  return suspicions.filter((name) => confirm.includes(name) || (name === 'renames' && acceptRenames));
}

/** A note on rows without a key, and on what importing the file again would do with them. */
function noteOnKeyless(
  { matchedByEmail, createdWithoutKey, createdWithoutEmail }: Summary,
  { isEmailUnique }: Importable,
): string {
  if (matchedByEmail + createdWithoutKey === 0) return '';
  const by = isEmailUnique ? 'e-mail address' : 'e-mail address and name';
  const matched = `Rows without a key: ${matchedByEmail} matched by ${by}, ${createdWithoutKey} created.\n`;
  if (createdWithoutEmail === 0) return matched;
  return (
    `${matched}Another import of the file would create ${createdWithoutEmail} of these again, which have no e-mail ` +
    'address either; --source <name> gives each row a key made from its values.\n'
  );
}

/** `import <file>`: imports records from a file. */
export function importCommand(importable: Importable, runtime: Runtime) {
  const { command, contract } = importOptions(importable);
  return command.action(async (file, options, command) => {
    const all: Record<string, unknown> = command.optsWithGlobals();
    const { cwd, env, signal } = runtime;
    const { io, json } = await jsonOutput(all, contract, ioFor(runtime.io, all));
    const printer = printerFor(io, json);
    const connection = connectionOf(all, runtime);
    const [{ openInput }, { importFile }, { findMapping, keepMapping }, client] = await Promise.all([
      import('./input-file.ts'),
      import('./import-file.ts'),
      import('./saved-mappings.ts'),
      loadClient(connection),
    ]);
    const { mapping: name } = options;
    const kept = name === undefined ? undefined : findMapping(env, importable.name, name);
    await using input = await openInput(file, { cwd, stdin: io.stdin, signal });
    const empty = emptyCellsOf(options.emptyCells);
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
      confirmed: confirmedOf(options.confirm, options.acceptRenames),
      isRejectedSkipped: options.skipRejected === true,
      areLookAlikesSkipped: options.skipLookAlikes === true,
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
