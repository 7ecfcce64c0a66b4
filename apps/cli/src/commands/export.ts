import { setFlagsFromString } from 'node:v8';
import { Command, Option } from '@commander-js/extra-typings';
import { ioFor, type Surroundings } from '../context/command-context.ts';
import { connectionOf } from '../context/connection.ts';
import { verbContract } from '../contract/contract.ts';
import type { Importable } from '../import/importable.ts';
import { addFields, inputOf } from '../input/fields.ts';
import { addJson } from '../input/json-option.ts';

function exportOptions({ name }: Importable) {
  const contract = verbContract(name, 'export');
  const command = new Command('export')
    .summary(contract.summary)
    .description(`${contract.summary}. ${contract.description}`)
    .argument('[file]', 'The file, which its owner alone may read; - or nothing for stdout')
    .addOption(
      new Option('--format <format>', 'What to write; told by the name of the file, else csv').choices([
        'csv',
        'ndjson',
      ] as const),
    );
  addFields(command, contract.fields);
  addJson(command, contract);
  return { command, fields: contract.fields };
}

/** `export [file]`: all records that match, in the form that import reads. */
export function exportCommand(importable: Importable, surroundings: Surroundings) {
  const { command, fields } = exportOptions(importable);
  return command.action(async (file, options, command) => {
    const all: Record<string, unknown> = command.optsWithGlobals();
    const { cwd, signal } = surroundings;
    const io = ioFor(surroundings.io, all);
    const [{ serviceOf }, { exportRecords }] = await Promise.all([
      import('../import/send/import-client.ts'),
      import('../export/export-records.ts'),
    ]);
    // Without this flag the V8 heap would grow to several times the size of the live data.
    setFlagsFromString('--optimize-for-size');
    const service = await serviceOf(connectionOf(all, surroundings), importable, signal);
    const query = inputOf(fields, all);
    const count = await exportRecords({ importable, service, query, file, cwd, io, format: options.format });
    io.stderr.write(
      `Exported ${count.toLocaleString('en')} ${count === 1 ? importable.singular : importable.name}.\n`,
    );
  });
}
