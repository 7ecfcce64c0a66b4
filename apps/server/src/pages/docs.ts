import { errorCodes } from '@roster/api';
import type { DocumentOptions } from '@roster/api/openapi';
import fastify, { type FastifyInstance } from 'fastify';
import { CachedDocument } from '../http/cached-document.ts';
import { hashSource } from '../http/hooks/browser-headers.ts';
import type { RateLimiter } from '../http/limits/gcra.ts';
import { rateLimitByAddress } from '../http/limits/rate-limit.ts';
import { jsonType } from '../http/problem-details.ts';
import { parseQuery } from '../http/query-string.ts';
import { useExample } from './docs-examples.ts';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replaceAll(/[&<>]/g, (character) => escapes[character] ?? character);
const withCode = (text: string) => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const restrictions = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const errorsStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1.1rem;margin:2rem 0 0}p{margin:.25rem 0}section:target{background:#fff3bf}`;
const errorsPolicy = `default-src 'none'; style-src ${hashSource(errorsStyle)}; ${restrictions}`;

/** The `type` of every problem links here. */
function errorsPage(isPageServed: boolean): string {
  const operations = isPageServed ? '/docs' : '/openapi.json';
  const sections = Object.entries(errorCodes).map(
    ([code, { status, title, help }]) =>
      `<section id="${code}"><h2><code>${code}</code> · ${status}</h2><p>${withCode(title)}.</p><p>${withCode(help)}</p></section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Roster: errors</title>
<style>${errorsStyle}</style></head>
<body><h1>Errors</h1>
<p>Every error is a problem document (RFC 9457). Its <code>code</code> is one of these; its <code>errors</code>, if there
are any, name each field or parameter. Quote its <code>requestId</code> when you ask for help. The operations are at <a href="${operations}">${operations}</a>.</p>
${sections.join('\n')}
</body></html>`;
}

/** Runs its own file and one inline script. Inline styles are allowed: only the browser knows those of the page. */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
  const inline = scripts.filter((text) => text !== '').map(hashSource);
  return (
    `default-src 'none'; script-src 'self' ${inline.join(' ')}; style-src 'self' 'unsafe-inline'; ` +
    `img-src 'self' data:; font-src 'self' data:; connect-src 'self'; ${restrictions}`
  );
}

const loadingText = `<p role="status" style="font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem">
Loading the operations of Roster. Without scripts, read <a href="/openapi.json">the OpenAPI document</a>
and <a href="/docs/errors">the errors</a>.</p>`;

interface DocsPage {
  page: CachedDocument;
  policy: string;
  script: CachedDocument;
  document: CachedDocument;
}

/** 4 MB, loaded at the first request. */
async function loadDocsPage(): Promise<DocsPage> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const { pageDocument, useSession } = await import('./docs-page.ts');
  const app = fastify();
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/docs/openapi.json',
      // The link leads to the document without example values.
      documentDownloadType: 'none',
      onBeforeRequest: useExample,
      onRequestBuilt: useSession,
      pageTitle: 'Roster',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      // Nothing on the page sends data to another server.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  const script = new CachedDocument((await app.inject({ url: '/docs/js/scalar.js' })).body, types.script);
  const { body } = await app.inject({ url: '/docs/' });
  await app.close();
  // The URL has the digest of the script, so it may be cached.
  const html = body
    .replace('<div id="app"></div>', `<div id="app">${loadingText}</div>`)
    .replace('js/scalar.js', `js/scalar.js?v=${script.digest}`);
  const document = new CachedDocument(JSON.stringify(pageDocument()), jsonType);
  return { page: new CachedDocument(html, types.page), policy: policyOf(html), script, document };
}

const types = { page: 'text/html; charset=utf-8', script: 'application/javascript; charset=utf-8' };

async function createDocument(options: Omit<DocumentOptions, 'baseUrl'>): Promise<CachedDocument> {
  const { openApiDocument } = await import('@roster/api/openapi');
  return new CachedDocument(JSON.stringify(openApiDocument({ baseUrl: '/', ...options })), jsonType);
}

const CACHE_S = 300;
const revalidated = `public, max-age=${CACHE_S}, must-revalidate`;
const immutable = 'public, max-age=31536000, immutable';

export interface DocsOptions {
  limiter: RateLimiter | undefined;
  /** The document and the page of errors are always served. */
  isPageServed: boolean;
  isPlainHttpAllowed: boolean;
}

/** Registers /openapi.json, /docs/errors and /docs, which load nothing from other servers. */
export function registerDocs(
  app: FastifyInstance,
  { limiter, isPageServed, isPlainHttpAllowed }: DocsOptions,
): void {
  const options = { onRequest: rateLimitByAddress(limiter), compress: false } as const;
  let document: Promise<CachedDocument> | undefined;
  const errors = new CachedDocument(errorsPage(isPageServed), types.page);
  app.get('/openapi.json', options, async (request, reply) => {
    document ??= createDocument({ isPlainHttpAllowed });
    return (await document).send(request, reply, revalidated);
  });
  app.get('/docs/errors', options, (request, reply) => {
    reply.header('content-security-policy', errorsPolicy);
    return errors.send(request, reply, revalidated);
  });
  if (!isPageServed) return;
  let loading: ReturnType<typeof loadDocsPage> | undefined;
  const loaded = () => {
    loading ??= loadDocsPage();
    return loading;
  };
  app.get('/docs', options, (_, reply) => reply.header('Cache-Control', revalidated).redirect('/docs/', 301));
  app.get('/docs/', options, async (request, reply) => {
    const { page, policy } = await loaded();
    reply.header('content-security-policy', policy);
    return page.send(request, reply, revalidated);
  });
  app.get('/docs/openapi.json', options, async (request, reply) =>
    (await loaded()).document.send(request, reply, revalidated),
  );
  app.get('/docs/js/scalar.js', options, async (request, reply) => {
    const { script } = await loaded();
    const isVersioned = parseQuery(request.url).v?.[0] === script.digest;
    return script.send(request, reply, isVersioned ? immutable : revalidated);
  });
}
