import { isDeepStrictEqual } from 'node:util';
import { type FieldError, RosterError } from '@roster/client';
import { type Row, valueAt } from '../columns.ts';
import type { CommandContext } from '../context/command-context.ts';
import { operationContract, validateInput } from '../contract/contract.ts';
import { camelCase } from '../contract/fields.ts';
import type { Input } from '../options/fields.ts';
import { jsonText } from '../output/serializers.ts';
import type { Resource } from '../resources.ts';
import { fieldTexts, printable, textOf } from '../terminal/text.ts';

/** A change of one record, as it would be sent. */
export interface Change {
  resource: Pick<Resource, 'singular' | 'nameField'> & { name: string };
  operation: string;
  input: Input;
}

function sentenceOf({ pointer, detail }: FieldError): string {
  return `${pointer?.slice(2).replaceAll('/', '.')} ${detail}`;
}

/** The error that the service would return for an invalid input. */
function validationError(errors: FieldError[]): RosterError {
  return new RosterError({
    type: '/docs/errors#validation_failed',
    code: 'validation_failed',
    status: 422,
    title: 'The body is not valid',
    detail: `${errors.map(sentenceOf).join('; ')}.`,
    errors,
  });
}

function versionConflict(currentVersion: number, ifVersion: number): RosterError {
  return new RosterError({
    type: '/docs/errors#version_conflict',
    code: 'version_conflict',
    status: 412,
    title: 'The record has changed since the version you named',
    detail: `The record has version ${currentVersion}, not ${ifVersion}.`,
    currentVersion,
  });
}

/** The input of an update without the fields that it does not write and that have the value of the record, as the service takes it. */
function withoutUnchanged({ resource, operation, input }: Change, current: Row | undefined): Input {
  if (operation !== 'update' || current === undefined) return input;
  const written = new Set(operationContract(resource.name, operation).fields.map(({ path }) => path[0]));
  const isKept = ([name, value]: [string, unknown]) =>
    name === 'id' || written.has(name) || !isDeepStrictEqual(value, current[name]);
  return Object.fromEntries(Object.entries(input).filter(isKept));
}

/** The current state of what a change is about; undefined if it is new or is to be restored. */
async function readCurrent({ operation, input }: Change, { procedures, callOptions }: CommandContext) {
  const { id } = input;
  // The settings have no id: there is one of them.
  if (id === undefined && operation !== 'update') return undefined;
  try {
    return await procedures.get.query(id === undefined ? {} : { id }, callOptions);
  } catch (error) {
    if (operation === 'restore' && error instanceof RosterError && error.code === 'not_found')
      return undefined;
    throw error;
  }
}

/** The status that an operation sets. */
const states: Record<string, string> = { deactivate: 'inactive', reactivate: 'active' };

/** The fields that the change would make different. */
function differencesOf({ operation, input }: Change, current: Row | undefined): Row[] {
  const { id: _, ifVersion: __, ...fields } = input;
  const sent: [string, string][] = [...fieldTexts(fields)];
  const isTimed = input.effectiveAt !== undefined || input.effectiveOn !== undefined;
  const state = isTimed ? undefined : states[operation];
  if (state !== undefined) sent.unshift(['status', state]);
  return sent
    .map(([field, then]) => ({ field, now: textOf(current && valueAt(current, field)), then }))
    .filter(({ now, then }) => now !== then);
}

const longVerbs: Record<string, string> = {
  'transfer-agents': 'transfer the agents of',
  'revoke-sessions': 'end the sessions of',
};

/** One sentence: the operation and its record. */
function summaryOf({ resource, operation, input }: Change, current: Row | undefined): string {
  const own = current && valueAt(current, resource.nameField);
  const name = own === undefined ? undefined : printable(String(own));
  const version = current?.version === undefined ? '' : ` (version ${current.version})`;
  const which = name === undefined ? (input.id ?? '') : `"${name}"${version}`;
  const verb = longVerbs[operation] ?? operation;
  return `Would ${verb} the ${resource.singular} ${which}`.trim();
}

const columns = [
  { field: 'field', title: 'FIELD' },
  { field: 'now', title: 'NOW', widthMin: 12 },
  { field: 'then', title: 'THEN', widthMin: 12 },
];

/**
 * Previews a change: validates the input, reads the record and its version, and prints the request (with `--json`) or the
 * fields that would change. Throws the error that the service would return, as far as it can be predicted.
 */
export async function preview(given: Change, context: CommandContext): Promise<void> {
  const { resource, operation } = given;
  const procedure = `${camelCase(resource.name)}.${camelCase(operation)}`;
  const current = await readCurrent(given, context);
  const input = withoutUnchanged(given, current);
  const change = { ...given, input };
  const errors = validateInput(procedure, input);
  if (errors.length > 0) throw validationError(errors);
  const { ifVersion } = input;
  if (typeof current?.version === 'number' && typeof ifVersion === 'number' && ifVersion !== current.version)
    throw versionConflict(current.version, ifVersion);
  const { io, json, printer } = context;
  if (json !== undefined) {
    io.stdout.write(jsonText({ procedure, input, ...(current && { current }) }));
    return;
  }
  const differences = differencesOf(change, current);
  async function* page() {
    yield { items: differences };
  }
  await printer.pages(page(), columns);
  const isUnchanged = differences.length === 0 && (operation === 'update' || states[operation] !== undefined);
  io.stderr.write(
    `${summaryOf(change, current)}${isUnchanged ? ', which would change nothing' : ''}. Nothing was sent; ` +
      'rules that depend on other records were not checked.\n',
  );
}
