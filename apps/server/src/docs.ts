import { openApiDocument, RosterError, reasons } from '@roster/api';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replaceAll(/[&<>]/g, (character) => escapes[character] ?? character);
const withCode = (text: string) => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** The page that the `type` of every problem points to: one section a reason. */
function errorsPage(): string {
  const sections = Object.entries(reasons).map(
    ([reason, { status, title, remedy }]) =>
      `<section id="${reason}"><h2><code>${reason}</code> · ${status}</h2><p>${withCode(title)}.</p><p>${withCode(remedy)}</p></section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Roster: why a request is refused</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1.1rem;margin:2rem 0 0}p{margin:.25rem 0}section:target{background:#fff3bf}</style></head>
<body><h1>Why a request is refused</h1>
<p>Every refusal is a problem document (RFC 9457). Its <code>code</code> is one of these reasons; its
<code>errors</code>, where there are any, name each field or parameter. Quote its <code>requestId</code> when you ask for
help. The operations are at <a href="/docs">/docs</a>.</p>
${sections.join('\n')}
</body></html>`;
}

/** The page of the operations, in an application of its own: its code is 4 MB, so it is loaded when it is asked for. */
async function loadDocsPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const page = fastify();
  await page.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Roster',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      // Nothing on the page offers to send what is here to somebody else.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  return page;
}

/** /openapi.json, /docs (which loads nothing from elsewhere) and /docs/errors. */
export function registerDocs(app: FastifyInstance): void {
  let document: string | undefined;
  const errors = errorsPage();
  app.get('/openapi.json', async (_, reply) => {
    document ??= JSON.stringify(openApiDocument({ baseUrl: '/' }));
    return reply.type('application/json').send(document);
  });
  app.get('/docs/errors', async (_, reply) => reply.type('text/html; charset=utf-8').send(errors));
  let page: Promise<FastifyInstance> | undefined;
  const serve = async ({ url }: FastifyRequest, reply: FastifyReply) => {
    page ??= loadDocsPage();
    const { statusCode, headers, rawPayload } = await (await page).inject({ url });
    if (statusCode === 404) throw new RosterError('no_such_route');
    return reply.code(statusCode).headers(headers).send(rawPayload);
  };
  for (const url of ['/docs', '/docs/*']) app.get(url, serve);
  app.addHook('onClose', async () => (await page)?.close());
}
