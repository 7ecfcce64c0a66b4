import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { change } from '../change.ts';
import { verbContract } from '../contract.ts';
import { inputOf } from '../fields.ts';
import type { Noun, Transition } from '../nouns.ts';
import type { Start } from '../session.ts';
import { printRecord } from './print-record.ts';
import { recordCommand } from './verb-command.ts';

/** A verb that takes one record into another state and answers it: `deactivate <id>`, `rotate <id>`. */
export function transitionCommand(verb: Transition) {
  return (noun: Noun, start: Start): CommandUnknownOpts => {
    const { fields } = verbContract(noun.name, verb);
    return recordCommand(noun, verb).action(async (id, options, command) => {
      const session = await start(noun, command);
      const input = { ...inputOf(fields, options), id };
      const done = await change({ noun, verb, input }, session);
      if (done?.record !== undefined) await printRecord(session, done.record);
    });
  };
}
