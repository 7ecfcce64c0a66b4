import { errorCodes } from '../../packages/api/src/errors/error-codes.ts';
import { page, table } from './markdown.ts';

/** The reference page of all error codes, as Markdown, with a section for each code. */
export function errorsPage(): string {
  const codes = Object.entries(errorCodes);
  const rows = codes.map(([code, { status, title }]) => [`${status}`, `[\`${code}\`](#${code})`, title]);
  return page('Errors', [
    `A response that is not a success is a problem document (RFC 9457, \`application/problem+json\`) with \`type\`, \`title\`,
\`status\`, \`detail\`, \`instance\`, \`code\` and \`requestId\`. If fields are wrong, \`errors\` names all of them, each with a JSON
Pointer (\`pointer\`) or the name of a parameter (\`parameter\`), a \`code\` and a \`detail\`. RPC has the same object at
\`error.data.problem\`, and the typed client throws it as a \`RosterError\`.

Decide by \`code\`; the texts may change. More codes may be added: treat an unknown one by its status. A service also shows this
page at \`/docs/errors\`, to which the \`type\` of every problem points.`,
    table(['status', 'code', 'title'], rows),
    ...codes.map(([code, { status, title, help }]) => `## ${code}\n\nStatus ${status}: ${title}.\n\n${help}`),
  ]);
}
