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
import { Interrupted } from '../errors.ts';
import type { IoStreams } from './io-streams.ts';

/** The theme of the prompts. Whether they are coloured is decided here and not by the library. */
function themeFor(color: boolean) {
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

export interface Question {
  message: string;
  hint?: string;
  fallback?: string;
  /** Resolves to what is wrong with an answer, as a sentence; undefined for a valid one. Called after every key press. */
  validate: (text: string) => Promise<string | undefined>;
}

const linePrompt = createPrompt<string, Question & { color: boolean }>((question, done) => {
  const { message, hint = '', fallback = '', validate, color } = question;
  const { bold, cyan, dim, red } = createColors(color);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isDone, setDone] = useState(false);
  const prefix = usePrefix({ status: isDone ? 'done' : 'idle', theme: makeTheme(themeFor(color)) });
  useKeypress(async (key, line) => {
    if (isDone) return;
    if (isEnterKey(key)) {
      const answer = text.trim() || fallback;
      const invalid = await validate(answer);
      if (invalid === undefined) {
        setText(answer);
        setDone(true);
        done(answer);
      } else {
        // Enter has cleared the line; it is restored for correction.
        line.write(text);
        setProblem(invalid);
      }
      return;
    }
    const typed = line.line;
    setText(typed);
    const isStarting = typed === '' && isBackspaceKey(key);
    const invalid = isStarting || typed === '' ? undefined : await validate(typed.trim());
    // More may have been typed during validation.
    if (line.line === typed) setProblem(invalid);
  });
  const head = `${prefix} ${bold(message)}`;
  if (isDone) return `${head} ${cyan(text)}`;
  const shown = text === '' && fallback !== '' ? dim(`(${fallback}) `) : '';
  return [`${head} ${shown}${text}`, problem === undefined ? dim(hint) : red(`  ${problem}`)];
});

function contextOf({ stdin, screen }: IoStreams, signal: AbortSignal) {
  return { input: stdin, output: screen, signal };
}

/** Resolves to the answer of a prompt. Throws `Interrupted` if the user leaves instead of answering. */
async function answered<Answer>(prompt: Promise<Answer>): Promise<Answer> {
  try {
    return await prompt;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw name === 'ExitPromptError' || name === 'AbortPromptError' ? new Interrupted() : error;
  }
}

export function askLine(question: Question, io: IoStreams, signal: AbortSignal): Promise<string> {
  const config = { ...question, color: io.stderr.color };
  return answered(linePrompt(config, contextOf(io, signal)));
}

interface Choices<Value> {
  message: string;
  choices: readonly { value: Value; name: string }[];
  default?: Value;
}

export async function askChoice<Value>(
  question: Choices<Value>,
  io: IoStreams,
  signal: AbortSignal,
): Promise<Value> {
  const { default: select } = await import('@inquirer/select');
  const config = { ...question, theme: themeFor(io.stderr.color) };
  return answered(select<Value>(config, contextOf(io, signal)));
}

export async function askSecret(message: string, io: IoStreams, signal: AbortSignal): Promise<string> {
  const { default: password } = await import('@inquirer/password');
  const validate = (text: string) => text.trim() !== '' || `${message} must not be empty`;
  const config = { message, mask: false, validate, theme: themeFor(io.stderr.color) };
  return answered(password(config, contextOf(io, signal)));
}
