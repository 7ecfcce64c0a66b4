import { useLingui } from '@lingui/react/macro';
import { TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { dayText } from '../../ui/time.tsx';
import { type Expiry, expiresAtOf } from './expiry.ts';

export function ExpiryField({
  value,
  error,
  onChange,
}: {
  value: Expiry;
  error: string | undefined;
  onChange: (value: Expiry) => void;
}) {
  const { i18n, t } = useLingui();
  const isTime = value.choice === 'time';
  const inDays = (choice: Expiry['choice'], label: string) => {
    const ends = expiresAtOf({ choice, time: '' }) ?? '';
    return [choice, label, dayText(i18n, ends.slice(0, 10))] as const;
  };
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={t`Ends`}
        error={isTime ? undefined : error}
        value={value.choice}
        onChange={(chosen) => onChange({ ...value, choice: chosen })}
        options={[
          inDays('30', t`In 30 days`),
          inDays('90', t`In 90 days`),
          inDays('365', t`In a year`),
          ['time', t`At a time`],
          ['never', t`Never`],
        ]}
      />
      {isTime && (
        <TextField
          label={t`Ends at`}
          type="datetime-local"
          isRequired
          error={error}
          value={value.time}
          onChange={(event) => onChange({ ...value, time: event.target.value })}
        />
      )}
    </div>
  );
}
