import { z } from 'zod';
import { isLoopback, toggle, urlOf } from './setting-types.ts';

/** The user and the password of a URL, decoded; undefined if they cannot be. */
function userOf({ username, password }: URL): { name: string; password: string } | undefined {
  try {
    return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

export const mailSettings = {
  ROSTER_SMTP_URL: urlOf(/^smtps?$/, 'smtp://user:password@mail.example:587')
    .refine((url) => new URL(url).hostname !== '', 'must name a host')
    .refine((url) => ['', '/'].includes(new URL(url).pathname), 'must have no path')
    .refine((url) => new URL(url).search === '' && new URL(url).hash === '', 'must have no parameters')
    .refine((url) => userOf(new URL(url)) !== undefined, 'must have its user and password percent-encoded')
    .optional()
    .describe(
      `the mail server that sends invitations and links to sign in, such as \`smtp://user:password@mail.example:587\`, or \`smtps:\` for TLS from the start; without it the service sends no email`,
    ),
  ROSTER_SMTP_FROM: z
    .string()
    .max(320)
    .regex(
      /^(?:[^<>"\r\n]{1,200} <[^\s<>@]{1,64}@[^\s<>@]{1,189}>|[^\s<>@]{1,64}@[^\s<>@]{1,189})$/,
      'must be an address, such as Roster <roster@example.com>',
    )
    .optional()
    .describe(
      'the address that email comes from, such as `Roster <roster@example.com>`; required with `ROSTER_SMTP_URL`',
    ),
  ROSTER_SMTP_ALLOW_PLAIN: toggle
    .default('false')
    .describe(
      '`true`: a mail server that is not on this machine may take email without encryption, if it does not offer TLS',
    ),
};

const Settings = z.object(mailSettings);
type Settings = z.output<typeof Settings>;

export function mailErrors(settings: Settings | undefined): string[] {
  const { ROSTER_SMTP_URL: url, ROSTER_SMTP_FROM: from } = settings ?? {};
  if (url !== undefined && from === undefined) return ['ROSTER_SMTP_FROM: is required with ROSTER_SMTP_URL'];
  if (url === undefined && from !== undefined) return ['ROSTER_SMTP_URL: is required with ROSTER_SMTP_FROM'];
  return [];
}

export type MailConfig = NonNullable<ReturnType<typeof mailConfigOf>>;

export function mailConfigOf({
  ROSTER_SMTP_URL,
  ROSTER_SMTP_FROM: from,
  ROSTER_SMTP_ALLOW_PLAIN: allowPlain,
}: Settings) {
  if (ROSTER_SMTP_URL === undefined || from === undefined) return undefined;
  const url = new URL(ROSTER_SMTP_URL);
  const { protocol, hostname, port, username } = url;
  const host = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'smtps:';
  return {
    host,
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    isSecure,
    /** Nothing is sent if the server offers no TLS. */
    isTlsRequired: !isSecure && !isLoopback(hostname) && allowPlain !== 'true',
    user: username === '' ? undefined : userOf(url),
    from,
  };
}
