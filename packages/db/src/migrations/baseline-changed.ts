/** The first migration that the baseline of 0.1.0 replaced. */
const REPLACED = '0001-offices-and-agents';

/** The database is from before 0.1.0. The message says how to carry the data over. */
export class BaselineChangedError extends Error {
  override name = 'BaselineChangedError';
}

/** @param names the executed migrations, oldest first */
export function isBeforeBaseline(names: readonly string[]): boolean {
  return names[0] === REPLACED;
}

/** The message; `subject` are its first words, such as 'This database'. */
export function baselineChanged(subject: string): string {
  return (
    `${subject} is from before Roster 0.1.0, which changed its baseline, and can't be migrated. Nothing was changed. ` +
    'To carry the data over, export offices, agents and teams with the version that wrote them, and import the files with this one ' +
    'into a new database. See "Data from before 0.1.0" in docs/operations/run.md.'
  );
}
