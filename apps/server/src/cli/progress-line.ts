import process from 'node:process';

const EVERY_MS = 200;

/** Shows the latest text, at most five times a second. Write nothing else to the terminal before `clear`. */
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

interface StartSteps {
  tell: (step: string) => void;
  end: () => void;
}

/** Shows the steps of a start on a terminal, in one line that is gone at the end. Elsewhere the log has the steps that matter. */
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
