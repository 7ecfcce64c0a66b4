import type { RosterError } from '@roster/api';
import type { Context, RawJson } from '@roster/api/server';

/** The context of a procedure of the REST router. */
export interface RestContext {
  /** The context of the procedure of the service that it calls. */
  readonly context: Context;
  /** The path of the request. */
  readonly path: string;
  /** The query parameters, each with all its values. */
  readonly query: Readonly<Record<string, string[]>>;
  /** The response body, if the procedure of the service has returned encoded JSON. */
  rawJson: RawJson | undefined;
}

interface RequestParts extends Omit<RestContext, 'rawJson'> {
  method: string;
  /** The parsed body; undefined if the operation has none. */
  body: object | undefined;
}

const jsonHeaders = new Headers({ 'content-type': 'application/json' });

/**
 * A request that Fastify has routed, decoded and parsed, for the handler of trpc-to-openapi. The handler takes a Fetch
 * `Request` or one of node:http, from which it makes a `Request` with all its headers and a stream of its body. This one
 * has only what the handler reads: method, URL, the content type of a body, `query`, `body`.
 */
export class OpenApiRequest extends Request {
  readonly query: Readonly<Record<string, string[]>>;
  readonly context: RestContext;
  /** Why the request is rejected; set when the handler reports an error. */
  failure: RosterError | undefined;

  constructor({ method, path, query, body, context }: RequestParts) {
    super(`http://rest.invalid${path}`, body === undefined ? { method } : { method, headers: jsonHeaders });
    this.query = query;
    this.context = { context, path, query, rawJson: undefined };
    // The handler takes a parsed body from where a `Request` has a stream.
    if (body !== undefined) Object.defineProperty(this, 'body', { value: body });
  }

  /** The request that the handler passes to its callbacks under a type of node:http. */
  static from(request: object): OpenApiRequest {
    if (request instanceof OpenApiRequest) return request;
    throw new TypeError('the handler was given a request of another kind');
  }
}

/** The response that the handler of trpc-to-openapi writes, for Fastify to send. */
export class OpenApiResponse {
  statusCode = 200;
  readonly headers: Record<string, string> = {};
  body: string | undefined;

  setHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  end(body?: string): void {
    this.body = body;
  }
}

/**
 * The handler of trpc-to-openapi, with that part of its parameters which it uses: its own types ask for all of node:http.
 * Methods, unlike functions, may take less than what they are assigned from; the compiler checks that it is a part.
 */
export interface OpenApiHandler {
  handle(request: HandledRequest, response: HandledResponse): Promise<void>;
}

interface HandledRequest {
  method?: string | undefined;
  url?: string | undefined;
  query?: unknown;
  body?: unknown;
}

interface HandledResponse {
  statusCode: number;
  setHeader(name: string, value: string): void;
  end(body: string): void;
}
