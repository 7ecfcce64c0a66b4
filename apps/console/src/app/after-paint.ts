/**
 * Runs what takes long once the next frame is painted, so that what was pressed is seen to be pressed at once.
 * @returns does not run it, if it has not run yet
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
