import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { ContextFactory } from '../context/command-context.ts';
import type { OperationName, Resource } from '../resources.ts';
import { blameCommand } from './blame.ts';
import { bulkCommand } from './bulk.ts';
import { newRecordCommand } from './create.ts';
import { deleteCommand } from './delete.ts';
import { duplicatesCommand } from './duplicates.ts';
import { historyCommand } from './history.ts';
import { listEventsCommand } from './list-events.ts';
import { listenCommand } from './listen.ts';
import { deliveriesCommand, jobErrorsCommand } from './lists-of-one.ts';
import { personLinkCommand } from './person-link.ts';
import { getCommand, getOnlyCommand, listCommand } from './read.ts';
import { recordActionCommand } from './record-action.ts';
import { revertCommand } from './revert.ts';
import { tailCommand } from './tail.ts';
import { undoJobCommand } from './undo-job.ts';
import { updateCommand } from './update.ts';

type MakeCommand = (resource: Resource, createContext: ContextFactory) => CommandUnknownOpts;

/** The commands by operation, shared by all resources that have it. */
const commands: Readonly<Record<OperationName, MakeCommand>> = {
  list: listCommand,
  create: newRecordCommand('create'),
  invite: newRecordCommand('invite'),
  link: personLinkCommand,
  current: getOnlyCommand('current'),
  get: getCommand,
  delete: deleteCommand,
  update: updateCommand,
  deliveries: deliveriesCommand,
  bulk: bulkCommand,
  errors: jobErrorsCommand,
  duplicates: duplicatesCommand,
  undo: undoJobCommand,
  deactivate: recordActionCommand('deactivate'),
  reactivate: recordActionCommand('reactivate'),
  transfer: recordActionCommand('transfer'),
  'transfer-agents': recordActionCommand('transfer-agents'),
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

/** Looks up the function that builds a command. The log, the counts and the status are no collections, so their commands differ. */
export function commandOf(resource: Resource, operation: OperationName): MakeCommand {
  if (resource.name === 'stats' || resource.name === 'status') return getOnlyCommand('get');
  return resource.name === 'events' && operation === 'list' ? listEventsCommand : commands[operation];
}
