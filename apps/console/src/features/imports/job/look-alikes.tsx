import { Plural, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useId } from 'react';
import { CheckboxField } from '../../../ui/forms/field.tsx';
import { RecordLink } from '../../../ui/record-name.tsx';
import { useReadPhone } from '../../fields/phone-text.ts';
import { reasonText } from '../../fields/reason-labels.ts';
import { Cells, Rows, RowTitle } from './row-sections.tsx';

interface LookAlikesProps {
  file: Import;
  areLeftOut: boolean;
  onLeaveOut: (areLeftOut: boolean) => void;
}

/** The rows that would create what looks like an existing record. They are written unless someone leaves them out. */
export function LookAlikes({ file, areLeftOut, onLeaveOut }: LookAlikesProps) {
  const { t, i18n } = useLingui();
  const readPhone = useReadPhone();
  const id = useId();
  const count = file.findings?.lookAlikes ?? 0;
  if (count === 0) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 rounded-md border border-line p-4">
      <h2 id={id} className="font-semibold">
        <Plural
          value={count}
          one="# new record is a possible duplicate"
          other="# new records are possible duplicates"
        />
      </h2>
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
      <CheckboxField
        label={t`Skip these rows`}
        checked={areLeftOut}
        onChange={({ target }) => onLeaveOut(target.checked)}
      />
    </section>
  );
}
