import { useLingui } from '@lingui/react/macro';
import { RecordsField } from './records-field.tsx';
import { SelectField } from './select.tsx';

interface OfficesFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** The offices; null for everything. */
  value: readonly string[] | null;
  onChange: (value: string[] | null) => void;
  allLabel?: string;
  isAllOffered?: boolean;
}

export function OfficesField(props: OfficesFieldProps) {
  const { label, hint, error, value, onChange, isAllOffered = true } = props;
  const { t } = useLingui();
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={label}
        hint={hint}
        error={value === null ? error : undefined}
        value={value === null ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : [])}
        options={[
          ...(isAllOffered || value === null ? [['all', props.allLabel ?? t`All offices`] as const] : []),
          ['some', t`Selected offices and their branches`],
        ]}
      />
      {value !== null && (
        <RecordsField
          resource="offices"
          label={t`Chosen offices`}
          addLabel={t`Add an office`}
          removeLabel={t`Remove this office`}
          ids={value}
          error={error}
          onChange={onChange}
        />
      )}
    </div>
  );
}
