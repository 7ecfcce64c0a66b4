import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { contracts } from '../../api/contract/contracts.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { columnLabel } from '../fields/import-columns.ts';
import { changeDraft, type FilePreview, type OpenedWorkbook } from './draft.ts';

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

/** The encodings that a file may have, with a text of it in each: one of them must be chosen. */
export function EncodingDoubt({ doubt: { choices } }: { doubt: NonNullable<FilePreview['encodingDoubt']> }) {
  return (
    <Callout tone="warning" title={<Trans>Choose the encoding of the file. Which text is right?</Trans>}>
      <ul className="flex flex-wrap gap-2">
        {choices.map(({ encoding, sample }) => (
          <li key={encoding}>
            <Button onClick={() => changeDraft(({ options }) => ({ options: { ...options, encoding } }))}>
              {`${sample} (${encoding})`}
            </Button>
          </li>
        ))}
      </ul>
    </Callout>
  );
}

/** Parts of a sheet that nobody sees; nothing for a sheet that hides nothing. */
export function SheetNotes({
  notes: { hiddenRows, hiddenColumns, formulas },
}: {
  notes: OpenedWorkbook['notes'];
}) {
  const count = formulas.length;
  const cells = formulas.slice(0, 5).join(', ');
  return (
    <>
      {hiddenRows + hiddenColumns > 0 && (
        <Callout
          tone="warning"
          title={
            <Trans>
              Hidden rows ({hiddenRows}) and columns ({hiddenColumns}) of the sheet are read too.
            </Trans>
          }
        />
      )}
      {count > 0 && (
        <Callout
          tone="warning"
          title={
            <Plural
              value={count}
              one={`A formula has no value: ${cells}. Open the workbook in Excel, save it and choose it again.`}
              other={`# formulas have no value: ${cells}. Open the workbook in Excel, save it and choose it again.`}
            />
          }
        />
      )}
    </>
  );
}

/** The fields that a new record needs and no column sets; nothing if there are none. */
export function MissingFields({ resource, missing }: Pick<FilePreview, 'resource' | 'missing'>) {
  const { i18n } = useLingui();
  if (missing.length === 0) return null;
  const { nameParts = [] } = contracts[resource];
  const isEither = missing.every((field) => nameParts.includes(field));
  const list = new Intl.ListFormat(i18n.locale, { type: isEither ? 'disjunction' : 'conjunction' });
  const names = list.format(missing.map((field) => columnLabel(i18n, resource, field)));
  return (
    <Callout
      tone="warning"
      title={
        <Plural
          value={isEither ? 1 : missing.length}
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
