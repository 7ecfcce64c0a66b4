export interface SerializedError {
  type: string;
  code?: string;
  message?: string;
  severity?: string;
  schema?: string;
  table?: string;
  column?: string;
  constraint?: string;
  routine?: string;
  position?: string;
  stack?: string[];
  cause?: SerializedError;
  errors?: SerializedError[];
}

const DEPTH_MAX = 5;
const FRAMES_MAX = 30;

const databaseFields = [
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'position',
] as const;

/** SQLSTATE classes whose messages contain no values. Those of data (22), constraints (23) and functions (P0) quote some. */
const WITHOUT_VALUES = /^(08|25|40|42|53|54|55|57|58)/;

const withSafeMessage = new Set(['ConnectionLostError', 'OverloadedError']);
/** V8 quotes values only after a quotation mark, a colon or a bracket. */
const engineErrors = new Set(['TypeError', 'ReferenceError']);

/**
 * PostgreSQL quotes rows in `detail`, `where` and some messages, and parsers quote their input, so only what is known to hold no value
 * is copied.
 */
export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { cause } = error;
  const serialized: SerializedError = { type: error.constructor.name || error.name, ...codeOf(error) };
  const message = safeMessage(error, serialized.code);
  if (message !== undefined) serialized.message = message;
  if (isFromDatabase(error)) for (const field of databaseFields) addField(serialized, field, error[field]);
  const stack = framesOf(error);
  if (stack.length > 0) serialized.stack = stack;
  if (depth >= DEPTH_MAX) return serialized;
  if (cause !== undefined && cause !== null) serialized.cause = serializeError(cause, depth + 1);
  if (error instanceof AggregateError) {
    serialized.errors = error.errors.slice(0, DEPTH_MAX).map((one) => serializeError(one, depth + 1));
  }
  return serialized;
}

function codeOf(error: Error): { code?: string } {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? { code } : {};
}

type DatabaseError = Error & Partial<Record<(typeof databaseFields)[number], unknown>>;

/** By its fields: its class has no name of its own, and there may be two copies. */
function isFromDatabase(error: Error): error is DatabaseError {
  return 'severity' in error && 'routine' in error;
}

function addField(serialized: SerializedError, field: (typeof databaseFields)[number], value: unknown): void {
  if (typeof value === 'string') serialized[field] = value;
}

function safeMessage(error: Error, code: string | undefined): string | undefined {
  if (isFromDatabase(error)) {
    return code !== undefined && WITHOUT_VALUES.test(code) ? error.message : undefined;
  }
  const name = error.constructor.name;
  if (withSafeMessage.has(name)) return error.message;
  const isOfNode = code !== undefined && /^(E[A-Z]+|ERR_\w+|FST_\w+)$/.test(code);
  return isOfNode || engineErrors.has(name) ? /^[^"'`:(\n]*/.exec(error.message)?.[0].trim() : undefined;
}

const FRAME =
  /^\s+at (?:(?:async |new )*[\w$.<>[\]# ]+ \()?(?:file:\/\/|node:|\/|[A-Z]:\\)[^()\n]*:\d+:\d+\)?$/;

/** Lines of the message may look like frames. */
function framesOf({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  const afterMessage = start === -1 ? stack : stack.slice(start + message.length);
  const frames = afterMessage.split('\n').filter((line) => FRAME.test(line));
  return frames.slice(0, FRAMES_MAX).map((line) => line.trim());
}
