import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { resourceNames } from '../../api/contract/contracts.ts';
import { resources } from '../../resources/index.ts';
import { ErrorBox } from '../../ui/error-text.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { type Options, optionsOf, SelectField } from '../../ui/forms/select.tsx';
import {
  beginDraft,
  changeDraft,
  type Draft,
  type FilePreview,
  noMapping,
  type OpenedWorkbook,
} from './draft.ts';
import { useDelimiterLabels, useEmptyCellsLabels } from './import-labels.tsx';
import { keptMapping, keptNames } from './kept-mappings.ts';

/** The encodings to choose from, by their labels of the Encoding Standard. */
const encodings = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh', 'iso-8859-15', 'windows-1250'],
  ...['windows-1251', 'shift_jis', 'gb18030', 'big5', 'euc-kr'],
];

const named = (names: readonly string[]): Options => names.map((name) => [name, name]);

interface ReadingProps {
  draft: Draft;
  preview: FilePreview;
}

function read(options: Draft['options']): void {
  changeDraft((draft) => ({ options: { ...draft.options, ...options } }));
}

/** The sheet of a workbook that is read. A different one begins again, because it has columns of its own. */
function SheetField({ name, workbook }: { name: string; workbook: OpenedWorkbook }) {
  const { t } = useLingui();
  const begin = useMutation({ mutationFn: (sheet: string) => beginDraft(workbook.file, name, sheet) });
  return (
    <>
      <SelectField
        label={t`Sheet`}
        value={workbook.sheet}
        disabled={begin.isPending}
        onChange={(chosen) => begin.mutate(chosen)}
        options={named(workbook.sheets)}
      />
      {begin.isError && <ErrorBox error={begin.error} />}
    </>
  );
}

/** The ways in which the file is read, as the service found them out; each can be corrected. */
export function ReadingFields({ draft, preview }: ReadingProps) {
  const { t } = useLingui();
  const { resource, format, encoding, delimiter } = preview;
  const delimiters = useDelimiterLabels();
  const emptyCells = useEmptyCellsLabels();
  return (
    <div className="grid gap-3 sm:max-lg:grid-cols-2">
      <SelectField
        label={t`Records`}
        value={draft.options.resource ?? resource}
        onChange={(chosen) => {
          // The fields of another resource have other names.
          changeDraft(() => ({ mapping: noMapping, keptAs: '' }));
          read({ resource: chosen });
        }}
        options={resourceNames.map((name) => [name, t(resources[name].labels.many)])}
      />
      {draft.workbook !== undefined && <SheetField name={draft.name} workbook={draft.workbook} />}
      {draft.workbook === undefined && (
        <SelectField
          label={t`Format`}
          value={draft.options.format ?? format}
          onChange={(chosen) => read({ format: chosen })}
          options={[
            ['csv', 'CSV'],
            ['ndjson', 'NDJSON'],
          ]}
        />
      )}
      {draft.workbook === undefined && (
        <SelectField
          label={t`Encoding`}
          hint={t`Change this if characters look wrong`}
          value={draft.options.encoding ?? encoding}
          onChange={(chosen) => read({ encoding: chosen })}
          options={named([...new Set([...encodings, encoding])])}
        />
      )}
      {draft.workbook === undefined && format === 'csv' && (
        <SelectField
          label={t`Cells are separated by`}
          value={draft.options.delimiter ?? delimiter}
          onChange={(chosen) => read({ delimiter: chosen })}
          options={optionsOf(delimiters)}
        />
      )}
      {format === 'csv' && (
        <SelectField
          label={t`Empty cells`}
          value={draft.emptyCells}
          onChange={(chosen) => changeDraft(() => ({ emptyCells: chosen }))}
          options={optionsOf(emptyCells)}
        />
      )}
    </div>
  );
}

/** The system that the records come from, if it is another one, and which column has its keys. */
export function SourceFields({ draft, preview }: ReadingProps) {
  const { t } = useLingui();
  const { sourceName, keyColumn } = draft;
  return (
    <details open={sourceName !== ''} className="text-sm">
      <summary className="min-h-9 py-2 font-medium">
        <Trans>These records have IDs from another system</Trans>
      </summary>
      <p className="mb-3 max-w-prose text-muted">
        <Trans>
          Enter the system's name and each record's key in it. The next import will find the same records, and
          IDs in the file belong to that system.
        </Trans>
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={t`Name of the system`}
          value={sourceName}
          onChange={({ target }) => changeDraft(() => ({ sourceName: target.value }))}
        />
        <SelectField
          label={t`Column with the key`}
          value={keyColumn}
          onChange={(chosen) => changeDraft(() => ({ keyColumn: chosen }))}
          options={[['', t`None, or a mapped column`], ...named(preview.columns.map(({ name }) => name))]}
        />
      </div>
    </details>
  );
}

/** The name under which the mapping is kept, and those that are kept already. */
export function KeptFields({ draft, preview }: ReadingProps) {
  const { t } = useLingui();
  const names = keptNames(preview.resource);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {names.length > 0 && (
        <SelectField
          label={t`Use a saved mapping`}
          value={names.includes(draft.keptAs) ? draft.keptAs : ''}
          onChange={(chosen) => {
            const none = {
              mapping: noMapping,
              emptyCells: 'keep' as const,
              sourceName: '',
              keyColumn: '',
              keptAs: '',
            };
            changeDraft(() => keptMapping(preview.resource, chosen) ?? none);
          }}
          options={[['', t`None: match by column name`], ...named(names)]}
        />
      )}
      <TextField
        label={t`Save this mapping as`}
        hint={t`Save this mapping to reuse it. It's stored in this browser.`}
        value={draft.keptAs}
        maxLength={100}
        onChange={({ target }) => changeDraft(() => ({ keptAs: target.value }))}
      />
    </div>
  );
}
