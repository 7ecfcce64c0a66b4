import type { RosterError } from '@roster/client';
import type { Io } from '../context/io-streams.ts';
import { jsonText } from '../output/serializers.ts';
import { joined, linesOf, type Styled, stylesFor } from '../output/styled.ts';
import { type Refused, remedyFor } from './error-hints.ts';
import { CliError, type ExitCode, exitCodes } from './errors.ts';
import { detailOf, isUsage, sentenceOf } from './option-names.ts';

/** What is being reported about. */
export interface Reported extends Refused {
  io: Io;
  /** The options of the command as they were given. */
  options: Record<string, unknown>;
  isJson: boolean;
  isDebug: boolean;
}

/** The message, with the command it is about in front. */
function headline(message: string, { io, command }: Reported): Styled {
  const name = stylesFor(io.stderr.color).red('roster:');
  return joined([name, ...(command === '' ? [] : [`${command}:`]), message.replace(/\.$/, '')], ' ');
}

function fieldLines({ errors, errorsOmitted }: RosterError, reported: Reported): string[] {
  const lines = errors.map((error) => `  ${sentenceOf(error, reported)}`);
  if (errorsOmitted > 0) lines.push(`  and ${errorsOmitted.toLocaleString('en-US')} more`);
  return lines;
}

function dependentLines({ dependents }: RosterError): string[] {
  return Object.entries(dependents ?? {}).map(([kind, count]) => `  ${kind}: ${count}`);
}

function remedyOf(error: RosterError, reported: Reported): string[] {
  const remedy = remedyFor(error, reported);
  if (remedy !== undefined) return [remedy];
  const { type } = error;
  const { url } = reported.connection ?? {};
  return type !== undefined && url !== undefined && URL.canParse(type, url)
    ? [`See ${new URL(type, url)}`]
    : [];
}

function refusalText(error: RosterError, reported: Reported): Styled {
  // One fault is in the detail already, in the service's words; of several, each gets its line.
  const isOne = error.errors.length < 2;
  const lines = [
    headline(isOne ? detailOf(error, reported) : error.title, reported),
    ...(isOne ? [] : fieldLines(error, reported)),
    ...dependentLines(error),
    ...remedyOf(error, reported),
    ...(error.requestId === undefined ? [] : [`Request id: ${error.requestId}`]),
  ];
  return linesOf(lines);
}

function exitCodeOf(error: RosterError, reported: Reported): ExitCode {
  const { status } = error;
  if (isUsage(error, reported)) return exitCodes.usage;
  return status === 401 || status === 403 ? exitCodes.notAllowed : exitCodes.failed;
}

/** Where an error comes from, and what is behind it. */
function traceOf(error: Error): string {
  const cause = error.cause instanceof Error ? `Caused by: ${traceOf(error.cause)}` : '';
  return `${error.stack ?? error.message}\n${cause}`;
}

function unexpectedText(error: Error, reported: Reported): Styled {
  return linesOf([
    headline(error.message, reported),
    'This is a fault of roster itself; --debug says where it is.',
  ]);
}

async function refusalOf(error: Error): Promise<RosterError | undefined> {
  // An error of the client cannot be there before the client is loaded, so this costs a usage error nothing.
  if (error.name !== 'RosterError') return undefined;
  const { RosterError } = await import('@roster/client');
  return error instanceof RosterError ? error : undefined;
}

/**
 * Puts an error on stderr: what went wrong and with which command, everything that is wrong with the fields, what to do
 * about it and the request id; with `--json` the problem object instead. Answers the exit code.
 */
export async function report(error: Error, reported: Reported): Promise<ExitCode> {
  const { io, isJson, isDebug } = reported;
  if (isDebug) io.stderr.write(traceOf(error));
  if (error instanceof CliError) {
    io.stderr.write(linesOf([headline(error.message, reported)]));
    if (error.remedy !== undefined) io.stderr.write(`${error.remedy}\n`);
    return error.exitCode;
  }
  const refusal = await refusalOf(error);
  if (refusal === undefined) {
    io.stderr.write(unexpectedText(error, reported));
    return exitCodes.failed;
  }
  io.stderr.write(isJson ? jsonText(refusal) : refusalText(refusal, reported));
  return exitCodeOf(refusal, reported);
}
