import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Start } from '../context/command-context.ts';
import type { Noun, Verb } from '../resources.ts';
import { createCommand } from './create.ts';
import { deleteCommand } from './delete.ts';
import { deliveriesCommand } from './deliveries.ts';
import { historyCommand } from './history.ts';
import { listEventsCommand } from './list-events.ts';
import { listenCommand } from './listen.ts';
import { getCommand, listCommand } from './read.ts';
import { transitionCommand } from './record-action.ts';
import { revertCommand } from './revert.ts';
import { tailCommand } from './tail.ts';
import { updateCommand } from './update.ts';

type MakeCommand = (noun: Noun, start: Start) => CommandUnknownOpts;

/** Every verb, written once, for all the nouns that have it. */
const commands: Readonly<Record<Verb, MakeCommand>> = {
  list: listCommand,
  create: createCommand,
  get: getCommand,
  delete: deleteCommand,
  update: updateCommand,
  deliveries: deliveriesCommand,
  deactivate: transitionCommand('deactivate'),
  reactivate: transitionCommand('reactivate'),
  restore: transitionCommand('restore'),
  revoke: transitionCommand('revoke'),
  rotate: transitionCommand('rotate'),
  test: transitionCommand('test'),
  replay: transitionCommand('replay'),
  history: historyCommand,
  revert: revertCommand,
  tail: tailCommand,
  listen: listenCommand,
};

/** What makes the command of a verb of a noun. The log is no collection, and has a list of its own. */
export function commandOf(noun: Noun, verb: Verb): MakeCommand {
  return noun.name === 'events' && verb === 'list' ? listEventsCommand : commands[verb];
}
