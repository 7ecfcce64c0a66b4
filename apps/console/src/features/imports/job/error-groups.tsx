import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, type ReactNode, Suspense, useEffect, useState } from 'react';
import { type Inputs, type Outputs, roster, rosterQuery } from '../../../api/client.ts';
import { useStore } from '../../../api/store.ts';
import { ChevronRight } from '../../../icons.tsx';
import { Check } from '../../../more-icons.tsx';
import { lazyComponent } from '../../../ui/browser/lazy-components.ts';
import { Button, classNames } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { Section } from '../../../ui/page.tsx';
import { columnLabel } from '../../fields/import-columns.ts';
import { useCheck } from '../check-draft.ts';
import { changeDraft, draftStore } from '../draft.ts';
import { UseAs } from '../import-labels.tsx';
import { CorrectTo } from './correct-to.tsx';
import { useKindWords } from './fault-words.ts';

const ErrorCells = lazyComponent(() => import('./error-cells.tsx'), 'ErrorCells');

type Correction = Inputs['imports']['correct']['corrections'][number];

/** The most corrections in a call: the limit of the service. */
const CORRECTIONS_MAX = 100;

interface Corrections {
  correct: (correction: Correction) => void;
  /** Whether some are sent, or the rows of some are being checked again. */
  isChecking: boolean;
  error: Error | null;
}

/**
 * Corrects cells of an import that was checked. Those that someone makes while rows are checked again wait for the end of that.
 *
 * @param isChecking Whether rows of the import are being checked again
 */
export function useCorrections({ id }: Import, isChecking: boolean): Corrections {
  const client = useQueryClient();
  const [waiting, setWaiting] = useState<readonly Correction[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (corrections: Correction[]) => roster.imports.correct.mutate({ id, corrections }),
    onSuccess: (changed) => client.setQueryData(['imports', 'get', { id }], changed),
  });
  useEffect(() => {
    if (isChecking || isPending || waiting.length === 0) return;
    mutate(waiting.slice(0, CORRECTIONS_MAX));
    setWaiting(waiting.slice(CORRECTIONS_MAX));
  }, [isChecking, isPending, waiting, mutate]);
  return {
    correct: (correction) => setWaiting((before) => [...before, correction]),
    isChecking: isChecking || isPending || waiting.length > 0,
    error,
  };
}

type Group = Outputs['imports']['errorGroups']['groups'][number];
type Value = Group['values'][number];
type Corrected = Outputs['imports']['corrections']['corrections'][number];

/** The most rows that one click mends: the button for these is filled. */
function mostMended(groups: readonly Group[]): number {
  const counts = groups.flatMap(({ unused, values }) => [
    ...unused.map(({ rows }) => rows),
    ...values.flatMap(({ rows, suggestions }) => (suggestions.length === 0 ? [] : [rows])),
  ]);
  return Math.max(0, ...counts);
}

/** The group that is open at first: the one with the suggestion that mends most, or the first. */
function openedFirst(groups: readonly Group[]): number {
  const mended = groups.map(({ values }) =>
    Math.max(0, ...values.map(({ rows, suggestions }) => (suggestions.length === 0 ? 0 : rows))),
  );
  return mended.indexOf(Math.max(...mended));
}

/** A correction mends no two rows alike if the value must be in one record only. */
const ofOneRecord: readonly string[] = ['repeated', 'taken'];

interface ValueProps {
  file: Import;
  group: Group;
  label: string;
  value: Value;
  isBest: boolean;
  /** Undefined where nothing can be corrected. */
  corrections: Corrections | undefined;
}

/** Keeps the focus in a group whose button goes away with the error that it mends. */
function focusGroup({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.closest('details')?.querySelector('summary')?.focus();
}

/** A text that cells with an error have: what was probably meant, for all of them, and each of them. */
function ErrorValue({ file, group, label, value, isBest, corrections }: ValueProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { column, code, field } = group;
  const { value: text, rows, suggestions } = value;
  const [suggestion, ...others] = suggestions;
  const correctAll = (given: string) => corrections?.correct({ column, value: text, text: given });
  const isShared = corrections !== undefined && (rows === 1 || !ofOneRecord.includes(code));
  const correctTo = isShared && (
    <CorrectTo file={file} field={field} value={text} rows={rows} onCorrect={correctAll} />
  );
  return (
    <li className="flex flex-col gap-2 border-line-soft border-t py-2 ps-3 pe-4 sm:ps-8">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button
          type="button"
          aria-expanded={isOpen}
          className="flex min-h-8 min-w-0 items-center gap-1.5 text-start max-sm:min-h-11 sm:w-56"
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight aria-hidden className={classNames('size-3.5 shrink-0', isOpen && 'rotate-90')} />
          <span className="min-w-0 break-words">
            {text === '' ? <span className="text-muted">{t`empty`}</span> : text}
          </span>
        </button>
        <span className="text-muted tabular-nums">
          <Plural value={rows} one="# row" other="# rows" />
        </span>
        {suggestion === undefined ? (
          <div className="min-w-0 grow">{correctTo}</div>
        ) : (
          <>
            <p className="min-w-0 grow break-words">
              <Trans>
                <span className="text-muted">Did you mean</span> <b className="font-medium">{suggestion}</b>?
              </Trans>
            </p>
            {corrections !== undefined && (
              <Button
                size="small"
                look={isBest ? 'primary' : 'secondary'}
                onClick={(event) => {
                  focusGroup(event);
                  correctAll(suggestion);
                }}
              >
                <Plural value={rows} one="Apply to # row" other="Apply to # rows" />
              </Button>
            )}
          </>
        )}
      </div>
      {isOpen && (
        <>
          {suggestion !== undefined && correctTo}
          {corrections !== undefined && others.length > 0 && (
            <div className="flex flex-wrap gap-2">
              {others.map((other) => (
                <Button key={other} size="small" onClick={() => correctAll(other)}>
                  <Trans>Correct to “{other}”</Trans>
                </Button>
              ))}
            </div>
          )}
          <Suspense>
            <ErrorCells
              file={file}
              label={label}
              error={{ column, code, value: text }}
              onCorrect={
                corrections &&
                ((row, given) => corrections.correct({ column, value: text, text: given, rows: [row] }))
              }
            />
          </Suspense>
        </>
      )}
    </li>
  );
}

/** A column of the file that may have the values that are missing, with the button that uses it and checks the file again. */
function UnusedColumn({ file, group, isBest }: { file: Import; group: Group; isBest: boolean }) {
  const { i18n } = useLingui();
  const draft = useStore(draftStore);
  const { check } = useCheck();
  const [unused] = group.unused;
  const { field } = group;
  if (unused === undefined || field === null) return null;
  const needed = columnLabel(i18n, file.resource, field);
  const { column } = unused;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-4 pb-3 text-sm sm:ps-8">
      <p className="min-w-0 grow">
        <Trans>
          The file has a column <b className="font-medium">{column}</b> that isn't used.
        </Trans>{' '}
        {unused.rows === group.rows ? (
          <Plural
            value={unused.rows}
            one="It has a value in the row."
            other="It has a value in all # rows."
          />
        ) : (
          <Plural
            value={unused.rows}
            one="It has a value in # of these rows."
            other="It has a value in # of these rows."
          />
        )}
      </p>
      {draft?.importId === file.id && (
        <Button
          look={isBest ? 'primary' : 'secondary'}
          disabled={check.isPending}
          onClick={() => {
            changeDraft(({ mapping }) => ({
              mapping: { ...mapping, columns: { ...mapping.columns, [column]: field } },
            }));
            check.mutate();
          }}
        >
          <UseAs field={field} label={needed} />
        </Button>
      )}
      {check.isError && <ErrorBox error={check.error} />}
    </div>
  );
}

interface GroupProps {
  file: Import;
  group: Group;
  words: string;
  best: number;
  isOpenFirst: boolean;
  corrections: Corrections | undefined;
}

function ErrorGroup({ file, group, words, best, isOpenFirst, corrections }: GroupProps) {
  const { i18n } = useLingui();
  const [isOpen] = useState(isOpenFirst);
  const { column, field, rows, values, valuesCount, unused } = group;
  const known = file.columns.some(({ name }) => name === column);
  const label = known ? column : columnLabel(i18n, file.resource, field ?? column);
  // A part of a member of NDJSON has no cell of its own.
  const isCell = file.format === 'csv' ? known : column !== '' && !column.includes('.');
  const left = valuesCount - values.length;
  return (
    <li className="border-line not-first:border-t">
      <details open={isOpen} className="group">
        <summary className="flex min-h-11 flex-wrap items-center gap-x-2 px-3 py-2 text-sm">
          <ChevronRight aria-hidden className="size-3.5 shrink-0 group-open:rotate-90" />
          <b className="min-w-0 break-words font-semibold">{label}</b>
          <span className="text-danger">{words}</span>
          <span className="ms-auto text-muted tabular-nums">
            <Plural value={rows} one="# row" other="# rows" />
          </span>
        </summary>
        <ul className="text-sm">
          {values.map((value) => (
            <ErrorValue
              key={value.value}
              file={file}
              group={group}
              label={label}
              value={value}
              isBest={value.rows === best}
              corrections={isCell ? corrections : undefined}
            />
          ))}
        </ul>
        {left > 0 && (
          <p className="border-line-soft border-t px-4 py-2 text-muted text-sm sm:ps-8">
            <Plural value={left} one="# other text" other="# other texts" />
          </p>
        )}
      </details>
      {unused.length > 0 && corrections !== undefined && (
        <UnusedColumn file={file} group={group} isBest={(unused[0]?.rows ?? 0) === best} />
      )}
    </li>
  );
}

/** The corrections in effect, those of one text together, each with its undo. */
function CorrectedTexts({ corrected, corrections }: { corrected: Corrected[]; corrections: Corrections }) {
  const texts = [
    ...Map.groupBy(corrected, ({ column, value }) => JSON.stringify([column, value])).values(),
  ].flatMap((same) => (same[0] === undefined ? [] : [{ ...same[0], same }]));
  return (
    <li className="border-line not-first:border-t">
      <details className="group" open>
        <summary className="flex min-h-11 items-center gap-x-2 px-3 py-2 text-sm">
          <ChevronRight aria-hidden className="size-3.5 shrink-0 group-open:rotate-90" />
          <b className="font-semibold">
            <Trans>Corrected</Trans>
          </b>
        </summary>
        <ul className="text-sm">
          {texts.map(({ column, value, same }) => (
            <li
              key={`${column} ${value}`}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line-soft border-t py-2 ps-3 pe-4 sm:ps-8"
            >
              <span className="text-muted">{column}</span>
              {value !== '' && <del className="min-w-0 break-words text-muted">{value}</del>}
              <span className="flex min-w-0 grow items-center gap-1.5 break-words">
                <Check aria-hidden className="size-3.5 shrink-0 text-accent" />
                {same.map(({ text }) => text).join(', ')}
              </span>
              <span className="text-muted tabular-nums">
                <Plural value={same.reduce((sum, { rows }) => sum + rows, 0)} one="# row" other="# rows" />
              </span>
              <Button
                look="quiet"
                size="small"
                onClick={(event) => {
                  focusGroup(event);
                  corrections.correct({ column, value, text: null });
                }}
              >
                <Trans>Undo</Trans>
              </Button>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

interface ErrorGroupsProps {
  file: Import;
  title: ReactNode;
  actions: ReactNode;
  /** Undefined for what was written, which nothing corrects. */
  corrections?: Corrections;
}

/** The errors of an import by column and kind, each text with what mends it, and the texts that were corrected; nothing for neither. */
export function ErrorGroups({ file, title, actions, corrections }: ErrorGroupsProps) {
  const { t } = useLingui();
  const wordsOf = useKindWords(file);
  const { id, errors } = file;
  const found = useQuery({ ...rosterQuery('imports', 'errorGroups', { id }), enabled: errors > 0 });
  const { data: { corrections: corrected } = { corrections: [] } } = useQuery({
    ...rosterQuery('imports', 'corrections', { id }),
    enabled: corrections !== undefined,
  });
  const groups = errors > 0 ? (found.data?.groups ?? []) : [];
  if (errors === 0 && corrected.length === 0) return null;
  const best = mostMended(groups);
  const opened = openedFirst(groups);
  const named = groups.map((group) => ({ group, words: wordsOf(group) }));
  const keys = named.map(({ group: { column, code }, words }) => `${column} ${code} ${words}`);
  return (
    <Section
      title={title}
      note={
        <>
          {groups.length > 0 && <Plural value={groups.length} one="in # group." other="in # groups." />}
          {corrections !== undefined && errors > 0 && (
            <>
              {' '}
              <Trans>Nothing has been saved yet.</Trans>
            </>
          )}
        </>
      }
      end={errors > 0 ? actions : undefined}
    >
      <p role="status" className="text-muted text-sm empty:hidden">
        {corrections?.isChecking === true ? t`Checking the corrected rows …` : ''}
      </p>
      {found.isError && <ErrorBox error={found.error} onRetry={() => void found.refetch()} />}
      {corrections?.error != null && <ErrorBox error={corrections.error} />}
      <ul className="rounded-md border border-line bg-surface empty:hidden">
        {named.map(({ group, words }, index) => (
          <ErrorGroup
            key={`${keys[index]} ${keys.indexOf(keys[index] ?? '') === index ? '' : index}`}
            file={file}
            group={group}
            words={words}
            best={best}
            isOpenFirst={index === opened}
            corrections={corrections}
          />
        ))}
        {corrections !== undefined && corrected.length > 0 && (
          <CorrectedTexts corrected={corrected} corrections={corrections} />
        )}
      </ul>
    </Section>
  );
}
