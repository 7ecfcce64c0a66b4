import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Callout } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { SelectField } from '../../components/forms/field.tsx';
import { scrollable } from '../../components/page.tsx';
import { resourceNames } from '../../contract/contracts.ts';
import { changeResource, readDifferently } from '../../import/begin-import.ts';
import { updateImport } from '../../import/documents.ts';
import type { ImportDocument, ReadOptions } from '../../import/types.ts';
import { encodings } from '../../import/worker/detect.ts';
import { resources } from '../../resources/index.ts';

const PREVIEWED_ROWS = 8;

function PreviewTable({ document: { inspection } }: { document: ImportDocument }) {
  const { t } = useLingui();
  const { headers, rows } = inspection;
  return (
    <section
      aria-label={t`The first rows`}
      {...scrollable}
      className="overflow-x-auto rounded-lg border border-line"
    >
      <table className="text-sm">
        <thead className="bg-hover text-start">
          <tr>
            {headers.map((header) => (
              <th key={header} scope="col" className="whitespace-nowrap px-3 py-1.5 text-start font-medium">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, PREVIEWED_ROWS).map((cells, index) => (
            <tr key={index} className="border-line border-t">
              {headers.map((header, column) => (
                <td key={header} className="max-w-60 truncate px-3 py-1">
                  {cells[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** How the file is read, as it was found out, with its first rows; each can be corrected. */
export function FileStep({ document }: { document: ImportDocument }) {
  const { t } = useLingui();
  const { id, inspection, resource } = document;
  const read = useMutation({
    mutationFn: (options: Partial<ReadOptions>) => readDifferently(document, options),
  });
  const delimiters: [string, string][] = [
    [',', t`Comma (,)`],
    [';', t`Semicolon (;)`],
    ['\t', t`Tab`],
    ['|', t`Vertical bar (|)`],
  ];
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void updateImport(id, () => ({ stage: 'columns' }));
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <SelectField
          label={t`Records`}
          value={resource}
          onChange={(event) =>
            void changeResource(document, event.target.value as ImportDocument['resource'])
          }
        >
          {resourceNames.map((name) => (
            <option key={name} value={name}>
              {t(resources[name].labels.many)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t`Format`}
          value={inspection.format}
          onChange={(event) => read.mutate({ format: event.target.value as ReadOptions['format'] })}
        >
          <option value="csv">CSV</option>
          <option value="ndjson">NDJSON</option>
        </SelectField>
        <SelectField
          label={t`Encoding`}
          hint={t`Another one, if letters look wrong`}
          value={inspection.encoding}
          onChange={(event) => read.mutate({ encoding: event.target.value })}
        >
          {encodings.map((encoding) => (
            <option key={encoding} value={encoding}>
              {encoding}
            </option>
          ))}
        </SelectField>
        {inspection.format === 'csv' && (
          <SelectField
            label={t`Cells are separated by`}
            value={inspection.delimiter}
            onChange={(event) => read.mutate({ delimiter: event.target.value })}
          >
            {delimiters.map(([delimiter, label]) => (
              <option key={delimiter} value={delimiter}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {read.isError && <ErrorBox error={read.error} />}
      {inspection.problem !== undefined && (
        <Callout tone="danger" title={t`The file cannot be read so`}>
          <p>{inspection.problem}</p>
        </Callout>
      )}
      {inspection.headers.length > 0 && <PreviewTable document={document} />}
      <Button
        look="primary"
        type="submit"
        className="self-start"
        disabled={read.isPending || inspection.headers.length === 0}
      >
        <Trans>Continue to the columns</Trans>
      </Button>
    </form>
  );
}
