import { RosterError } from '@roster/api';
import { decodeBody, pointerInBody, rejectLostMembers } from '../http/json.ts';

/** A record has five levels. */
const DEPTH_MAX = 64;

/** Found before a message is handled (JSON-RPC 2.0, section 5.1). */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const FORBIDDEN = -32_000;

/** Has no request ID, because none could be read. */
export class ProtocolFailure extends Error {
  readonly status: 400 | 403;
  readonly code: number;

  constructor(status: 400 | 403, code: number, message: string) {
    super(message);
    this.name = 'ProtocolFailure';
    this.status = status;
    this.code = code;
  }

  get body(): object {
    return { jsonrpc: '2.0', id: null, error: { code: this.code, message: this.message } };
  }
}

export const forbidden = (message: string) => new ProtocolFailure(403, FORBIDDEN, message);
const invalid = (message: string) => new ProtocolFailure(400, INVALID_REQUEST, message);

/** Throws a `ProtocolFailure` for what is no message, and `payload_too_large` for JSON with too many values. */
export function parseMessage(bytes: Uint8Array): object {
  let text: string;
  let message: unknown;
  try {
    text = decodeBody(bytes);
    message = JSON.parse(text);
  } catch (error) {
    if (error instanceof RosterError && error.errorCode !== 'invalid_json') throw error;
    throw new ProtocolFailure(400, PARSE_ERROR, `Parse error: ${(error as Error).message}`);
  }
  // No limit would count the messages of a batch; MCP has none since 2025-06-18.
  if (Array.isArray(message)) throw invalid('Invalid Request: batches are not supported.');
  if (typeof message !== 'object' || message === null) throw invalid('Invalid Request: not an object.');
  try {
    rejectLostMembers(text, message, pointerInBody);
  } catch (error) {
    throw invalid(`Invalid Request: ${(error as Error).message}`);
  }
  rejectDeep(message);
  const fault = faultOf(message as Readonly<Record<string, unknown>>);
  if (fault !== undefined) throw invalid(`Invalid Request: ${fault}.`);
  return message;
}

const ofCalls = ['jsonrpc', 'id', 'method', 'params'];
const ofResponses = ['jsonrpc', 'id', 'result', 'error'];

/** JSON-RPC 2.0, sections 4 and 5. The SDK does not say which part is wrong. */
function faultOf(message: Readonly<Record<string, unknown>>): string | undefined {
  const { jsonrpc, id, method, params } = message;
  const isCall = method !== undefined;
  if (!isCall && message.result === undefined && message.error === undefined) return 'method is missing';
  const known = isCall ? ofCalls : ofResponses;
  const unknown = Object.keys(message).find((name) => !known.includes(name));
  if (unknown !== undefined) return `${unknown.slice(0, 100)} is not a member of such a message`;
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0"';
  if ('id' in message && typeof id !== 'string' && !Number.isSafeInteger(id))
    return 'id must be a text or a whole number';
  if (isCall && typeof method !== 'string') return 'method must be a text';
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params);
  return params === undefined || isObject ? undefined : 'params must be an object';
}

/** Without recursion, for code that recurses later. */
function rejectDeep(message: object): void {
  let level: object[] = [message];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) throw invalid(`Invalid Request: nested more than ${DEPTH_MAX} levels deep.`);
    level = level.flatMap((value) =>
      Object.values(value).filter((member) => typeof member === 'object' && member !== null),
    );
  }
}
