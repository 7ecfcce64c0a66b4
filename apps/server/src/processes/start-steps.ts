import process from 'node:process';
import { progressLine } from './progress-line.ts';

/** The receiver of the steps of a start. */
interface StartSteps {
  tell: (step: string) => void;
  /** Called when the server listens, or when the start has failed: what is told from then on stays on the terminal. */
  end: () => void;
}

/**
 * Tells the steps of a start: on a terminal in one line, in which each step replaces the one before and which is gone in the end,
 * elsewhere in a line each.
 *
 * @param printError writes a line to stderr
 * @param terminal stderr, unless given
 */
export function startSteps(
  printError: (line: string) => void,
  terminal: { write(text: string): unknown; isTTY?: boolean } = process.stderr,
): StartSteps {
  const line = progressLine(terminal);
  let isStarting = terminal.isTTY === true;
  return {
    tell: (step) => (isStarting ? line.show(`  ${step}`) : printError(`  ${step}`)),
    end: () => {
      line.clear();
      isStarting = false;
    },
  };
}
