import { setFlagsFromString } from 'node:v8';
import { Command, Option } from '@commander-js/extra-typings';
import type { Importable } from '@roster/import';
import { ioFor, type Runtime } from '../../context/command-context.ts';
import { connectionOf } from '../../context/connection.ts';
import { operationContract } from '../../contract/contract.ts';
import type { Summary } from '../../import/import-file.ts';
import { createImportClient } from '../../import/importable.ts';
import { addIdempotencyKey, idempotencyKeyOf } from '../../input/change-options.ts';
import { addJson, jsonOutput } from '../../input/json-option.ts';
import { printerFor } from '../../output/printer.ts';

const collect = (value: string, before: string[]): string[] => [...before, value];

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function importOptions({ name }: Importable) {
  const contract = operationContract(name, 'import');
  const command = new Command('import')
    .summary(contract.summary)
    .description(`${contract.summary}. ${contract.description}`)
    .argument('<file>', 'The file; - for stdin')
    .addOption(
      new Option(
        '--format <format>',
        'The format of the file; by default detected from its name or content',
      ).choices(['csv', 'ndjson'] as const),
    )
    .option('--encoding <encoding>', 'The encoding of the file; UTF-8 by default')
    .option('--source <name>', 'The system that the file comes from; the ids in the file are its keys')
    .option('--key-column <column>', 'The column with the key of each row in its source')
    .option('--map <header=column>', 'Map a column of the file to a field; once for each', collect, [])
    .option('--ignore <column>', 'Ignore a column; once for each', collect, [])
    .option('--ignore-unknown', 'Ignore every unknown column')
    .option('--errors <file>', 'Write all errors to this file, as CSV')
    .option(
      '--matches <file>',
      'Write to this file, as CSV, which record each row matches and by what (source, id, email, emailAndName)',
    )
    .option(
      '--accept-renames',
      'Accept that a row gives another name to an agent whom its e-mail address alone matches; else that is an error',
    )
    .option('--dry-run', 'Check everything and show what would change; write nothing')
    .option('--resume', 'Continue an interrupted import');
  addIdempotencyKey(command, contract);
  addJson(command, contract);
  return { command, contract };
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
    const connection = connectionOf(all, runtime);
    const [{ openInput }, { encodingOf }, { importFile }, { progressOn }] = await Promise.all([
      import('../../import/read/input-file.ts'),
      import('../../import/read/encoding.ts'),
      import('../../import/import-file.ts'),
      import('../../import/progress.ts'),
    ]);
    // Without this flag the V8 heap would grow to several times the size of the live data.
    setFlagsFromString('--optimize-for-size');
    const encoding = encodingOf(options.encoding ?? 'utf-8');
    await using input = await openInput(file, { cwd, stdin: io.stdin, signal, format: options.format });
    const summary = await importFile({
      importable,
      input,
      readOptions: {
        encoding,
        sourceName: options.source,
        key: options.keyColumn,
        mapped: options.map,
        ignored: options.ignore,
        isUnknownIgnored: options.ignoreUnknown === true,
      },
      url: connection.url,
      run: idempotencyKeyOf(all.idempotencyKey, contract) ?? crypto.randomUUID(),
      client: await createImportClient(connection, importable, signal),
      io,
      env,
      cwd,
      signal,
      progress: progressOn(io),
      errorsFile: options.errors,
      matchesFile: options.matches,
      acceptRenames: options.acceptRenames === true,
      isDryRun: options.dryRun === true,
      isResumed: options.resume === true,
      resumeCommand: `roster ${importable.name} import ${quoted(file)}${options.acceptRenames ? ' --accept-renames' : ''} --resume`,
    });
    await printerFor(io, json).record({ ...summary });
    io.stderr.write(noteOnKeyless(summary, importable));
    if (options.dryRun) io.stderr.write('Nothing was written.\n');
  });
}
