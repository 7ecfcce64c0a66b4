import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Noun, Verb } from '../nouns.ts';
import type { Start } from '../session.ts';
import { createCommand } from './create.ts';
import { deleteCommand } from './delete.ts';
import { deliveriesCommand } from './deliveries.ts';
import { getCommand } from './get.ts';
import { listCommand } from './list.ts';
import { transitionCommand } from './transition.ts';
import { updateCommand } from './update.ts';

/** Every verb, written once, for all the nouns that have it. */
export const commands: Readonly<Record<Verb, (noun: Noun, start: Start) => CommandUnknownOpts>> = {
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
};
