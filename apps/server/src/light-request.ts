import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RosterError } from '@roster/api';
import type { Context, RawJson } from '@roster/api/hosting';

/** What a light request carries beside what the REST adapter reads. */
interface Parts {
  method: string;
  url: string;
  /** The parameters of the query, each with all its values; of no prototype, so that no name is special. */
  query: Record<string, string[]>;
  body: unknown;
  context: Context;
  answer: LightReply;
}

/** The context of a procedure called by REST also knows the request, for the headers of the answer. */
export interface RestContext extends Context {
  request: LightRequest;
}

const headers = new Headers({ 'content-type': 'application/json' });
const neverAborted = new AbortController().signal;

/**
 * A request for trpc-to-openapi's core handler, which Fastify has already routed, decoded and parsed.
 *
 * The handler asks `instanceof Request` and then reads only `method`, `url`, `headers.get`, `signal`, `query` and
 * `body`; a real Request would cost a quarter of the handler's time to build. The prototype answers the question,
 * the fields answer the reads.
 */
export class LightRequest {
  readonly method: string;
  readonly url: string;
  readonly query: Record<string, string[]>;
  readonly body: unknown;
  readonly headers: Pick<Headers, 'get'> = headers;
  readonly signal: AbortSignal = neverAborted;
  readonly context: RestContext;
  readonly answer: LightReply;
  /** Set by the handler's onError: why the procedure refused. */
  failure: RosterError | undefined;

  constructor({ method, url, query, body, context, answer }: Parts) {
    this.method = method;
    this.url = url;
    this.query = query;
    this.body = body;
    this.context = { ...context, acceptsRawJson: true, request: this };
    this.answer = answer;
  }

  /** The handler's types are those of node:http; what it reads of them is all here. */
  forHandler(): IncomingMessage {
    return this as unknown as IncomingMessage;
  }
}
Object.setPrototypeOf(LightRequest.prototype, Request.prototype);

/** Takes what the handler answers, for Fastify to send. */
export class LightReply {
  statusCode = 200;
  readonly headers: Record<string, string> = {};
  body: string | undefined;
  /** What is to be sent instead of a body, where a procedure has answered text. */
  text: RawJson | undefined;

  setHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  end(body: string | undefined): void {
    this.body = body;
  }

  forHandler(): ServerResponse {
    return this as unknown as ServerResponse;
  }
}
