/** How much of something is done, as a bar; its numbers stand beside it. */
export function ProgressBar({ value, max, label }: { value: number; max: number; label: string }) {
  // Nothing to do is done.
  const isEmpty = max === 0;
  return (
    <progress
      className={
        'block h-2 w-full appearance-none overflow-hidden rounded-full border-0 bg-line ' +
        '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent'
      }
      aria-label={label}
      value={isEmpty ? 1 : value}
      max={isEmpty ? 1 : max}
    />
  );
}
