import type { Operation } from '@roster/api';
import type { ServerContext } from '../../procedures.ts';
import { recordTag } from '../etag.ts';
import { jsonType } from '../problem-details.ts';

export interface RestCall {
  readonly context: ServerContext;
  readonly path: string;
  readonly query: Readonly<Record<string, string[]>>;
}

export function successOf(operation: Operation, output: unknown, ctx: RestCall) {
  // A browser may keep it for its own user, and checks each time whether it still holds.
  const cacheControl = operation.method === 'GET' ? 'private, no-cache' : 'no-store';
  const headers: Record<string, string> = { 'cache-control': cacheControl, 'content-type': jsonType };
  if (ctx.context.request.responseMeta.isReplayed) headers['idempotency-replayed'] = 'true';
  let { status }: { status: number } = operation;
  if (typeof output === 'object' && output !== null) {
    if ('version' in output) headers.etag = recordTag(Number(output.version));
    if (operation.status === 201 && 'id' in output) headers.location = `${operation.path}/${output.id}`;
    const links =
      operation.hasDuplicates && 'id' in output
        ? `<${operation.path}/duplicates?recordId=${output.id}>; rel="related"`
        : linksOf(output, ctx);
    if (links !== '') headers.link = links;
    if (operation.status === 202) {
      const list = operation.fileTypes === undefined ? '/jobs' : '/imports';
      if ('id' in output) headers.location = `${list}/${output.id}`;
      else status = 200;
    }
    if (operation.mayStartJob && 'job' in output) {
      status = 202;
      headers.location = `/jobs/${Object(output.job).id}`;
    }
    if (operation.isPartial && 'errors' in output && Number(output.errors) > 0) status = 207;
  }
  return { status, headers };
}

function linksOf(output: object, { path, query }: RestCall): string {
  const { nextCursor, prevCursor } = output as { nextCursor?: unknown; prevCursor?: unknown };
  const next = nextCursor === undefined ? '' : `<${pageAt(path, query, String(nextCursor))}>; rel="next"`;
  if (prevCursor === undefined) return next;
  const prev = `<${pageAt(path, query, String(prevCursor))}>; rel="prev"`;
  return next === '' ? prev : `${next}, ${prev}`;
}

function pageAt(path: string, query: RestCall['query'], cursor: string): string {
  let parameters = '';
  for (const [name, values] of Object.entries(query)) {
    if (name !== 'cursor')
      for (const value of values) parameters += `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`;
  }
  return `${path}?${parameters}cursor=${encodeURIComponent(cursor)}`;
}
