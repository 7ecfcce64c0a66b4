import { useLingui } from '@lingui/react/macro';
import { TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import type { Expiry } from './expiry.ts';

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
    <div className="flex flex-col gap-2">
      <SelectField
        label={t`Ends`}
        error={isTime ? undefined : error}
        value={value.choice}
        onChange={(chosen) => onChange({ ...value, choice: chosen })}
        options={[
          ['30', t`In 30 days`],
          ['90', t`In 90 days`],
          ['365', t`In a year`],
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
