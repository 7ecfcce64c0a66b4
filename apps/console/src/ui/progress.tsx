import { useLingui } from '@lingui/react/macro';

export interface LabelledCount {
  label: string;
  count: number;
}

export function CountList({ counts }: { counts: readonly LabelledCount[] }) {
  const { i18n } = useLingui();
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {counts.map(({ label, count }) => (
        <div key={label} className="min-w-24">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="font-semibold text-lg tabular-nums">{i18n.number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

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
