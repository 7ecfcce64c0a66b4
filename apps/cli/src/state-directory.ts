import { join } from 'node:path';
import type { Environment } from './connection.ts';

/**
 * Where roster keeps what it may forget (XDG Base Directory): `roster` in XDG_STATE_HOME, or in `.local/state` at home.
 * Undefined where the environment names neither.
 */
export function stateDirectory({
  XDG_STATE_HOME = '',
  HOME = '',
  USERPROFILE = '',
}: Environment): string | undefined {
  const home = HOME || USERPROFILE;
  if (XDG_STATE_HOME !== '') return join(XDG_STATE_HOME, 'roster');
  return home === '' ? undefined : join(home, '.local', 'state', 'roster');
}
