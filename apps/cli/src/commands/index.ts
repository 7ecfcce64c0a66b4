import { operationContract } from '../contract/operations.ts';
import type { Resource } from '../contract/resources.ts';
import type { MakeCommand } from './command-builder.ts';
import { listEventsCommand } from './events/list.ts';
import { tailCommand } from './events/tail.ts';
import { rowsCommand } from './imports/rows.ts';
import { importStepCommand } from './imports/write.ts';
import { errorsCommand } from './jobs/errors.ts';
import { undoCommand } from './jobs/undo.ts';
import { inviteCommand } from './people/invite.ts';
import { listPeopleCommand } from './people/list.ts';
import { actionCommand } from './records/action.ts';
import { bulkCommand } from './records/bulk.ts';
import { checkDuplicatesCommand } from './records/check-duplicates.ts';
import { createCommand } from './records/create.ts';
import { deleteCommand } from './records/delete.ts';
import { duplicatesCommand } from './records/duplicates.ts';
import { getCommand } from './records/get.ts';
import { historyCommand } from './records/history.ts';
import { listCommand } from './records/list.ts';
import { mergeCommand } from './records/merge.ts';
import { revertCommand } from './records/revert.ts';
import { unmergeCommand } from './records/unmerge.ts';
import { updateCommand } from './records/update.ts';
import { deliveriesCommand } from './webhooks/deliveries.ts';
import { listenCommand } from './webhooks/listen.ts';

/** The functions that build commands: by noun and verb, or by the verb alone if every noun with this verb shares it. */
const commands: Readonly<Record<string, MakeCommand>> = {
  'events list': listEventsCommand,
  'events tail': tailCommand,
  'imports correct': importStepCommand('correct'),
  'imports errors': errorsCommand,
  'imports resume': importStepCommand('resume'),
  'imports rows': rowsCommand,
  'imports undo': undoCommand,
  'imports write': importStepCommand('write'),
  'jobs errors': errorsCommand,
  'jobs undo': undoCommand,
  'people invite': inviteCommand,
  'people list': listPeopleCommand,
  'webhooks deliveries': deliveriesCommand,
  'webhooks listen': listenCommand,
  bulk: bulkCommand,
  'check-duplicates': checkDuplicatesCommand,
  create: createCommand,
  delete: deleteCommand,
  'dismiss-duplicate': actionCommand('dismiss-duplicate', 'pair'),
  duplicates: duplicatesCommand,
  history: historyCommand,
  list: (resource, createContext) => listCommand(resource, createContext),
  merge: mergeCommand,
  'reopen-duplicate': actionCommand('reopen-duplicate', 'pair'),
  revert: revertCommand,
  unmerge: unmergeCommand,
  update: updateCommand,
};

/**
 * Looks up the function that builds a command. An operation that is not listed prints what it returns if it is a query
 * (`records/get.ts`), and changes one record otherwise (`records/action.ts`).
 */
export function commandOf({ name }: Resource, verb: string): MakeCommand {
  const own = commands[`${name} ${verb}`] ?? (Object.hasOwn(commands, verb) ? commands[verb] : undefined);
  return own ?? (operationContract(name, verb).isQuery ? getCommand : actionCommand)(verb);
}
