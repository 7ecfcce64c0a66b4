/** An error as the log shows it. */
export interface LoggedError {
  type: string;
  /** Of Node, or the SQLSTATE of PostgreSQL. */
  code?: string;
  /** Only where it is known to hold no value. */
  message?: string;
  /** What PostgreSQL says of the place of an error. */
  severity?: string;
  schema?: string;
  table?: string;
  column?: string;
  constraint?: string;
  routine?: string;
  position?: string;
  /** Where it was thrown: the frames of its stack, without the message above them. */
  stack?: string[];
  cause?: LoggedError;
  /** The errors of an AggregateError. */
  errors?: LoggedError[];
}

const DEPTH_MAX = 5;
const FRAMES_MAX = 30;

const places = ['severity', 'schema', 'table', 'column', 'constraint', 'routine', 'position'] as const;

/**
 * SQLSTATE classes whose messages speak of statements and of the server: connections, transactions, syntax, resources,
 * limits, object states, operators, systems. Those of data (22), constraints (23) and of functions (P0) quote values.
 */
const WITHOUT_VALUES = /^(08|25|40|42|53|54|55|57|58)/;

/** Of ours, with texts that hold no value. */
const ours = new Set(['ConnectionLostError', 'OverloadedError']);
/** Of the engine: it quotes names of the program, and values only behind a quotation mark, a colon or a bracket. */
const engines = new Set(['TypeError', 'ReferenceError']);

/**
 * An error without any value that a caller sent or that a record holds. PostgreSQL quotes whole rows in `detail`, `where`
 * and, for errors in data, in its message; parsers quote what they could not parse. So nothing is taken over but what is
 * known to speak of the program: types, codes, names of tables and constraints, places in the code; and messages of
 * errors of which that is known.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { cause } = error;
  const logged: LoggedError = { type: error.constructor.name || error.name, ...codeOf(error) };
  const message = safeMessage(error, logged.code);
  if (message !== undefined) logged.message = message;
  if (isFromDatabase(error)) for (const place of places) addPlace(logged, place, error[place]);
  const stack = framesOf(error);
  if (stack.length > 0) logged.stack = stack;
  if (depth >= DEPTH_MAX) return logged;
  if (cause !== undefined && cause !== null) logged.cause = loggedError(cause, depth + 1);
  if (error instanceof AggregateError) {
    logged.errors = error.errors.slice(0, DEPTH_MAX).map((one) => loggedError(one, depth + 1));
  }
  return logged;
}

function codeOf(error: Error): { code?: string } {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? { code } : {};
}

type DatabaseFault = Error & Partial<Record<(typeof places)[number], unknown>>;

/** node-postgres's class has no name of its own to be told by, and another copy of it another identity. */
function isFromDatabase(error: Error): error is DatabaseFault {
  return 'severity' in error && 'routine' in error;
}

function addPlace(logged: LoggedError, place: (typeof places)[number], value: unknown): void {
  if (typeof value === 'string') logged[place] = value;
}

function safeMessage(error: Error, code: string | undefined): string | undefined {
  if (isFromDatabase(error)) {
    return code !== undefined && WITHOUT_VALUES.test(code) ? error.message : undefined;
  }
  const name = error.constructor.name;
  if (ours.has(name)) return error.message;
  const isOfNode = code !== undefined && /^(E[A-Z]+|ERR_\w+|FST_\w+)$/.test(code);
  return isOfNode || engines.has(name) ? /^[^"'`:(\n]*/.exec(error.message)?.[0].trim() : undefined;
}

const FRAME =
  /^\s+at (?:(?:async |new )*[\w$.<>[\]# ]+ \()?(?:file:\/\/|node:|\/|[A-Z]:\\)[^()\n]*:\d+:\d+\)?$/;

/** The frames of a stack: what comes after the message, whose lines may look like anything. */
function framesOf({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  const behind = start === -1 ? stack : stack.slice(start + message.length);
  const frames = behind.split('\n').filter((line) => FRAME.test(line));
  return frames.slice(0, FRAMES_MAX).map((line) => line.trim());
}
