import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { CheckboxField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { notify } from '../../../ui/notices.tsx';
import { fieldLabel } from '../../fields/field-labels.ts';
import { importables } from '../../fields/import-columns.ts';
import type { ListView } from '../list/list-view.ts';
import { shownColumns, wholeColumns } from './export-columns.ts';
import { openTarget, writeExport } from './export-file.ts';
import { type Format, peoplePieces, programPieces } from './export-pieces.ts';

const isAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

const fileName = (resource: string, format: Format) =>
  `${resource}-${new Date().toISOString().slice(0, 10)}.${format}`;

export function ExportDialog({ view, onClose }: { view: ListView; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const [format, setFormat] = useState<Format>('xlsx');
  const [isWhole, setWhole] = useState(false);
  const [byItem, setByItem] = useState(false);
  const [written, setWritten] = useState<number>();
  const controller = useRef<AbortController>(undefined);
  const progressId = useId();
  const { resource, request, list: shown } = view;
  const total = shown?.total ?? 0;
  useEffect(() => () => controller.current?.abort(), []);
  const exporting = useMutation({
    mutationFn: async () => {
      controller.current = new AbortController();
      const target = await openTarget(fileName(resource, format), format);
      setWritten(0);
      const sheet = { i18n, resource, format };
      const isForPeople = !isWhole && format !== 'ndjson';
      const piecesOf = isForPeople
        ? peoplePieces(view.columns, sheet)
        : programPieces(
            isWhole ? wholeColumns(resource, { byItem }) : shownColumns(resource, view.columns),
            sheet,
          );
      const { signal } = controller.current;
      const file = { request, piecesOf, byItem: isWhole && byItem };
      return writeExport(file, target, { signal, onProgress: setWritten });
    },
    onSuccess: (count) => {
      const number = i18n.number(count);
      notify({ text: t`${number} exported` });
      onClose();
    },
    onError: () => setWritten(undefined),
  });
  const isGivenUp = controller.current?.signal.aborted === true || isAborted(exporting.error);
  const isRunning = written !== undefined;
  const { itemRows } = importables[resource];
  const list = itemRows && fieldLabel(i18n, resource, itemRows.field);
  return (
    <FormDialog
      title={t`Export`}
      submitLabel={t`Export`}
      isPending={isRunning}
      error={isGivenUp ? null : exporting.error}
      onSubmit={() => exporting.mutate()}
      onClose={isRunning ? () => controller.current?.abort() : onClose}
    >
      <p className="text-sm">
        <Plural
          value={total}
          one="# record, with the current filters and order."
          other="# records, with the current filters and order."
        />
      </p>
      <SelectField
        label={t`Format`}
        value={format}
        disabled={isRunning}
        onChange={(chosen) => setFormat(chosen)}
        options={[
          ['xlsx', t`Excel workbook`],
          ['csv', t`CSV, for spreadsheets`],
          ['ndjson', t`NDJSON, for programs`],
        ]}
      />
      <CheckboxField
        label={t`All fields, so you can import the file again`}
        checked={isWhole}
        disabled={isRunning}
        onChange={({ target }) => setWhole(target.checked)}
      />
      {isWhole && list !== undefined && (
        <CheckboxField
          label={t`A row for each item of: ${list}`}
          checked={byItem}
          disabled={isRunning}
          onChange={({ target }) => setByItem(target.checked)}
        />
      )}
      {format === 'csv' && (
        <p className="text-muted text-sm">
          <Trans>
            Text that a spreadsheet would treat as a formula is exported with a leading apostrophe. Importing
            the file removes it.
          </Trans>
        </p>
      )}
      {isRunning && (
        <div className="flex flex-col gap-1 text-sm">
          <label htmlFor={progressId}>
            <Plural value={written} one="# record written" other="# records written" />
          </label>
          <progress id={progressId} className="w-full accent-accent" max={total} value={written} />
        </div>
      )}
    </FormDialog>
  );
}
