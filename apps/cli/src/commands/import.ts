import { setFlagsFromString } from 'node:v8';
import { Command, Option } from '@commander-js/extra-typings';
import { ioFor, type Surroundings } from '../context/command-context.ts';
import { connectionOf } from '../context/connection.ts';
import { verbContract } from '../contract/contract.ts';
import type { Summary } from '../import/import-file.ts';
import type { Importable } from '../import/importable.ts';
import { addIdempotencyKey, idempotencyKeyOf } from '../input/idempotency.ts';
import { addJson, jsonOutput } from '../input/json-option.ts';
import { printerFor } from '../output/printer.ts';

const collect = (value: string, before: string[]): string[] => [...before, value];

/** A word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function importOptions({ name }: Importable) {
  const contract = verbContract(name, 'import');
  const command = new Command('import')
    .summary(contract.summary)
    .description(`${contract.summary}. ${contract.description}`)
    .argument('<file>', 'The file; - for stdin')
    .addOption(
      new Option('--format <format>', 'What the file is; told by its name unless given').choices([
        'csv',
        'ndjson',
      ] as const),
    )
    .option('--encoding <encoding>', 'What the file is written in; UTF-8 unless given')
    .option('--source <name>', 'The system the file comes from, whose keys its ids are')
    .option('--key-column <column>', 'The column with the key of each row in its source')
    .option('--map <header=column>', 'What a column of the file means; once for each', collect, [])
    .option('--ignore <column>', 'Leave a column out; once for each', collect, [])
    .option('--ignore-unknown', 'Leave out every column that means nothing here')
    .option('--errors <file>', 'Write all that is wrong to this file, as CSV')
    .option('--dry-run', 'Check everything, say what would happen, and write nothing')
    .option('--resume', 'Go on with an import that was interrupted');
  addIdempotencyKey(command, contract);
  addJson(command, contract);
  return { command, contract };
}

/** What became of rows without a key, and what another import of the file would make of them. */
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
    'address either; --source <name> gives each row a key made of what it says.\n'
  );
}

/** `import <file>`: many records from a file. */
export function importCommand(importable: Importable, surroundings: Surroundings) {
  const { command, contract } = importOptions(importable);
  return command.action(async (file, options, command) => {
    const all: Record<string, unknown> = command.optsWithGlobals();
    const { cwd, env, signal } = surroundings;
    const { io, json } = await jsonOutput(all, contract, ioFor(surroundings.io, all));
    const connection = connectionOf(all, surroundings);
    const [{ openInput }, { encodingOf }, { importFile }, { serviceOf }, { progressOn }] = await Promise.all([
      import('../import/read/input-file.ts'),
      import('../import/read/encoding.ts'),
      import('../import/import-file.ts'),
      import('../import/send/import-client.ts'),
      import('../import/progress.ts'),
    ]);
    // Without this flag the V8 heap would grow to several times the size of the live data.
    setFlagsFromString('--optimize-for-size');
    const encoding = encodingOf(options.encoding ?? 'utf-8');
    await using input = await openInput(file, { cwd, stdin: io.stdin, signal, format: options.format });
    const summary = await importFile({
      importable,
      input,
      understanding: {
        encoding,
        sourceName: options.source,
        key: options.keyColumn,
        mapped: options.map,
        ignored: options.ignore,
        isUnknownIgnored: options.ignoreUnknown === true,
      },
      url: connection.url,
      run: idempotencyKeyOf(all.idempotencyKey, contract) ?? crypto.randomUUID(),
      service: await serviceOf(connection, importable, signal),
      io,
      env,
      cwd,
      signal,
      progress: progressOn(io),
      errorsFile: options.errors,
      isDryRun: options.dryRun === true,
      isResumed: options.resume === true,
      resumeCommand: `roster ${importable.name} import ${quoted(file)} --resume`,
    });
    await printerFor(io, json).record({ ...summary });
    io.stderr.write(noteOnKeyless(summary, importable));
    if (options.dryRun) io.stderr.write('Nothing was written.\n');
  });
}
