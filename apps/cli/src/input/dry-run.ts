import { type FieldError, RosterError } from '@roster/client';
import type { Session } from '../context/command-context.ts';
import { jsonText } from '../output/serializers.ts';
import { flattened, printable, textOf } from '../output/text.ts';
import { type Noun, type Row, valueAt } from '../resources.ts';
import type { Input } from './fields.ts';
import { faultsOf } from './validation.ts';

/** A change of one record, as it would be sent. */
export interface Change {
  noun: Pick<Noun, 'singular' | 'namePlace'> & { name: string };
  verb: string;
  input: Input;
}

function sentenceOf({ pointer, detail }: FieldError): string {
  return `${pointer?.slice(2).replaceAll('/', '.')} ${detail}`;
}

/** What the service would answer to an input like that. */
function refusalOf(errors: FieldError[]): RosterError {
  return new RosterError({
    type: '/docs/errors#validation_failed',
    code: 'validation_failed',
    status: 422,
    title: 'The body breaks a rule',
    detail: `${errors.map(sentenceOf).join('; ')}.`,
    errors,
  });
}

function conflictOf(currentVersion: number, ifVersion: number): RosterError {
  return new RosterError({
    type: '/docs/errors#version_conflict',
    code: 'version_conflict',
    status: 412,
    title: 'The record has changed since the version you named',
    detail: `The record has version ${currentVersion}, not ${ifVersion}.`,
    currentVersion,
  });
}

/** The record a change is about, as it is now; undefined for a new one, and for one that is to be restored. */
async function currentOf({ verb, input }: Change, { procedures, callOptions }: Session) {
  const { id } = input;
  if (id === undefined) return undefined;
  try {
    return await procedures.get.query({ id }, callOptions);
  } catch (error) {
    if (verb === 'restore' && error instanceof RosterError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** States that a verb leads to. */
const states: Record<string, string> = { deactivate: 'inactive', reactivate: 'active' };

/** What would become different, field by field. */
function differencesOf({ verb, input }: Change, current: Row | undefined): Row[] {
  const { id: _, ifVersion: __, ...fields } = input;
  const sent: [string, string][] = [...flattened(fields)];
  const state = states[verb];
  if (state !== undefined) sent.unshift(['status', state]);
  return sent
    .map(([field, then]) => ({ field, now: textOf(current && valueAt(current, field)), then }))
    .filter(({ now, then }) => now !== then);
}

/** What would happen, and to which record. */
function summaryOf({ noun, verb, input }: Change, current: Row | undefined): string {
  const name = current && printable(String(valueAt(current, noun.namePlace)));
  const version = current?.version === undefined ? '' : ` (version ${current.version})`;
  const which = name === undefined ? (input.id ?? '') : `"${name}"${version}`;
  return `Would ${verb} the ${noun.singular} ${which}`.trim();
}

const columns = [
  { place: 'field', title: 'FIELD' },
  { place: 'now', title: 'NOW', widthMin: 12 },
  { place: 'then', title: 'THEN', widthMin: 12 },
];

/**
 * Shows a change instead of making it: checks the input, reads the record and its version, and prints what would be
 * sent (with `--json`) or what would be different. Throws what the service would refuse, as far as that can be told.
 */
export async function rehearse(change: Change, session: Session): Promise<void> {
  const { noun, verb, input } = change;
  const procedure = `${noun.name}.${verb}`;
  const faults = await faultsOf(procedure, input);
  if (faults.length > 0) throw refusalOf(faults);
  const current = await currentOf(change, session);
  const { ifVersion } = input;
  if (typeof current?.version === 'number' && typeof ifVersion === 'number' && ifVersion !== current.version)
    throw conflictOf(current.version, ifVersion);
  const { io, json, printer } = session;
  if (json !== undefined) {
    io.stdout.write(jsonText({ procedure, input, ...(current && { current }) }));
    return;
  }
  const differences = differencesOf(change, current);
  async function* page() {
    yield { items: differences };
  }
  await printer.pages(page(), columns);
  const isIdle = differences.length === 0 && (verb === 'update' || states[verb] !== undefined);
  io.stderr.write(
    `${summaryOf(change, current)}${isIdle ? ', which is so already' : ''}. Nothing was changed; ` +
      'what depends on other records only the service can tell.\n',
  );
}
