import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { FollowedEvent, FollowQuery } from '@roster/client';
import { plainColumns, type Row } from '../../contract/columns.ts';
import { operationContract } from '../../contract/operations.ts';
import { parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { isHttpUrl, usageError } from '../../errors.ts';
import { addJsonLines } from '../../ui/json-option.ts';
import { linePrinterFor } from '../../ui/printer.ts';
import { styled, stylesFor } from '../../ui/text.ts';
import { buildOperationCommand } from '../command-builder.ts';
import type { CommandContext, ContextFactory } from '../context.ts';
import { followEvents, resolveStart } from '../events/follow.ts';

const columns = plainColumns(['position', 'type', 'subject', 'messageId', 'status', 'durationMs', 'error']);

/** Long, because a receiver under development may be stopped in a debugger. */
const TIMEOUT_MS = 30_000;

function checkedTarget(url: string): string {
  if (isHttpUrl(url)) return url;
  throw usageError('--forward-to must be an http or https URL');
}

function checkedSecret(secret: string): string {
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return secret;
  throw usageError('--secret must be whsec_ and base64', 'Leave it out to generate one.');
}

function describeFailure(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) throw error;
  const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1_000} s`;
  return cause?.code ?? cause?.message ?? message;
}

async function forward(
  event: FollowedEvent,
  { url, secret, signal }: { url: string; secret: string; signal: AbortSignal },
): Promise<Row> {
  const { webhookPost } = await import('./message.ts');
  const { messageId, headers, body } = webhookPost(event, secret, new Date());
  const started = performance.now();
  const settled = (status: number | null, error: string | null): Row => {
    const { position, type, subject, cursor } = event;
    const durationMs = Math.round(performance.now() - started);
    return { position, type, subject, messageId, status, durationMs, error, cursor };
  };
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
    await response.body?.cancel();
    return settled(response.status, response.ok ? null : `the receiver responded with ${response.status}`);
  } catch (error) {
    return settled(null, describeFailure(error, signal));
  }
}

function printerOf({ io, json, printer }: CommandContext): (row: Row) => void {
  if (!printer.isForPeople) {
    const print = linePrinterFor(io, columns, json);
    return (row) => print([row]);
  }
  const { green, red } = stylesFor(io.stdout.color);
  return ({ type, subject, messageId, status, durationMs, error }) => {
    const outcome = error === null ? green(String(status)) : red(String(error));
    io.stdout.write(
      styled`${String(type)} ${String(subject)} ${String(messageId)} → ${outcome} (${String(durationMs)} ms)\n`,
    );
  };
}

export function listenCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const { fields } = operationContract(resource.name, 'listen');
  const command = buildOperationCommand(resource, 'listen')
    .requiredOption(
      '--forward-to <url>',
      'URL to post each event to, such as http://localhost:8080/hook; required',
    )
    .option(
      '--secret <secret>',
      'Secret that signs the messages: whsec_ and base64. Generated and shown by default',
    );
  addJsonLines(command);
  return command.action(async (options, command) => {
    const url = checkedTarget(options.forwardTo);
    const given = options.secret === undefined ? undefined : checkedSecret(options.secret);
    const context = await createContext(resource, command);
    const { client, io } = context;
    const { signal } = context.callOptions;
    const { newSecret } = await import('./message.ts');
    const secret = given ?? newSecret();
    const query: FollowQuery = parseInput(fields, options);
    const after = await resolveStart(query, { client, signal });
    if (given === undefined) io.stderr.write(`Messages are signed with the secret ${secret}\n`);
    io.stderr.write(`Forwarding events to ${url}. Press Ctrl-C to stop.\n`);
    const print = printerOf(context);
    for await (const event of followEvents({ ...query, after }, context))
      print(await forward(event, { url, secret, signal }));
  });
}
