import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailConfig } from '../../../src/config/mail-settings.ts';

interface TestMailServer extends AsyncDisposable {
  /** The settings that send to it. */
  config: MailConfig;
  /** The messages that it took, as they arrived. */
  messages: { to: string[]; text: string }[];
  /** The reply to a message from now on, if it does not take it. */
  rejectWith: string | undefined;
  /** Called with each message before it is answered. */
  onMessage: (() => Promise<void>) | undefined;
}

/** Starts a mail server on this machine that keeps what it takes. */
export async function startMailServer(): Promise<TestMailServer> {
  const messages: TestMailServer['messages'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, session, callback) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { rejectWith, onMessage = async () => undefined } = started;
        void onMessage().then(() => {
          if (rejectWith !== undefined) {
            callback(Object.assign(new Error(rejectWith), { responseCode: 550 }));
            return;
          }
          const to = session.envelope.rcptTo.map(({ address }) => address);
          messages.push({ to, text: Buffer.concat(parts).toString('utf8') });
          callback(null, 'queued as 4Zk1');
        });
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  const started: TestMailServer = {
    config: {
      host: '127.0.0.1',
      port,
      isSecure: false,
      isTlsRequired: false,
      user: undefined,
      from: 'Roster <roster@atlantico.example>',
    },
    messages,
    rejectWith: undefined,
    onMessage: undefined,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
  return started;
}
