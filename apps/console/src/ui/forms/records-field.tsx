import { useRef } from 'react';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { X } from '../../icons.tsx';
import { findRecords } from '../../resources/find-records.ts';
import { IconButton } from '../button.tsx';
import { RecordName } from '../record-name.tsx';
import { Combobox } from './combobox.tsx';

interface RecordsFieldProps {
  resource: ResourceName;
  label: string;
  addLabel: string;
  removeLabel: string;
  ids: readonly string[];
  error?: string | undefined;
  autoFocus?: boolean;
  onChange: (ids: string[]) => void;
}

export function RecordsField(props: RecordsFieldProps) {
  const { resource, label, addLabel, removeLabel, ids, error, autoFocus = false, onChange } = props;
  const box = useRef<HTMLDivElement>(null);
  const remove = (id: string) => {
    onChange(ids.filter((one) => one !== id));
    // The button that had the focus goes away.
    box.current?.querySelector<HTMLElement>('[role=combobox]')?.focus();
  };
  return (
    <div ref={box} className="flex flex-col gap-2">
      {ids.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1">
          {ids.map((id) => (
            <li
              key={id}
              className="inline-flex items-center rounded-sm border border-line bg-hover ps-2 text-sm"
            >
              <RecordName resource={resource} id={id} />
              <IconButton label={removeLabel} className="border-0" onClick={() => remove(id)}>
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        label={addLabel}
        value={null}
        search={findRecords(resource)}
        error={error}
        autoFocus={autoFocus}
        onChange={(found) => {
          if (found !== null && !ids.includes(found.id)) onChange([...ids, found.id]);
        }}
      />
    </div>
  );
}
