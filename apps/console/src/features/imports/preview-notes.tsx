import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Callout } from '../../ui/badge.tsx';
import { columnLabel } from '../directory/fields/import-columns.ts';
import type { FilePreview } from './draft.ts';

/** The row of the column names, if there are rows above it. */
export function HeaderRow({ headerRow }: Pick<FilePreview, 'headerRow'>) {
  const count = headerRow - 1;
  if (count < 1) return null;
  return (
    <Callout
      title={
        <Plural
          value={count}
          one={`The column names are in row ${headerRow}. The row above is ignored.`}
          other={`The column names are in row ${headerRow}. The # rows above are ignored.`}
        />
      }
    />
  );
}

/** The fields that a new record needs and no column sets; nothing if there are none. */
export function MissingFields({ resource, missing }: Pick<FilePreview, 'resource' | 'missing'>) {
  const { i18n } = useLingui();
  if (missing.length === 0) return null;
  const names = missing.map((field) => columnLabel(i18n, resource, field)).join(', ');
  return (
    <Callout
      tone="warning"
      title={
        <Plural
          value={missing.length}
          one={`No column sets a required field: ${names}`}
          other={`No column sets # required fields: ${names}`}
        />
      }
    >
      <p>
        <Trans>
          A row that would create a record has an error. A row that matches an existing record can still
          change it.
        </Trans>
      </p>
    </Callout>
  );
}
