import type { FieldError, RosterError } from '@roster/client';
import { pathOfPointer } from '@roster/fields/json-pointer';
import { camelCase, type Field } from '../contract/fields.ts';
import { operationContract } from '../contract/operations.ts';
import { CliError, type ExitCode, exitCodes } from '../errors.ts';
import { type FailedCommand, hintFor } from './error-hints.ts';
import type { IoStreams } from './io-streams.ts';
import { jsonText } from './serializers.ts';
import { grouped, joined, linesOf, type Styled, stylesFor } from './text.ts';

export interface ErrorContext extends FailedCommand {
  io: IoStreams;
  options: Record<string, unknown>;
  isJson: boolean;
  isDebug: boolean;
}

function headline(message: string, { io, command }: ErrorContext): Styled {
  const name = stylesFor(io.stderr.color).red('roster:');
  return joined([name, ...(command === '' ? [] : [`${command}:`]), message.replace(/\.$/, '')], ' ');
}

function fieldLines({ errors, errorsOmitted }: RosterError, errorContext: ErrorContext): string[] {
  const lines = errors.map((error) => `  ${sentenceOf(error, errorContext)}`);
  if (errorsOmitted > 0) lines.push(`  and ${grouped(errorsOmitted)} more`);
  return lines;
}

function dependentLines({ dependents }: RosterError): string[] {
  return Object.entries(dependents ?? {}).map(([kind, count]) => `  ${kind}: ${count}`);
}

function hintLines(error: RosterError, errorContext: ErrorContext): string[] {
  const hint = hintFor(error, errorContext);
  if (hint !== undefined) return [hint];
  const { type } = error;
  const { url } = errorContext.connection ?? {};
  return type !== undefined && url !== undefined && URL.canParse(type, url)
    ? [`See ${new URL(type, url)}`]
    : [];
}

function problemText(error: RosterError, errorContext: ErrorContext): Styled {
  // The detail already contains a single field error; several get a line each.
  const isOne = error.errors.length < 2;
  const lines = [
    headline(isOne ? detailOf(error, errorContext) : error.title, errorContext),
    ...(isOne ? [] : fieldLines(error, errorContext)),
    ...dependentLines(error),
    ...hintLines(error, errorContext),
    ...(error.requestId === undefined ? [] : [`Request ID: ${error.requestId}`]),
  ];
  return linesOf(lines);
}

function exitCodeOf(error: RosterError, errorContext: ErrorContext): ExitCode {
  const { status } = error;
  if (isUsage(error, errorContext)) return exitCodes.usage;
  return status === 401 || status === 403 ? exitCodes.notAllowed : exitCodes.failed;
}

function traceOf(error: Error): string {
  const cause = error.cause instanceof Error ? `Caused by: ${traceOf(error.cause)}` : '';
  return `${error.stack ?? error.message}\n${cause}`;
}

function unexpectedText(error: Error, errorContext: ErrorContext): Styled {
  return linesOf([
    headline(error.message, errorContext),
    'This is a bug in roster. Add --debug for the stack trace.',
  ]);
}

async function toRosterError(error: Error): Promise<RosterError | undefined> {
  // The client is loaded only for its own errors, so that usage errors stay fast.
  if (error.name !== 'RosterError') return undefined;
  const { RosterError } = await import('@roster/client');
  return error instanceof RosterError ? error : undefined;
}

/**
 * Prints an error to stderr: the command, the message, the errors of each field, a hint and the request id; with `--json`
 * the problem object instead. Resolves to the exit code.
 */
export async function printError(error: Error, errorContext: ErrorContext): Promise<ExitCode> {
  const { io, isJson, isDebug } = errorContext;
  if (isDebug) io.stderr.write(traceOf(error));
  if (error instanceof CliError) {
    const { json, hint, exitCode } = error;
    if (isJson && json !== undefined) io.stderr.write(jsonText(json));
    else {
      io.stderr.write(linesOf([headline(error.message, errorContext)]));
      if (hint !== undefined) io.stderr.write(`${hint}\n`);
    }
    return exitCode;
  }
  const problem = await toRosterError(error);
  if (problem === undefined) {
    io.stderr.write(unexpectedText(error, errorContext));
    return exitCodes.failed;
  }
  io.stderr.write(isJson ? jsonText(problem) : problemText(problem, errorContext));
  return exitCodeOf(problem, errorContext);
}

interface CommandLine {
  command: string;
  options: Record<string, unknown>;
}

function fieldsOf(command: string): { fields: Field[]; pathFields: Field[] } {
  const [resource = '', operation = ''] = command.split(' ');
  try {
    const { fields, pathFields = [] } = operationContract(resource, operation);
    return { fields, pathFields };
  } catch {
    // A command that calls no operation, such as `status`.
    return { fields: [], pathFields: [] };
  }
}

/** The path of the field that an error is about: `address`, `city`. */
function pathOf({ pointer, parameter }: FieldError): string[] {
  return parameter === undefined ? pathOfPointer(pointer ?? '') : [parameter];
}

/** The field at a path, or its nearest parent that has an option. */
function fieldAt(path: readonly string[], fields: readonly Field[]): Field | undefined {
  const around = fields.filter((field) => field.path.every((name, index) => path[index] === name));
  return around.toSorted((one, other) => other.path.length - one.path.length)[0];
}

function changeOptionAt([part, ...path]: readonly string[], options: CommandLine['options']) {
  if (part === 'officeId') return '--transfer-to';
  if (part !== 'patch') return undefined;
  return [options.set === undefined ? '--data:' : '--set:', path.join('.')].join(' ').trim();
}

function optionAt(error: FieldError, { command, options }: CommandLine): string | undefined {
  const [outer, ...inner] = pathOf(error);
  const isOfMany = / (?:bulk|merge-duplicates)$/.test(command);
  if (isOfMany && outer === 'change') return changeOptionAt(inner, options);
  // The filter of a change of many has the options of a list.
  const path = isOfMany && outer === 'filter' ? inner : pathOf(error);
  const [first = ''] = path;
  const { fields, pathFields } = fieldsOf(command);
  const argument = pathFields.find((one) => one.path[0] === first);
  if (argument !== undefined) return `<${argument.flag}>`;
  const field = fieldAt(path, fields);
  const isGiven = field !== undefined && options[camelCase(field.flag)] !== undefined;
  if (!isGiven && options.data !== undefined && first !== 'id')
    return ['--data:', path.join('.')].join(' ').trim();
  if (field !== undefined) {
    const rest = path.slice(field.path.length).join('.');
    return rest === '' ? `--${field.flag}` : `--${field.flag} (${rest})`;
  }
  if (first === 'Idempotency-Key') return '--idempotency-key';
  // The id of a record is the subject of its events.
  return path.length === 1 && (first === 'id' || first === 'subject') ? '<id>' : undefined;
}

/** A detail with options instead of the fields that it names. */
function withOptions(detail: string, { command }: CommandLine): string {
  const { fields } = fieldsOf(command);
  return detail.replaceAll(/\b[a-z]+[A-Z]\w*/g, (word) => {
    const field = fields.find(({ path }) => path.join('.') === word);
    return field === undefined ? word : `--${field.flag}`;
  });
}

function sentenceOf(error: FieldError, given: CommandLine): string {
  const label = optionAt(error, given) ?? pathOf(error).join('.');
  if (label === '') return error.detail;
  return `${label} ${/^--[a-z-]+$/.test(label) ? withOptions(error.detail, given) : error.detail}`;
}

/** The detail of an error. If it is about a single field, with the name of its option. */
function detailOf({ detail, errors }: RosterError, given: CommandLine): string {
  const [only] = errors;
  if (only === undefined || errors.length > 1) return detail;
  const described = `${pathOf(only).join('.')} ${only.detail}`;
  return detail.replace(/\.$/, '') === described.replace(/\.$/, '') ? sentenceOf(only, given) : detail;
}

const aboutInput = new Set<RosterError['code']>([
  'validation_failed',
  'invalid_parameter',
  'invalid_cursor',
  'cursor_mismatch',
]);

/** Whether the service rejected the command line: every field error belongs to one of its options or arguments. */
function isUsage({ code, errors }: RosterError, given: CommandLine): boolean {
  if (!aboutInput.has(code)) return false;
  return given.command === 'api' || errors.every((error) => optionAt(error, given) !== undefined);
}
