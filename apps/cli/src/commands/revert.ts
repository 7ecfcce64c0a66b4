import { type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import type { ContextFactory } from '../context/command-context.ts';
import { operationContract } from '../contract/contract.ts';
import { type RecordVersions, readEarlierVersion } from '../history/earlier-version.ts';
import { applyChange } from '../input/apply-change.ts';
import { type Input, inputOf } from '../input/fields.ts';
import { mergePatch, writableOf } from '../input/merge-patch.ts';
import { reportChange } from '../output/report-change.ts';
import type { Resource } from '../resources.ts';
import { buildRecordCommand } from './command-builder.ts';

function versionOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a version number.');
}

/** The update that restores the earlier fields; undefined if nothing differs. */
function updateTo({ current, earlier }: RecordVersions, resource: Resource): Input | undefined {
  const patch = mergePatch(writableOf(resource, current), writableOf(resource, earlier));
  if (Object.keys(patch).length === 0) return undefined;
  const { nameField } = resource;
  // A name that is derived from other fields would change with them, unless it is set as well.
  return { ...patch, [nameField]: earlier[nameField] };
}

/** A note that an update does not change the status. */
function noteOn({ current, earlier }: RecordVersions, { name }: Resource): string {
  if (current.status === earlier.status) return '';
  const operation = earlier.status === 'active' ? 'reactivate' : 'deactivate';
  return (
    `The status does not change: it is ${current.status}, and was ${earlier.status} in version ${earlier.version}. ` +
    `Change it with: roster ${name} ${operation} ${current.id}\n`
  );
}

/** `revert <id> --to <version>`: updates a record to an earlier version. */
export function revertCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'revert');
  return buildRecordCommand(resource, 'revert')
    .requiredOption('--to <version>', 'The version to restore, as shown by history; required', versionOf)
    .action(async (id, options, command) => {
      const context = await createContext(resource, command);
      const { io } = context;
      const states = await readEarlierVersion(resource, { id, version: options.to }, context);
      const { current } = states;
      io.stderr.write(noteOn(states, resource));
      const update = updateTo(states, resource);
      if (update === undefined && !context.isDryRun) {
        io.stderr.write(
          `The ${resource.singular} already equals version ${options.to}; nothing was changed.\n`,
        );
        if (!io.isTerminal || context.json !== undefined) await context.printer.record(current);
        return;
      }
      const input = { ifVersion: current.version, ...inputOf(fields, options), ...update, id };
      const done = await applyChange({ resource, operation: 'update', input }, context);
      if (done?.record !== undefined)
        await reportChange(
          { resource, operation: 'revert', record: done.record, with: `to version ${options.to}` },
          context,
        );
    });
}
