import { valueAt } from '../../contract/columns.ts';
import { operationContract } from '../../contract/operations.ts';
import type { Resource } from '../../contract/resources.ts';
import { usageError } from '../../errors.ts';
import type { Connection } from '../../service/connection.ts';
import { printable } from '../../ui/text.ts';
import { applyChange, operationCommand, reportChange } from '../command-builder.ts';
import { addData } from '../json-body.ts';
import { chooseLookAlike } from './check-duplicates.ts';

/** Throws a usage error if a global option (`--url`) was used instead of the field of that name (`--target-url`). */
function checkGlobals({ name: noun }: Resource, connection: Connection): void {
  const isMistaken = connection.urlSource === '--url';
  const field = operationContract(noun, 'create').fields.find(({ path }) => path.join('.') === 'url');
  if (isMistaken && field?.isRequired)
    throw usageError(
      `--${field.flag} is required`,
      `--url is the URL of the service; use --${field.flag} for the field.`,
    );
}

const isCompared = ({ operations }: Resource) => operations.includes('check-duplicates');

/** Creates a record, after comparing it with those that exist. */
export const createCommand = operationCommand('create', {
  addOptions: (command, resource) => {
    if (isCompared(resource)) command.option('--no-check', "Don't look for similar records first");
    addData(command);
  },
  run: async ({ resource, operation, input, options }, context) => {
    if (Object.keys(input).length === 0) checkGlobals(resource, context.connection);
    if (isCompared(resource) && options.check) {
      const used = await chooseLookAlike(resource, input, context);
      if (used !== undefined) {
        const name = printable(String(valueAt(used, resource.nameField)));
        context.io.stderr.write(`Nothing was created. Use "${name}" (${used.id}).\n`);
        return;
      }
    }
    const record = await applyChange({ resource, operation, input }, context);
    if (record !== undefined) await reportChange({ resource, operation, record }, context);
  },
});
