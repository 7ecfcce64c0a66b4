import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { FollowedEvent, FollowQuery } from '@roster/client';
import type { Session, Start } from '../context/command-context.ts';
import { verbContract } from '../contract/contract.ts';
import { usageError } from '../errors/errors.ts';
import { inputOf } from '../input/fields.ts';
import { addJsonLines } from '../input/json-option.ts';
import { linePrinterFor } from '../output/printer.ts';
import { styled, stylesFor } from '../output/styled.ts';
import type { Noun, Row } from '../resources.ts';
import { endOfLog } from '../watch/follow.ts';
import { verbCommand } from './command-builder.ts';

const columns = ['position', 'type', 'subject', 'messageId', 'status', 'durationMs', 'error'].map(
  (place) => ({
    place,
    title: place,
  }),
);

/** A receiver that is being developed may be stopped in a debugger for a while. */
const TIMEOUT_MS = 30_000;

function checkedTarget(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw usageError('--forward-to must be an http or https URL');
}

function checkedSecret(secret: string): string {
  if (/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return secret;
  throw usageError('--secret must be whsec_ and base64', 'Leave it out, and one is made.');
}

function whyNot(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) throw error;
  const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} s`;
  return cause?.code ?? cause?.message ?? message;
}

/** Posts one event, and answers what came of it. */
async function forward(
  event: FollowedEvent,
  { url, secret, signal }: { url: string; secret: string; signal: AbortSignal },
): Promise<Row> {
  const { webhookPost } = await import('./webhook-message.ts');
  const { messageId, headers, body } = webhookPost(event, secret, new Date());
  const started = performance.now();
  const settled = (status: number | null, error: string | null): Row => {
    const { position, type, subject, cursor } = event;
    const durationMs = Math.round(performance.now() - started);
    return { position, type, subject, messageId, status, durationMs, error, cursor };
  };
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
    await answer.body?.cancel();
    return settled(answer.status, answer.ok ? null : `the receiver answered ${answer.status}`);
  } catch (error) {
    return settled(null, whyNot(error, signal));
  }
}

function printerOf({ io, json }: Session): (row: Row) => void {
  if (!io.isTerminal || json !== undefined) {
    const print = linePrinterFor(io, columns, json);
    return (row) => print([row]);
  }
  const { green, red } = stylesFor(io.stdout.color);
  return ({ type, subject, messageId, status, durationMs, error }) => {
    const came = error === null ? green(String(status)) : red(String(error));
    io.stdout.write(
      styled`${String(type)} ${String(subject)} ${String(messageId)} → ${came} (${String(durationMs)} ms)\n`,
    );
  };
}

/** `webhooks listen`: every event as it happens, sent to a receiver on this machine as a webhook would send it. */
export function listenCommand(noun: Noun, start: Start): CommandUnknownOpts {
  const { fields } = verbContract(noun.name, 'listen');
  const command = verbCommand(noun, 'listen')
    .requiredOption(
      '--forward-to <url>',
      'Where to post each event, such as http://localhost:8080/hook; required',
    )
    .option('--secret <secret>', 'What signs the messages, whsec_ and base64; made and shown unless given');
  addJsonLines(command);
  return command.action(async (options, command) => {
    const url = checkedTarget(options.forwardTo);
    const given = options.secret === undefined ? undefined : checkedSecret(options.secret);
    const session = await start(noun, command);
    const { client, io } = session;
    const { signal } = session.callOptions;
    const { newSecret } = await import('./webhook-message.ts');
    const secret = given ?? newSecret();
    const query: FollowQuery = inputOf(fields, options);
    let after = await endOfLog(query, session);
    if (given === undefined) io.stderr.write(`The messages are signed with the secret ${secret}\n`);
    io.stderr.write(`Forwarding events to ${url}. Ctrl-C ends.\n`);
    const print = printerOf(session);
    const onInterruption = ({ message }: Error, waitMs: number) =>
      void io.stderr.write(`${message} Trying again in ${(waitMs / 1_000).toFixed(1)} s.\n`);
    try {
      for await (const event of client.events.follow({ ...query, after }, { signal, onInterruption })) {
        print(await forward(event, { url, secret, signal }));
        after = event.cursor;
      }
    } finally {
      if (signal.aborted) io.stderr.write(`Go on with: --after ${after}\n`);
    }
  });
}
