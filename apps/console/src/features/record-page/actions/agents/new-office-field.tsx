import { useLingui } from '@lingui/react/macro';
import { findRecords } from '../../../../resources/find-records.ts';
import { Combobox, type ComboboxOption } from '../../../../ui/forms/combobox.tsx';

const findOffices = findRecords('offices', { status: 'active' });

interface NewOfficeFieldProps {
  value: ComboboxOption | null;
  onChange: (office: ComboboxOption | null) => void;
  leaving: unknown;
}

export function NewOfficeField({ value, onChange, leaving }: NewOfficeFieldProps) {
  const { t } = useLingui();
  return (
    <Combobox
      label={t`New office`}
      hint={t`Only active offices can take agents`}
      isRequired
      autoFocus
      value={value}
      onChange={onChange}
      search={async (text, signal) => (await findOffices(text, signal)).filter(({ id }) => id !== leaving)}
    />
  );
}
