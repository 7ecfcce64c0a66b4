import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { operationContract } from '../contract/operations.ts';
import type { Resource } from '../contract/resources.ts';
import type { ContextFactory } from './context.ts';
import { tailCommand } from './events/tail.ts';
import { importStepCommand } from './imports/write.ts';
import { undoJobCommand } from './jobs/undo.ts';
import {
  deliveriesCommand,
  duplicatesCommand,
  errorsCommand,
  listEventsCommand,
  rowsCommand,
} from './lists.ts';
import { recordActionCommand } from './records/action.ts';
import { bulkCommand } from './records/bulk.ts';
import { checkDuplicatesCommand } from './records/check-duplicates.ts';
import { newRecordCommand } from './records/create.ts';
import { deleteCommand } from './records/delete.ts';
import { historyCommand } from './records/history.ts';
import { listCommand, readCommand } from './records/list.ts';
import { mergeCommand, unmergeCommand } from './records/merge.ts';
import { revertCommand } from './records/revert.ts';
import { updateCommand } from './records/update.ts';
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
