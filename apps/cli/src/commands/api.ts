import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { closest } from 'fastest-levenshtein';
import type { OperationContract } from '../contract/fields.ts';
import { operationContract, procedureNames } from '../contract/operations.ts';
import { resources } from '../contract/resources.ts';
import { commandLine, type Environment } from '../environment.ts';
import { usageError } from '../errors.ts';
import { jsonText } from '../ui/serializers.ts';
import { applyChange } from './command-builder.ts';
import { createCommandContext, type Runtime } from './context.ts';
import { readBody } from './json-body.ts';
import { confirmDelete } from './records/delete.ts';

const description =
  'Calls any procedure of the service with JSON and prints the response as JSON. Errors are printed to stderr, as problem objects.';

function partsOf(procedure: string, env: Environment): [resource: string, operation: string] {
  const [resource = '', operation = ''] = procedure.split('.');
  if (procedureNames().includes(procedure)) return [resource, operation];
  const names = procedureNames();
  const help = commandLine('api --help', env);
  throw usageError(
    `there is no procedure ${procedure}`,
    `The nearest of the ${names.length} is ${closest(procedure, names)}. ${help} lists all.`,
  );
}

interface ApiOptions {
  input?: string;
  idempotencyKey?: string;
  yes?: true;
}

function checkOptions(procedure: string, contract: OperationContract, options: ApiOptions): void {
  if (options.idempotencyKey !== undefined && !contract.isRepeatable)
    throw usageError(`--idempotency-key does not apply to ${procedure}`, 'Leave it out.');
}

function inputSource(json: string | undefined, { input }: ApiOptions): string {
  if (input === undefined) return json ?? '{}';
  if (json !== undefined) throw usageError('the input is given twice', 'Use either the argument or --input.');
  return input === '-' ? input : `@${input}`;
}

export function apiCommand(runtime: Runtime): CommandUnknownOpts {
  const procedures = new Argument('<procedure>', 'Such as offices.get');
  procedures.argChoices = procedureNames();
  return new Command('api')
    .summary('Call any procedure with JSON')
    .description(description)
    .addArgument(procedures)
    .argument('[json]', 'The input: a JSON object, @file, or - for stdin. Defaults to {}')
    .option('--input <file>', 'Read the input from a file; - for stdin')
    .option('--jq <expression>', 'Print the response filtered by a jq expression; strings have no quotes')
    .option(
      '--idempotency-key <key>',
      'Key for safe retries: repeating the call with it within 24 hours has no further effect',
    )
    .option('--yes', "Don't ask for confirmation. Required if stdin isn't a terminal")
    .action(async (procedure, json, options, command) => {
      const [resource, operation] = partsOf(procedure, runtime.env);
      const contract = operationContract(resource, operation);
      checkOptions(procedure, contract, options);
      const all = { ...command.optsWithGlobals(), json: '' };
      const context = await createCommandContext([resource, operation], all, runtime);
      const input = await readBody(
        inputSource(json, options),
        context,
        options.input ? '--input' : 'the input',
      );
      const { io, procedures, callOptions } = context;
      if (contract.isQuery)
        return void io.stdout.write(jsonText(await procedures[operation]?.query(input, callOptions)));
      // Imports are not a resource of the command line, but an operation of others.
      const own = { name: resource, singular: resource, nameField: 'id' };
      const about = resources.find(({ name }) => name === resource) ?? own;
      if (operation === 'delete' && !options.yes) await confirmDelete(about, input.id, context);
      const record = await applyChange({ resource: about, operation, input }, context);
      if (record !== undefined) io.stdout.write(jsonText(record));
    });
}
