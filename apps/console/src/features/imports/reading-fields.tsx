import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { resourceNames } from '../../api/contract/contracts.ts';
import { resources } from '../../resources/index.ts';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Fold } from '../../ui/fold.tsx';
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
import { FileLine, useDelimiterLabels } from './import-labels.tsx';
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
export function SheetField({ name, workbook }: { name: string; workbook: OpenedWorkbook }) {
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
function ReadingFields({ draft, preview }: ReadingProps) {
  const { t } = useLingui();
  const { resource, format, encoding, delimiter } = preview;
  const delimiters = useDelimiterLabels();
  return (
    <div className="grid gap-3 sm:grid-cols-2">
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
    </div>
  );
}

/** The system that the records come from, if it is another one, and which column has its keys. */
function SourceFields({ draft, preview }: ReadingProps) {
  const { t } = useLingui();
  const titleId = useId();
  const { sourceName, keyColumn } = draft;
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId} className="pb-1 font-medium text-sm">
        <Trans>These records have IDs from another system</Trans>
      </h3>
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
    </section>
  );
}

/** The name under which the mapping is kept, and those that are kept already. */
function KeptFields({ draft, preview }: ReadingProps) {
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

/** The ways to read the file and what it says, folded: the service finds them out. */
export function FileFold(props: ReadingProps) {
  const { draft, preview } = props;
  return (
    <Fold
      title={<Trans>How the file is read</Trans>}
      note={<FileLine file={preview} />}
      isOpenFirst={draft.sourceName !== '' || draft.keptAs !== ''}
    >
      <div className="flex flex-col gap-6">
        <ReadingFields {...props} />
        <SourceFields {...props} />
        <KeptFields {...props} />
      </div>
    </Fold>
  );
}
