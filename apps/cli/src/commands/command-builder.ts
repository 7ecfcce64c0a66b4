import { Command } from '@commander-js/extra-typings';
import { verbContract } from '../contract/contract.ts';
import { addFields } from '../input/fields.ts';
import { addIdempotencyKey } from '../input/idempotency.ts';
import { addJson } from '../input/json-option.ts';
import type { Noun } from '../resources.ts';

/** The command of one verb of a noun, with what the service says of it and an option for each field it takes. */
export function verbCommand(noun: Noun, verb: string): Command {
  const contract = verbContract(noun.name, verb);
  const command = new Command(verb)
    .summary(contract.summary)
    .description(`${contract.summary}. ${contract.description}`);
  addFields(command, contract.fields);
  addIdempotencyKey(command, contract);
  if (!contract.isQuery) command.option('--dry-run', 'Check it and show what would be sent; change nothing');
  addJson(command, contract);
  return command;
}

/** The same for a verb that is about one record, which its id names. */
export function recordCommand(noun: Noun, verb: string) {
  return verbCommand(noun, verb).argument('<id>', `The id of the ${noun.singular}`);
}
