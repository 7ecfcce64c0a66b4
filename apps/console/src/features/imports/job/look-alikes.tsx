import { Plural, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useId } from 'react';
import { Choice } from '../../../ui/forms/choice.tsx';
import { RecordLink } from '../../../ui/record-name.tsx';
import { useReadPhone } from '../../fields/phone-text.ts';
import { reasonText } from '../../fields/reason-labels.ts';
import { Cells, Rows, RowTitle } from './row-sections.tsx';

/** Choices for rows that look like existing records. */
export type SameRecords = 'update' | 'create' | 'skip';

interface LookAlikesProps {
  file: Import;
  same: SameRecords;
  onChoose: (same: SameRecords) => void;
}

/** The rows that would create what looks like an existing record. Those that certainly are one can update it. */
export function LookAlikes({ file, same, onChoose }: LookAlikesProps) {
  const { t, i18n } = useLingui();
  const readPhone = useReadPhone();
  const id = useId();
  const count = file.findings?.lookAlikes ?? 0;
  if (count === 0) return null;
  const certain = file.findings?.certainLookAlikes ?? 0;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 rounded-md border border-line p-4">
      <h2 id={id} className="font-semibold">
        <Plural
          value={count}
          one="# new record is a possible duplicate"
          other="# new records are possible duplicates"
        />
      </h2>
      <Choice
        label={t`What to do with these rows`}
        value={same}
        onChange={onChoose}
        options={[
          ...(certain > 0 ? [{ value: 'update' as const, label: t`Update the existing records` }] : []),
          { value: 'create', label: t`Create new records` },
          { value: 'skip', label: t`Skip` },
        ]}
      />
      {certain > 0 && certain < count && (
        <p className="text-muted text-sm">
          <Plural
            value={certain}
            one="# row certainly is an existing record. Only this one can update it; the others would be created."
            other="# rows certainly are existing records. Only these can update them; the others would be created."
          />
        </p>
      )}
      <Rows file={file} query={{ looksLike: true }}>
        {(row) => (
          <>
            <RowTitle row={row} />
            <ul>
              {row.lookAlikes.map(({ recordId, reasons }) => (
                <li key={recordId}>
                  <RecordLink resource={file.resource} id={recordId} />
                  {': '}
                  {reasons
                    .map((reason) => reasonText({ i18n, resource: file.resource, readPhone }, reason))
                    .join(' · ')}
                </li>
              ))}
            </ul>
            <Cells file={file} row={row} />
          </>
        )}
      </Rows>
    </section>
  );
}
