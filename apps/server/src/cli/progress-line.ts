import process from 'node:process';

const EVERY_MS = 200;

/**
 * A line of a terminal that shows the progress: each text replaces the previous one, five times a second at most.
 *
 * @param terminal the stream of the terminal; nothing else may be written to it before `clear`
 */
function progressLine(terminal: { write(text: string): unknown }): {
  show: (line: string) => void;
  clear: () => void;
} {
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const CLEAR = '\r\x1b[K';
  return {
    show(line) {
      if (performance.now() - shownAt < EVERY_MS) return;
      shownAt = performance.now();
      isShown = true;
      terminal.write(`${CLEAR}${line}`);
    },
    clear() {
      if (isShown) terminal.write(CLEAR);
      isShown = false;
    },
  };
}

/** The receiver of the steps of a start. */
interface StartSteps {
  tell: (step: string) => void;
  /** Called when the server listens, or when the start has failed: what is told from then on is a line each. */
  end: () => void;
}

/**
 * Tells the steps of a start: on a terminal in one line, in which each step replaces the one before and which is gone in the end,
 * elsewhere not at all: the log has those that matter later.
 *
 * @param printError writes a line to stderr
 */
export function startSteps(printError: (line: string) => void): StartSteps {
  const line = progressLine(process.stderr);
  let isStarting = true;
  return {
    tell: (step) => {
      if (!isStarting) printError(`  ${step}`);
      else if (process.stderr.isTTY) line.show(`  ${step}`);
    },
    end: () => {
      line.clear();
      isStarting = false;
    },
  };
}
