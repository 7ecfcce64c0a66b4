import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { valueAt } from '../../contract/columns.ts';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { usageError } from '../../errors.ts';
import { printable } from '../../ui/text.ts';
import { applyChange, reportChange } from '../change.ts';
import { buildOperationCommand } from '../command-builder.ts';
import type { ContextFactory } from '../context.ts';
import { addData, inputWithData } from '../json-body.ts';
import { chooseLookAlike } from './check-duplicates.ts';

/** Throws a usage error if a global option (`--url`) was used instead of the field of that name (`--target-url`). */
function checkGlobals({ name: noun }: Resource, given: Record<string, unknown>): void {
  for (const { path, flag, isRequired } of operationContract(noun, 'create').fields) {
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

export function createCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'create');
  const command: CommandUnknownOpts = buildOperationCommand(resource, 'create');
  const isCompared = resource.operations.includes('check-duplicates');
  if (isCompared) command.option('--no-check', "Don't look for similar records first");
  return addData(command).action(async () => {
    const options = command.opts() as { data?: string; check?: boolean };
    if (Object.keys(parseInput(fields, options)).length === 0 && !options.data)
      checkGlobals(resource, command.optsWithGlobals());
    const context = await createContext(resource, command);
    const input = await inputWithData(fields, options, context);
    if (isCompared && options.check) {
      const used = await chooseLookAlike(resource, input, context);
      if (used !== undefined) {
        const name = printable(String(valueAt(used, resource.nameField)));
        context.io.stderr.write(`Nothing was created. Use "${name}" (${used.id}).\n`);
        return;
      }
    }
    const record = await applyChange({ resource, operation: 'create', input }, context);
    if (record !== undefined) await reportChange({ resource, operation: 'create', record }, context);
  });
}
