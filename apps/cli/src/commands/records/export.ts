import { setFlagsFromString } from 'node:v8';
import { Option } from '@commander-js/extra-typings';
import type { ResourceName } from '@roster/client';
import type { Importable } from '@roster/import';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import { loadClient } from '../../service/client.ts';
import { connectionOf } from '../../service/connection.ts';
import { createListReader } from '../../service/lists.ts';
import { counted } from '../../ui/text.ts';
import { buildOperationCommand } from '../command-builder.ts';
import { ioFor, type Runtime } from '../context.ts';

function exportOptions({ name, itemRows }: Importable) {
  const contract = operationContract(name, 'export');
  const command = buildOperationCommand({ name }, 'export')
    .argument('[file]', 'The file to write, readable only by you. Defaults to stdout (-)')
    .addOption(
      new Option(
        '--format <format>',
        'Format of the file. Defaults to that of its extension, else csv',
      ).choices(['csv', 'ndjson', 'xlsx'] as const),
    );
  command.option('--force', 'Replace the file if it exists');
  if (itemRows !== undefined)
    command.addOption(
      new Option(
        '--rows <of>',
        `Write one row for each of the ${itemRows.field}, instead of one for each record`,
      ).choices([itemRows.field]),
    );
  return { command, fields: contract.fields };
}

export function exportCommand(importable: Importable<ResourceName>, runtime: Runtime) {
  const { command, fields } = exportOptions(importable);
  return command.action(async (file, options, command) => {
    const all: Record<string, unknown> = command.optsWithGlobals();
    const { cwd, signal } = runtime;
    const io = ioFor(runtime.io, all);
    const { exportRecords } = await import('./export-records.ts');
    // Without this flag the V8 heap would grow to several times the size of the live data.
    setFlagsFromString('--optimize-for-size');
    const connection = connectionOf(all, runtime);
    const readList = await createListReader(connection, signal);
    const client = await loadClient(connection);
    const query = parseInput(fields, all);
    const byItem = all.rows !== undefined;
    const { format } = options;
    const isForced = all.force === true;
    const count = await exportRecords({
      importable,
      readList,
      query,
      file,
      cwd,
      io,
      format,
      byItem,
      isForced,
      client,
      signal,
    });
    io.stderr.write(`Exported ${counted(count, [importable.singular, importable.name])}.\n`);
  });
}
