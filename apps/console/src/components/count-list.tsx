import { useLingui } from '@lingui/react/macro';

export interface LabelledCount {
  label: string;
  count: number;
}

/** Numbers with their meaning, in a row. */
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
