import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const levels: Record<number, [name: string, style: Style]> = {
  10: ['TRACE', 'gray'],
  20: ['DEBUG', 'gray'],
  30: ['INFO ', 'green'],
  40: ['WARN ', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'red'],
};

interface ErrorLine {
  type?: string;
  code?: string;
  message?: string;
  stack?: string[];
  cause?: ErrorLine;
}

/** JSON escapes what a terminal would obey. */
function textOf(value: unknown): string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : printable(JSON.stringify(value));
}

/** JSON leaves DEL and the control characters of Latin-1, which some terminals obey. */
function printable(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function errorLines(
  { type = 'Error', code, message, stack = [], cause }: ErrorLine,
  indent: string,
): string[] {
  const head = [type, code, message].filter((part) => part !== undefined).join(' ');
  const lines = [printable(head), ...stack.map((frame) => `  ${printable(frame)}`)].map(
    (line) => indent + line,
  );
  return cause === undefined ? lines : [...lines, ...errorLines(cause, `${indent}  `)];
}

/** `12:04:31.207 INFO  the message name=value`, with the error and its stack below. */
export function prettyLine(
  json: string,
  { style = styleText, hasPid = false }: { style?: typeof styleText; hasPid?: boolean } = {},
): string {
  const { level, time, pid, hostname: _hostname, msg = '', err, ...rest } = JSON.parse(json);
  const [name, color] = levels[level] ?? [String(level), 'gray'];
  const date = new Date(time);
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const values = Object.entries({ ...(hasPid && { pid }), ...rest }).map(
    ([key, value]) => ` ${key}=${textOf(value)}`,
  );
  const head = `${style('gray', `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`)} ${style(color, name)}`;
  const lines = [`${head} ${printable(msg)}${style('gray', values.join(''))}`];
  if (err !== undefined) lines.push(...errorLines(err, '    '));
  return `${lines.join('\n')}\n`;
}
