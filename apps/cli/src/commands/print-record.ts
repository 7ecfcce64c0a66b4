import type { Row } from '../nouns.ts';
import type { Session } from '../session.ts';

/** Prints what a change answered; of a secret, a person is told that it is not shown again. */
export async function printRecord({ printer, io }: Session, record: Row): Promise<void> {
  await printer.record(record);
  if (io.isTerminal && 'secret' in record) {
    io.stderr.write('The secret is shown this once: keep it now, nobody can show it again.\n');
  }
}
