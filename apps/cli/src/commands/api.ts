import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Surroundings, sessionFor } from '../context/command-context.ts';
import { procedureNames, verbContract } from '../contract/contract.ts';
import type { VerbContract } from '../contract/types.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { usageError } from '../errors/errors.ts';
import { change } from '../input/apply-change.ts';
import { bodyOf } from '../input/json-body.ts';
import { jsonText } from '../output/serializers.ts';
import { confirmDelete } from '../prompts/confirm-delete.ts';
import { nouns } from '../resources.ts';

const description =
  'Call any procedure of the service by its name, with JSON as its input, and print its answer as JSON. A refusal is ' +
  'printed as its problem object, on stderr.';

/** The noun and the verb in the name of a procedure. Throws a usage error for one there is not. */
function partsOf(procedure: string): [noun: string, verb: string] {
  const [noun = '', verb = ''] = procedure.split('.');
  if (procedureNames().includes(procedure)) return [noun, verb];
  throw usageError(
    `there is no procedure ${procedure}`,
    `${didYouMean(procedure, procedureNames())}The procedures are ${procedureNames().join(', ')}.`,
  );
}

interface ApiOptions {
  input?: string;
  idempotencyKey?: string;
  dryRun?: true;
  yes?: true;
}

/** Throws a usage error for an option that says nothing to this procedure. */
function checkOptions(procedure: string, contract: VerbContract, options: ApiOptions): void {
  const { isQuery, isRepeatable } = contract;
  const without = options.idempotencyKey !== undefined && !isRepeatable && '--idempotency-key';
  const idle = without || (options.dryRun && isQuery && '--dry-run');
  if (idle) throw usageError(`${idle} says nothing to ${procedure}`, 'Leave it out.');
}

/** Where the input is, as `bodyOf` reads it. Throws a usage error where it is given twice. */
function placeOf(json: string | undefined, { input }: ApiOptions): string {
  if (input === undefined) return json ?? '{}';
  if (json !== undefined)
    throw usageError('the input is given twice', 'Give it as an argument or by --input.');
  return input === '-' ? input : `@${input}`;
}

/** `api <procedure> [json]`: whatever the service can do, as it is. */
export function apiCommand(surroundings: Surroundings): CommandUnknownOpts {
  const procedures = new Argument('<procedure>', 'Such as offices.get');
  procedures.argChoices = procedureNames();
  return new Command('api')
    .summary('Call any procedure with JSON')
    .description(description)
    .addArgument(procedures)
    .argument('[json]', 'The input: a JSON object, @file, or - for stdin; {} unless given')
    .option('--input <file>', 'Read the input from a file; - for stdin')
    .option('--jq <expression>', 'Print what a jq expression makes of the answer, strings without quotes')
    .option('--idempotency-key <key>', 'Given again with the same call, nothing is done twice (24 hours)')
    .option('--dry-run', 'Check a change and show what would be sent; change nothing')
    .option('--yes', 'Do not ask before deleting; needed where nobody can be asked')
    .action(async (procedure, json, options, command) => {
      const [noun, verb] = partsOf(procedure);
      const contract = verbContract(noun, verb);
      checkOptions(procedure, contract, options);
      const all = { ...command.optsWithGlobals(), json: '' };
      const session = await sessionFor([noun, verb], all, surroundings);
      const input = await bodyOf(placeOf(json, options), session, options.input ? '--input' : 'the input');
      const { io, procedures, callOptions, isDryRun } = session;
      if (contract.isQuery)
        return void io.stdout.write(jsonText(await procedures[verb]?.query(input, callOptions)));
      // Imports are no noun of the command line, but a verb of others.
      const own = { name: noun, singular: noun, namePlace: 'id' };
      const about = nouns.find(({ name }) => name === noun) ?? own;
      if (verb === 'delete' && !options.yes && !isDryRun) await confirmDelete(about, input.id, session);
      const done = await change({ noun: about, verb, input }, session);
      if (done?.record !== undefined) io.stdout.write(jsonText(done.record));
    });
}
