import { useLingui } from '@lingui/react/macro';
import { SelectField } from './field.tsx';
import { RecordsField } from './records-field.tsx';

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
        onChange={(event) => onChange(event.target.value === 'all' ? null : [])}
      >
        {(isAllOffered || value === null) && <option value="all">{props.allLabel ?? t`Everything`}</option>}
        <option value="some">{t`Some offices, with their branches`}</option>
      </SelectField>
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
