import type { RosterError } from '@roster/client';
import { CliError, type ExitCode, exitCodes } from '../errors.ts';
import { type FailedCommand, hintFor } from './error-hints.ts';
import { detailOf, isUsage, sentenceOf } from './error-options.ts';
import type { IoStreams } from './io-streams.ts';
import { jsonText } from './serializers.ts';
import { joined, linesOf, type Styled, stylesFor } from './styled.ts';

/** The command that failed, and how to print its error. */
export interface ErrorContext extends FailedCommand {
  io: IoStreams;
  /** The options of the command as they were given. */
  options: Record<string, unknown>;
  isJson: boolean;
  isDebug: boolean;
}

/** The message after the name of the command. */
function headline(message: string, { io, command }: ErrorContext): Styled {
  const name = stylesFor(io.stderr.color).red('roster:');
  return joined([name, ...(command === '' ? [] : [`${command}:`]), message.replace(/\.$/, '')], ' ');
}

function fieldLines({ errors, errorsOmitted }: RosterError, errorContext: ErrorContext): string[] {
  const lines = errors.map((error) => `  ${sentenceOf(error, errorContext)}`);
  if (errorsOmitted > 0) lines.push(`  and ${errorsOmitted.toLocaleString('en-US')} more`);
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
    ...(error.requestId === undefined ? [] : [`Request id: ${error.requestId}`]),
  ];
  return linesOf(lines);
}

function exitCodeOf(error: RosterError, errorContext: ErrorContext): ExitCode {
  const { status } = error;
  if (isUsage(error, errorContext)) return exitCodes.usage;
  return status === 401 || status === 403 ? exitCodes.notAllowed : exitCodes.failed;
}

/** The stack of an error and of its causes. */
function traceOf(error: Error): string {
  const cause = error.cause instanceof Error ? `Caused by: ${traceOf(error.cause)}` : '';
  return `${error.stack ?? error.message}\n${cause}`;
}

function unexpectedText(error: Error, errorContext: ErrorContext): Styled {
  return linesOf([
    headline(error.message, errorContext),
    'This is a bug in roster; --debug prints its stack trace.',
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
