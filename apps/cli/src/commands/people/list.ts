import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Row } from '../../contract/columns.ts';
import type { Resource } from '../../contract/resources.ts';
import type { CommandContext, ContextFactory } from '../context.ts';
import { listCommand } from '../records/list.ts';

const NAMES_MAX = 5;

function reportNeededLinks(rows: readonly Row[], { io, printer, commandLine }: CommandContext): void {
  const stranded = rows.filter(({ signInWay, status }) => signInWay === 'none' && status !== 'inactive');
  if (!printer.isForPeople || stranded.length === 0) return;
  const names = stranded.slice(0, NAMES_MAX).map(({ name }) => String(name));
  const more = stranded.length > NAMES_MAX ? ` and ${stranded.length - NAMES_MAX} more` : '';
  io.stderr.write(
    `Without a way to sign in: ${names.join(', ')}${more}. Create a link with: ${commandLine('invitations create --person-id <id>')}\n`,
  );
}

export function listPeopleCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  return listCommand(resource, createContext, reportNeededLinks);
}
