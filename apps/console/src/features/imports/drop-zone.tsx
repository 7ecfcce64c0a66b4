import { Trans, useLingui } from '@lingui/react/macro';
import { type DragEvent, useRef, useState } from 'react';
import { ClipboardPaste, Upload } from '../../more-icons.tsx';
import { Button, classNames } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { acceptedFiles } from './draft.ts';

interface DropZoneProps {
  isBusy: boolean;
  onFile: (file: { file: Blob; fileName: string }) => void;
}

const MEBIBYTE = 1024 * 1024;
/** The largest file, and the most rows of it, that the service takes. */
const FILE_BYTES_MAX = 256 * MEBIBYTE;
const ROWS_MAX = 1_000_000;

function PasteDialog({ onText, onClose }: { onText: (text: string) => void; onClose: () => void }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  return (
    <FormDialog
      title={t`Paste rows`}
      submitLabel={t`Continue`}
      width="medium"
      isDirty={text.trim() !== ''}
      isPending={text.trim() === ''}
      error={null}
      onSubmit={() => onText(text)}
      onClose={onClose}
    >
      <TextAreaField
        label={t`Rows with a header, as copied from a spreadsheet`}
        rows={12}
        spellCheck={false}
        className="font-mono"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
}

/** Takes a file: dropped, chosen, or pasted. Everything that a pointer does has a button. */
export function DropZone({ isBusy, onFile }: DropZoneProps) {
  const { t, i18n } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isPasting, setPasting] = useState(false);
  const [tooLarge, setTooLarge] = useState<string>();
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    setTooLarge(file.size > FILE_BYTES_MAX ? file.name : undefined);
    if (file.size <= FILE_BYTES_MAX) onFile({ file, fileName: file.name });
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!isBusy) take(event.dataTransfer.files[0]);
  };
  const limit = i18n.number(FILE_BYTES_MAX / MEBIBYTE);
  const rows = i18n.number(ROWS_MAX);
  return (
    <section
      aria-label={t`File to import`}
      className={classNames(
        'flex flex-col items-center gap-3 rounded-lg border-2 border-dashed p-8 text-center',
        isOver ? 'border-accent bg-selected' : 'border-control bg-surface',
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <p className="font-medium">
        <Trans>Drop a file here</Trans>
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button look="primary" disabled={isBusy} onClick={() => input.current?.click()}>
          <Upload aria-hidden />
          <Trans>Choose a file …</Trans>
        </Button>
        <Button disabled={isBusy} onClick={() => setPasting(true)}>
          <ClipboardPaste aria-hidden />
          <Trans>Paste rows …</Trans>
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        accept={acceptedFiles}
        aria-label={t`File to import`}
        className="hidden"
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          // The same file can be chosen again, for example after it was corrected.
          currentTarget.value = '';
        }}
      />
      <p className="max-w-prose text-muted text-sm">
        <Trans>
          An Excel workbook (.xlsx), CSV from any spreadsheet, or NDJSON; up to {limit} MB and {rows} rows.
          You'll see a preview before anything is saved.
        </Trans>
      </p>
      {tooLarge !== undefined && (
        <p role="alert" className="text-danger text-sm">
          <Trans>
            {tooLarge} has more than {limit} MB.
          </Trans>
        </p>
      )}
      {isPasting && (
        <PasteDialog
          onClose={() => setPasting(false)}
          onText={(text) => {
            setPasting(false);
            onFile({ file: new Blob([text]), fileName: t`Pasted rows` });
          }}
        />
      )}
    </section>
  );
}
