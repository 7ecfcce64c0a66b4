import { useLingui } from '@lingui/react/macro';
import { ExactTime } from '../time.tsx';
import { SelectField } from './select.tsx';

const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

export const overlapDefault = DAY_S;

export const overlapEnd = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

export function OverlapField({ value, onChange }: { value: number; onChange: (seconds: number) => void }) {
  const { t } = useLingui();
  return (
    <div className="flex flex-col gap-1">
      <SelectField
        label={t`Overlap`}
        value={value}
        onChange={(chosen) => onChange(Number(chosen))}
        options={[]}
      />
      {value > 0 && (
        <p className="text-muted text-xs">
          {t`The current secret ends:`} <ExactTime time={overlapEnd(value)} />
        </p>
      )}
    </div>
  );
}
