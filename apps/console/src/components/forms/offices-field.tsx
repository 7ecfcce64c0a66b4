import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { roster } from '../../api/client.ts';
import { IconButton } from '../button.tsx';
import { RecordName } from '../record-name.tsx';
import { Combobox, type ComboboxOption } from './combobox.tsx';
import { SelectField } from './field.tsx';

const FOUND_MAX = 20;

/** Finds offices by what was typed, for a combobox. */
export async function searchOffices(text: string, signal: AbortSignal): Promise<ComboboxOption[]> {
  const q = text === '' ? {} : { q: text };
  const { items } = await roster.offices.list.query({ ...q, limit: FOUND_MAX, sort: 'name' }, { signal });
  return items.map(({ id, name, address, mlsId }) => ({
    id,
    label: name,
    detail: [address?.city, mlsId].filter(Boolean).join(' · ') || undefined,
  }));
}

interface OfficesFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** The offices; null for everything. */
  value: readonly string[] | null;
  onChange: (value: string[] | null) => void;
  /** The label of null; "Everything" unless given. */
  allLabel?: string;
  /** Whether null may be chosen. */
  isAllOffered?: boolean;
}

/** Limits something to offices: everything, or some offices with their branches, found by what one types. */
export function OfficesField(props: OfficesFieldProps) {
  const { label, hint, error, value, onChange, isAllOffered = true } = props;
  const { t } = useLingui();
  const box = useRef<HTMLDivElement>(null);
  const remove = (id: string) => {
    onChange(value?.filter((one) => one !== id) ?? null);
    // The button that had the focus goes away.
    box.current?.querySelector<HTMLElement>('[role=combobox]')?.focus();
  };
  return (
    <div ref={box} className="flex flex-col gap-2">
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
        <>
          {value.length > 0 && (
            <ul aria-label={t`Chosen offices`} className="flex flex-wrap gap-1">
              {value.map((id) => (
                <li
                  key={id}
                  className="inline-flex items-center rounded-md border border-line bg-hover ps-2 text-sm"
                >
                  <RecordName resource="offices" id={id} />
                  <IconButton label={t`Remove this office`} className="border-0" onClick={() => remove(id)}>
                    <X aria-hidden />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          <Combobox
            label={t`Add an office`}
            value={null}
            search={searchOffices}
            error={error}
            onChange={(office) => {
              if (office !== null && !value.includes(office.id)) onChange([...value, office.id]);
            }}
          />
        </>
      )}
    </div>
  );
}
