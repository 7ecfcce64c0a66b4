import type { IoStreams } from '../terminal/io-streams.ts';
import { answered, contextOf, themeFor } from './ask-line.ts';

/** A question that is answered by choosing from a list. */
interface Choices<Value> {
  message: string;
  choices: readonly { value: Value; name: string }[];
  /** The value that is chosen if the user only presses Enter; the first one unless given. */
  default?: Value;
}

/** Asks for one value of a list. */
export async function askChoice<Value>(
  question: Choices<Value>,
  io: IoStreams,
  signal: AbortSignal,
): Promise<Value> {
  const { default: select } = await import('@inquirer/select');
  const config = { ...question, theme: themeFor(io.stderr.color) };
  return answered(select<Value>(config, contextOf(io, signal)));
}
