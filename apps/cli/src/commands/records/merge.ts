import { type Row, valueAt } from '../../contract/columns.ts';
import { operationContract, validateInput } from '../../contract/operations.ts';
import type { Input } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { printable } from '../../ui/text.ts';
import { operationCommand, reportChange } from '../command-builder.ts';
import type { CommandContext } from '../context.ts';

type Merged = Row & { moved: Record<string, number> };

async function withChoices(input: Input, resource: Resource, context: CommandContext): Promise<Input> {
  const { askForMerge } = await import('./merge-choices.ts');
  const { procedures, callOptions } = context;
  const read = (id: unknown) => procedures.get.query({ id }, callOptions);
  const [survivor, duplicate] = await Promise.all([read(input.id), read(input.duplicateId)]);
  const written = operationContract(resource.name, 'update').fields.map(({ path }) => path[0] ?? '');
  const fields = await askForMerge({ survivor, duplicate, writable: new Set(written) }, context);
  // Both were shown, so both are to be as they were.
  const versions = { ifVersion: survivor.version, duplicateVersion: duplicate.version };
  return { ...versions, ...input, ...(Object.keys(fields).length > 0 && { fields }) };
}

function movedText({ moved }: Merged): string {
  const counts = Object.entries(moved).map(([name, count]) => `${name}: ${count}`);
  return counts.length === 0 ? '' : `; referring to it now: ${counts.join(', ')}`;
}

/** Asks on a terminal which values stay, unless `--fields` or `--yes` is given. */
export const mergeCommand = operationCommand('merge', {
  addOptions: (command) =>
    command.option('--yes', "Don't ask which values to keep: those of the survivor win"),
  run: async ({ resource, operation, input: given, options }, context) => {
    const { io, json, procedures, callOptions, printer, commandLine } = context;
    // The service says which option has a wrong ID.
    const isValid = validateInput(`${resource.name}.merge`, given).length === 0;
    const isAsked =
      isValid && io.isInteractive && json === undefined && !options.yes && given.fields === undefined;
    const input = isAsked ? await withChoices(given, resource, context) : given;
    const merged = (await procedures.merge?.mutate(input, callOptions)) as Merged;
    if (input.dryRun === true) {
      await printer.record(merged);
      io.stderr.write('Nothing was changed.\n');
      return;
    }
    const name = printable(String(valueAt(merged, resource.nameField)));
    await reportChange({ resource, operation, record: merged, with: movedText(merged) }, context);
    const { duplicateId } = input;
    if (printer.isForPeople)
      io.stderr.write(
        `The ID ${duplicateId} now leads to "${name}". Undo the merge with: ${commandLine(`${resource.name} unmerge ${duplicateId}`)}\n`,
      );
  },
});
