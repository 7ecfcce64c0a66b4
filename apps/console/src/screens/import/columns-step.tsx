import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Callout } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { controlClasses, SelectField, TextField } from '../../components/forms/field.tsx';
import { changeMapping } from '../../import/begin-import.ts';
import { updateImport } from '../../import/documents.ts';
import { importColumns } from '../../import/importables.ts';
import { type MappingProblem, mappingProblems, rememberMapping } from '../../import/mapping.ts';
import { checkImport } from '../../import/run-import.ts';
import type { ImportDocument } from '../../import/types.ts';
import { guessValues, openColumns } from '../../import/values.ts';
import { runTask } from '../../import/worker/worker-client.ts';
import { columnLabel } from './column-labels.ts';

/** Looks at the values, and goes to their review, or to the check if there is nothing to review. */
async function continueToValues(document: ImportDocument): Promise<void> {
  const { id, file, resource, inspection, mapping } = document;
  if (file === undefined) return;
  rememberMapping(resource, inspection.headers, mapping);
  const survey = await runTask('survey', { file, described: { id, resource, inspection, mapping } });
  const guessed = guessValues(resource, mapping, survey);
  const isOpen = openColumns(resource, guessed, survey).length > 0;
  const next = await updateImport(id, () => ({
    survey,
    mapping: guessed,
    isRead: false,
    stage: isOpen ? 'values' : 'checking',
  }));
  if (!isOpen) void checkImport(next);
}

function ProblemText({ problem }: { problem: MappingProblem }) {
  switch (problem.kind) {
    case 'nothing':
      return <Trans>No column is imported. Say what at least one of them is.</Trans>;
    case 'repeated':
      return (
        <Trans>
          The columns {problem.first} and {problem.second} are the same field. Leave one of them out.
        </Trans>
      );
    case 'key-needed':
      return <Trans>Which column has the key of each record in that system?</Trans>;
  }
}

/** What each column means, as its name says it or as it was said before; each can be corrected. */
export function ColumnsStep({ document }: { document: ImportDocument }) {
  const { t, i18n } = useLingui();
  const { resource, inspection, mapping } = document;
  const { headers, rows } = inspection;
  // Of its own, because what is typed is shown at once and stored a moment later.
  const [sourceName, setSourceName] = useState(mapping.sourceName);
  const next = useMutation({ mutationFn: () => continueToValues(document) });
  const problems = mappingProblems(resource, headers, mapping);
  const columns = importColumns(resource)
    .map(({ field, reso }) => ({
      field,
      reso,
      label: columnLabel(i18n, resource, field),
    }))
    .toSorted((one, other) => one.label.localeCompare(other.label, i18n.locale));
  const labelOf = ({ field, reso, label }: (typeof columns)[number]) => `${label} (${reso ?? field})`;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (problems.length === 0) next.mutate();
      }}
    >
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
        {headers.map((header, index) => {
          const samples = rows.map((cells) => cells[index] ?? '').filter((cell) => cell.trim() !== '');
          const field = mapping.fields[header] ?? '';
          const isListed = field === '' || columns.some((column) => column.field === field);
          return (
            <li key={header} className="grid items-center gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[1fr_1fr]">
              <div className="min-w-0">
                <p className="break-words font-medium text-sm" id={`column-${index}`}>
                  {header}
                </p>
                <p className="truncate text-muted text-xs">{[...new Set(samples)].slice(0, 3).join(' · ')}</p>
              </div>
              <select
                aria-labelledby={`column-${index}`}
                className={controlClasses}
                value={field}
                onChange={(event) =>
                  void changeMapping(document, (before) => ({
                    ...before,
                    fields: { ...before.fields, [header]: event.target.value },
                  }))
                }
              >
                <option value="">{t`– left out –`}</option>
                {!isListed && <option value={field}>{columnLabel(i18n, resource, field)}</option>}
                {columns.map((column) => (
                  <option key={column.field} value={column.field}>
                    {labelOf(column)}
                  </option>
                ))}
              </select>
            </li>
          );
        })}
      </ul>
      <details open={mapping.sourceName !== ''} className="text-sm">
        <summary className="min-h-9 py-2 font-medium">
          <Trans>The records come from another system</Trans>
        </summary>
        <p className="mb-3 max-w-prose text-muted">
          <Trans>
            With the name of that system and the key of each record in it, the next import finds the same
            records again, and ids in the file are those of that system.
          </Trans>
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label={t`Name of the system`}
            value={sourceName}
            onChange={({ target: { value } }) => {
              setSourceName(value);
              void changeMapping(document, (before) => ({ ...before, sourceName: value }));
            }}
          />
          <SelectField
            label={t`Column with the key`}
            value={mapping.keyColumn}
            onChange={({ target: { value: keyColumn } }) =>
              void changeMapping(document, (before) => ({ ...before, keyColumn }))
            }
          >
            <option value="">{t`None, or a mapped column`}</option>
            {headers.map((header) => (
              <option key={header} value={header}>
                {header}
              </option>
            ))}
          </SelectField>
        </div>
      </details>
      {problems.map((problem) => (
        <Callout key={problem.kind} tone="warning" title={<ProblemText problem={problem} />} />
      ))}
      {next.isError && <ErrorBox error={next.error} />}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void updateImport(document.id, () => ({ stage: 'file' }))}>
          <Trans>Back</Trans>
        </Button>
        <Button look="primary" type="submit" disabled={problems.length > 0 || next.isPending}>
          <Trans>Check all rows</Trans>
        </Button>
      </div>
    </form>
  );
}
