import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ContextFactory } from '../context/command-context.ts';
import type { OperationName, Resource } from '../resources.ts';
import { listEventsCommand } from './events/list-events.ts';
import { listenCommand } from './events/listen.ts';
import { tailCommand } from './events/tail.ts';
import { deliveriesCommand, errorsCommand, rowsCommand } from './lists-of-one.ts';
import { mergeCommand, unmergeCommand } from './merges/merge.ts';
import { mergeDuplicatesCommand } from './merges/merge-duplicates.ts';
import { blameCommand } from './records/blame.ts';
import { bulkCommand } from './records/bulk.ts';
import { newRecordCommand } from './records/create.ts';
import { deleteCommand } from './records/delete.ts';
import { duplicatesCommand } from './records/duplicates.ts';
import { historyCommand } from './records/history.ts';
import { checkDuplicatesCommand } from './records/look-alikes.ts';
import { getCommand, getOnlyCommand, listCommand } from './records/read.ts';
import { recordActionCommand } from './records/record-action.ts';
import { revertCommand } from './records/revert.ts';
import { updateCommand } from './records/update.ts';
import { undoJobCommand } from './undo-job.ts';
import { writeImportCommand } from './write-import.ts';

type MakeCommand = (resource: Resource, createContext: ContextFactory) => CommandUnknownOpts;

/** The commands by operation, shared by all resources that have it. */
const commands: Readonly<Record<OperationName, MakeCommand>> = {
  list: listCommand,
  create: newRecordCommand('create'),
  invite: newRecordCommand('invite'),
  current: getOnlyCommand('current'),
  get: getCommand,
  delete: deleteCommand,
  update: updateCommand,
  deliveries: deliveriesCommand,
  bulk: bulkCommand,
  duplicates: duplicatesCommand,
  'check-duplicates': checkDuplicatesCommand,
  'merge-duplicates': mergeDuplicatesCommand,
  rows: rowsCommand,
  errors: errorsCommand,
  write: writeImportCommand,
  merge: mergeCommand,
  unmerge: unmergeCommand,
  undo: undoJobCommand,
  deactivate: recordActionCommand('deactivate'),
  reactivate: recordActionCommand('reactivate'),
  restore: recordActionCommand('restore'),
  revoke: recordActionCommand('revoke'),
  rotate: recordActionCommand('rotate'),
  test: recordActionCommand('test'),
  replay: recordActionCommand('replay'),
  cancel: recordActionCommand('cancel'),
  'revoke-sessions': recordActionCommand('revoke-sessions'),
  'dismiss-duplicate': recordActionCommand('dismiss-duplicate', 'pair'),
  'reopen-duplicate': recordActionCommand('reopen-duplicate', 'pair'),
  history: historyCommand,
  blame: blameCommand,
  revert: revertCommand,
  tail: tailCommand,
  listen: listenCommand,
};

const isShared = (operation: string): operation is OperationName => Object.hasOwn(commands, operation);

/**
 * Looks up the function that builds a command; one for an operation that a resource alone has changes one record. The log, the counts
 * and the status are no collections, so their commands differ.
 */
export function commandOf(resource: Resource, operation: string): MakeCommand {
  if (resource.name === 'stats' || resource.name === 'status') return getOnlyCommand('get');
  if (resource.name === 'events' && operation === 'list') return listEventsCommand;
  return isShared(operation) ? commands[operation] : recordActionCommand(operation);
}
