import {
  createPrompt,
  isBackspaceKey,
  isEnterKey,
  makeTheme,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core';
import { createColors } from 'picocolors';
import type { Io } from '../context/io-streams.ts';
import { Interrupted } from '../errors/errors.ts';

/** How prompts look: with the colours that are wanted, and not those that the library finds possible. */
export function themeFor(color: boolean) {
  const { bold, cyan, dim, green, red } = createColors(color);
  return {
    prefix: { idle: cyan('?'), done: green('✔') },
    style: {
      answer: cyan,
      message: bold,
      error: (text: string) => red(`> ${text}`),
      help: dim,
      highlight: cyan,
      key: cyan,
      description: dim,
      disabled: dim,
      keysHelpTip: () => undefined,
    },
  };
}

/** A question that is answered with a line of text. */
export interface Question {
  message: string;
  /** What it means, and what an answer looks like; shown while nothing is wrong. */
  hint?: string;
  /** The answer where the line is left empty. */
  fallback?: string;
  /** What is wrong with an answer; asked at every key, so that it is said while it is typed. */
  faultOf: (text: string) => Promise<string | undefined>;
}

const linePrompt = createPrompt<string, Question & { color: boolean }>((question, done) => {
  const { message, hint = '', fallback = '', faultOf, color } = question;
  const { bold, cyan, dim, red } = createColors(color);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isDone, setDone] = useState(false);
  const prefix = usePrefix({ status: isDone ? 'done' : 'idle', theme: makeTheme(themeFor(color)) });
  useKeypress(async (key, line) => {
    if (isDone) return;
    if (isEnterKey(key)) {
      const answer = text.trim() || fallback;
      const wrong = await faultOf(answer);
      if (wrong === undefined) {
        setText(answer);
        setDone(true);
        done(answer);
      } else {
        // The line was taken at Enter; it is given back to be mended.
        line.write(text);
        setFault(wrong);
      }
      return;
    }
    const typed = line.line;
    setText(typed);
    const isStarting = typed === '' && isBackspaceKey(key);
    const wrong = isStarting || typed === '' ? undefined : await faultOf(typed.trim());
    // While that was looked at, more may have been typed.
    if (line.line === typed) setFault(wrong);
  });
  const head = `${prefix} ${bold(message)}`;
  if (isDone) return `${head} ${cyan(text)}`;
  const shown = text === '' && fallback !== '' ? dim(`(${fallback}) `) : '';
  return [`${head} ${shown}${text}`, fault === undefined ? dim(hint) : red(`  ${message} ${fault}`)];
});

/** How a prompt draws: on stderr, reading the terminal, until the signal fires. */
export function contextOf({ stdin, screen }: Io, signal: AbortSignal) {
  return { input: stdin, output: screen, signal };
}

/** The answer of a prompt. Throws `Interrupted` where the user leaves instead of answering. */
export async function answered<Answer>(prompt: Promise<Answer>): Promise<Answer> {
  try {
    return await prompt;
  } catch (error) {
    const { name } = error as Error;
    throw name === 'ExitPromptError' || name === 'AbortPromptError' ? new Interrupted() : error;
  }
}

/** Asks for a line of text, saying what is wrong with it while it is typed; what is wrong is not taken. */
export function askLine(question: Question, io: Io, signal: AbortSignal): Promise<string> {
  const config = { ...question, color: io.stderr.color };
  return answered(linePrompt(config, contextOf(io, signal)));
}

/** Asks for a text that is not shown. */
export async function askSecret(message: string, io: Io, signal: AbortSignal): Promise<string> {
  const { default: password } = await import('@inquirer/password');
  const validate = (text: string) => text.trim() !== '' || `${message} must not be empty`;
  const config = { message, mask: false, validate, theme: themeFor(io.stderr.color) };
  return answered(password(config, contextOf(io, signal)));
}
