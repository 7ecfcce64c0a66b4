import type { Session } from '../context/command-context.ts';
import { usageError } from '../errors/errors.ts';
import type { Row } from '../resources.ts';
import type { Change } from './dry-run.ts';

/** What the service answered to a change; nothing where the record is gone. */
interface Done {
  record: Row | undefined;
}

/** Makes a change; with `--dry-run` shows it instead, and answers undefined. */
export async function change(made: Change, session: Session): Promise<Done | undefined> {
  const { noun, verb, input } = made;
  if (session.isDryRun) {
    if (session.json !== undefined && session.json.fields.length > 0) {
      throw usageError('--json takes no fields with --dry-run', 'It prints what would be sent, as a whole.');
    }
    const { rehearse } = await import('./dry-run.ts');
    await rehearse(made, session);
    return undefined;
  }
  const procedure = session.procedures[verb];
  if (procedure === undefined) throw new Error(`There is no procedure ${noun.name}.${verb}`);
  return { record: (await procedure.mutate(input, session.callOptions)) as Row | undefined };
}
