import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { operationContract } from '../contract/operations.ts';
import type { Resource } from '../contract/resources.ts';
import type { ContextFactory } from './context.ts';
import { listEventsCommand } from './events/list.ts';
import { tailCommand } from './events/tail.ts';
import { rowsCommand } from './imports/rows.ts';
import { importStepCommand } from './imports/write.ts';
import { errorsCommand } from './jobs/errors.ts';
import { undoJobCommand } from './jobs/undo.ts';
import { recordActionCommand } from './records/action.ts';
import { bulkCommand } from './records/bulk.ts';
import { checkDuplicatesCommand } from './records/check-duplicates.ts';
import { newRecordCommand } from './records/create.ts';
import { deleteCommand } from './records/delete.ts';
import { duplicatesCommand } from './records/duplicates.ts';
import { readCommand } from './records/get.ts';
import { historyCommand } from './records/history.ts';
import { listCommand } from './records/list.ts';
import { mergeCommand } from './records/merge.ts';
import { revertCommand } from './records/revert.ts';
import { unmergeCommand } from './records/unmerge.ts';
import { updateCommand } from './records/update.ts';
import { deliveriesCommand } from './webhooks/deliveries.ts';
import { listenCommand } from './webhooks/listen.ts';

type MakeCommand = (resource: Resource, createContext: ContextFactory) => CommandUnknownOpts;

/** The commands that do more than call their operation, shared by all resources that have it. */
const commands: Readonly<Record<string, MakeCommand>> = {
  list: listCommand,
  create: newRecordCommand('create'),
  invite: newRecordCommand('invite'),
  delete: deleteCommand,
  update: updateCommand,
  deliveries: deliveriesCommand,
  bulk: bulkCommand,
  duplicates: duplicatesCommand,
  'check-duplicates': checkDuplicatesCommand,
  rows: rowsCommand,
  errors: errorsCommand,
  write: importStepCommand('write'),
  resume: importStepCommand('resume'),
  merge: mergeCommand,
  unmerge: unmergeCommand,
  undo: undoJobCommand,
  'dismiss-duplicate': recordActionCommand('dismiss-duplicate', 'pair'),
  'reopen-duplicate': recordActionCommand('reopen-duplicate', 'pair'),
  history: historyCommand,
  revert: revertCommand,
  tail: tailCommand,
  listen: listenCommand,
};

/**
 * Looks up the function that builds a command. One without a function of its own follows from the contract: it prints what a query
 * answers, or changes one record. The log is no collection, so its list differs.
 */
export function commandOf(resource: Resource, operation: string): MakeCommand {
  if (resource.name === 'events' && operation === 'list') return listEventsCommand;
  const own = Object.hasOwn(commands, operation) ? commands[operation] : undefined;
  if (own !== undefined) return own;
  const { isQuery } = operationContract(resource.name, operation);
  return (isQuery ? readCommand : recordActionCommand)(operation);
}
