import { useLingui } from '@lingui/react/macro';
import { Choice } from './choice.tsx';
import { DateField } from './date-field.tsx';
import { dayNumberOf, dayOfNumber, today } from './date-text.ts';

interface WhenFieldProps {
  /** The day on which a change happens, empty while none is chosen; null for now. */
  value: string | null;
  onChange: (day: string | null) => void;
}

export function WhenField({ value, onChange }: WhenFieldProps) {
  const { t } = useLingui();
  return (
    <Choice
      label={t`When`}
      value={value === null ? 'now' : 'later'}
      options={[
        { value: 'now', label: t`Now` },
        { value: 'later', label: t`On a date` },
      ]}
      onChange={(when) => onChange(when === 'now' ? null : dayOfNumber(dayNumberOf(today()) + 1))}
    >
      {value !== null && (
        <DateField
          label={<span className="sr-only">{t`Date`}</span>}
          className="min-w-56 grow gap-0!"
          hint={t`At midnight, office time. You can cancel it until then.`}
          value={value}
          onChange={onChange}
          onWrong={() => onChange('')}
        />
      )}
    </Choice>
  );
}
