import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Row, valueAt } from '../../contract/columns.ts';
import { operationContract, validateInput } from '../../contract/operations.ts';
import { type Input, parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { printable } from '../../ui/text.ts';
import { reportChange } from '../change.ts';
import { buildRecordCommand } from '../command-builder.ts';
import type { CommandContext, ContextFactory } from '../context.ts';

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

/** `merge <id> --duplicate-id <id>`: asks on a terminal which values stay, unless `--fields` or `--yes` is given. */
export function mergeCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'merge');
  return buildRecordCommand(resource, 'merge')
    .option('--yes', "Don't ask which values to keep: those of the survivor win")
    .action(async (id, options, command) => {
      const context = await createContext(resource, command);
      const { io, json, procedures, callOptions, printer, commandLine } = context;
      const given: Input = { ...parseInput(fields, options), id };
      // Of ids that are wrong, the service says which option has them.
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
      await reportChange({ resource, operation: 'merge', record: merged, with: movedText(merged) }, context);
      if (printer.isForPeople)
        io.stderr.write(
          `The id ${input.duplicateId} leads to "${name}" now. Undo that with: ${commandLine(`${resource.name} unmerge ${input.duplicateId}`)}\n`,
        );
    });
}
