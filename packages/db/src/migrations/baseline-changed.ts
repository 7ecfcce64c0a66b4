/** The first of the migrations that the baseline of 0.1.0 has replaced. */
const REPLACED = '0001-offices-and-agents';

/** A database is from before 0.1.0, whose migrations no release knows. The message is for people and says how to carry the data over. */
export class BaselineChangedError extends Error {
  override name = 'BaselineChangedError';
}

/**
 * Whether a database with these migrations is from before 0.1.0.
 * @param names the migrations that have run, oldest first
 */
export function isBeforeBaseline(names: readonly string[]): boolean {
  return names[0] === REPLACED;
}

/**
 * Says that something is from before 0.1.0, and how to carry the data over.
 * @param subject the first words of the message: 'This database'
 */
export function baselineChanged(subject: string): string {
  return (
    `${subject} is from before Roster 0.1.0, which changed its baseline, and can't be migrated. Nothing was changed. ` +
    'To carry the data over, export offices, agents and teams with the version that wrote them, and import the files with this one ' +
    'into a new database. See "Data from before 0.1.0" in docs/operations/run.md.'
  );
}
