import type { RosterError } from '@roster/api';
import type { FastifyReply } from 'fastify';
import { hashSource } from '../http/hooks/browser-headers.ts';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}' +
  'h1{font-size:1.4rem}a{color:#0b57d0}code{overflow-wrap:anywhere}' +
  '@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#a8c7fa}}';

/** Loads and runs nothing, sends no form, and cannot be embedded. */
export const PAGE_POLICY =
  `default-src 'none'; style-src ${hashSource(style)}; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface Page {
  title: string;
  text: readonly string[];
  link?: { href: string; text: string } | undefined;
  isFollowed?: boolean;
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply.header('Cache-Control', 'no-store').type('text/html; charset=utf-8').send(htmlOf(page));
}

function htmlOf({ title, text, link, isFollowed = false }: Page): string {
  const href = escaped(link?.href ?? '');
  const refresh = isFollowed ? `<meta http-equiv="refresh" content="0;url=${href}">` : '';
  const paragraphs = text.map((paragraph) => `<p>${escaped(paragraph)}</p>`);
  if (link !== undefined) paragraphs.push(`<p><a href="${href}">${escaped(link.text)}</a></p>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}
<title>Roster: ${escaped(title)}</title><style>${style}</style></head>
<body><main><h1>${escaped(title)}</h1>
${paragraphs.join('\n')}
</main></body></html>`;
}

/** Leads on from a page of this service: a navigation from the identity provider counts as cross-site, and would have no session. */
export function sendSignedIn(reply: FastifyReply, returnTo: string): FastifyReply {
  return sendPage(reply, {
    title: 'Signed in',
    text: ['You are signed in.'],
    link: { href: returnTo, text: 'Continue' },
    isFollowed: true,
  });
}

export function sendErrorPage(
  reply: FastifyReply,
  error: RosterError,
  { requestId, hasProvider }: { requestId: string; hasProvider: boolean },
): FastifyReply {
  const { title, detail } = error.problem({ instance: '', requestId });
  const isWorthRetrying = hasProvider && error.status !== 404;
  return sendPage(reply.code(error.status).headers(error.headers), {
    title,
    text: [detail, `If you ask for help, quote the request ${requestId}.`],
    link: isWorthRetrying ? { href: '/sign-in', text: 'Sign in again' } : undefined,
  });
}
