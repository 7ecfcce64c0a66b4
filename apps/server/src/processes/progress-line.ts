const EVERY_MS = 200;

/**
 * A line of a terminal that shows the progress: each text replaces the previous one, five times a second at most.
 *
 * @param terminal the stream of the terminal; nothing else may be written to it before `clear`
 */
export function progressLine(terminal: { write(text: string): unknown }): {
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
