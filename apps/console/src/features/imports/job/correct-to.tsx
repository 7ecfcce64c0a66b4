import { Plural, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useState } from 'react';
import { findRecords } from '../../../resources/find-records.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox, type ComboboxOption } from '../../../ui/forms/combobox.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { choiceLabel } from '../../fields/field-labels.ts';
import { choicesOfColumn } from '../../fields/import-columns.ts';

/** The field whose cells name an office. */
const OFFICE_NAME = 'officeName';

interface CorrectToProps {
  file: Import;
  field: string | null;
  value: string;
  rows: number;
  onCorrect: (text: string) => void;
}

/** The text that all cells with a value get instead: an office, one of the values of the field, or any text. */
export function CorrectTo({ file: { resource }, field, value, rows, onCorrect }: CorrectToProps) {
  const { t, i18n } = useLingui();
  const [text, setText] = useState('');
  const [office, setOffice] = useState<ComboboxOption | null>(null);
  const choices = field === null ? [] : choicesOfColumn(resource, field);
  const label = (
    <span className="sr-only">{value === '' ? t`Fill empty cells with` : t`Correct “${value}” to`}</span>
  );
  const chosen = field === OFFICE_NAME ? (office?.label ?? '') : text;
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.trim() !== '') onCorrect(chosen.trim());
      }}
    >
      <div className="min-w-48 grow">
        {field === OFFICE_NAME ? (
          <Combobox
            label={label}
            placeholder={t`Choose an office`}
            value={office}
            search={findRecords('offices')}
            onChange={setOffice}
          />
        ) : choices.length > 0 ? (
          <SelectField
            label={label}
            value={text}
            onChange={setText}
            options={[
              ['', t`Choose …`],
              ...choices.map((one) => [one, choiceLabel(i18n, field ?? '', one) ?? one] as const),
            ]}
          />
        ) : (
          <TextField
            label={label}
            placeholder={t`Correct to`}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </div>
      <Button type="submit" disabled={chosen.trim() === ''}>
        <Plural value={rows} one="Apply to # row" other="Apply to # rows" />
      </Button>
    </form>
  );
}
