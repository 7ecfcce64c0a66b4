import { useLingui } from '@lingui/react/macro';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import type { Expiry, ExpiryChoice } from './expiry.ts';

export function ExpiryField({
  value,
  error,
  onChange,
}: {
  value: Expiry;
  error: string | undefined;
  onChange: (value: Expiry) => void;
}) {
  const { t } = useLingui();
  const isTime = value.choice === 'time';
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label={t`Expires`}
        error={isTime ? undefined : error}
        value={value.choice}
        onChange={(event) => onChange({ ...value, choice: event.target.value as ExpiryChoice })}
      >
        <option value="never">{t`Never`}</option>
        <option value="30">{t`In 30 days`}</option>
        <option value="90">{t`In 90 days`}</option>
        <option value="365">{t`In a year`}</option>
        <option value="time">{t`At a time`}</option>
      </SelectField>
      {isTime && (
        <TextField
          label={t`Expires at`}
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
