import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Person } from '@roster/client';
import { valueAt } from '../../contract/columns.ts';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { usageError } from '../../errors.ts';
import { printable } from '../../ui/text.ts';
import { applyChange, reportChange } from '../change.ts';
import { buildOperationCommand } from '../command-builder.ts';
import type { ContextFactory } from '../context.ts';
import { inputWithData } from '../json-body.ts';
import { makeWayIn } from '../people/invite.ts';
import { chooseLookAlike } from './check-duplicates.ts';

interface NewRecord {
  resource: Resource;
  operation: 'create' | 'invite';
}

/** Throws a usage error if a global option (`--url`) was used instead of the field of that name (`--target-url`). */
function checkGlobals({ resource, operation }: NewRecord, given: Record<string, unknown>): void {
  const { fields } = operationContract(resource.name, operation);
  for (const { path, flag, isRequired } of fields) {
    const [name = ''] = path;
    const isMistaken =
      isRequired && flag.endsWith(`-${name}`) && path.length === 1 && given[name] !== undefined;
    if (isMistaken) {
      throw usageError(
        `--${flag} is required`,
        `--${name} is the URL of the service; use --${flag} for the field.`,
      );
    }
  }
}

/** `create` or `invite`: creates a record from options and `--data`. */
export function newRecordCommand(operation: NewRecord['operation']) {
  return (resource: Resource, createContext: ContextFactory): CommandUnknownOpts => {
    const made = { resource, operation };
    const command = buildOperationCommand(resource, operation);
    const isCompared = operation === 'create' && resource.operations.includes('check-duplicates');
    if (isCompared) command.option('--no-check', 'Do not look for records that it looks like');
    if (operation === 'invite')
      command.option('--is-mailed', 'Also send the link by e-mail, if the service has a mail server');
    return command
      .option('--data <json>', 'The fields as JSON: itself, @file, or - for stdin; options take precedence')
      .action(async (options, command) => {
        const { fields } = operationContract(resource.name, operation);
        if (Object.keys(parseInput(fields, options)).length === 0 && !options.data)
          checkGlobals(made, command.optsWithGlobals());
        const context = await createContext(resource, command);
        const input = await inputWithData(fields, options, context);
        if (isCompared && (command.opts() as { check?: boolean }).check) {
          const used = await chooseLookAlike(resource, input, context);
          if (used !== undefined) {
            const name = printable(String(valueAt(used, resource.nameField)));
            context.io.stderr.write(`Nothing was created. Use "${name}" (${used.id}).\n`);
            return;
          }
        }
        const record = await applyChange({ resource, operation, input }, context);
        if (record === undefined) return;
        if (operation === 'create') return reportChange({ resource, operation, record }, context);
        const isMailed = (command.opts() as { isMailed?: true }).isMailed === true;
        const { link, note } = await makeWayIn(record as Person, context, { isMailed });
        await reportChange({ resource, operation, record: { ...record, link } }, context);
        if (note !== undefined) context.io.stderr.write(`${note}\n`);
      });
  };
}
