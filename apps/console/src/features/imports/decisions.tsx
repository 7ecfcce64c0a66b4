import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowRight } from '../../more-icons.tsx';
import { Button } from '../../ui/button.tsx';
import { columnLabel } from '../fields/import-columns.ts';
import { type ColumnProps, FieldChoice, Samples } from './column-list.tsx';
import { type Draft, type FilePreview, say } from './draft.ts';
import { UseAs } from './import-labels.tsx';

type Lacking = FilePreview['lacking'][number];

export interface Decision extends Pick<Lacking, 'needs'> {
  /** The column to decide about: one that is not used, else the one that lacks it. */
  column: FilePreview['columns'][number];
  lacking: Lacking['column'];
}

/** Finds what is to be decided: for each field that other columns need, the likeliest column for it that isn't used. */
export function decisionsOf({ mapping }: Draft, { columns, lacking }: FilePreview): Decision[] {
  const open = new Map(lacking.toReversed().map((one) => [one.needs, one]));
  return [...open.values()].toReversed().flatMap(({ column: lacks, needs, unused }) => {
    // A column that someone left out is not suggested again.
    const name = unused.find((one) => mapping.columns[one] === undefined) ?? lacks;
    const column = columns.find((one) => one.name === name);
    return column === undefined ? [] : [{ column, lacking: lacks, needs }];
  });
}

/** A decision about a column, with its first values and the ways to decide. */
export function DecisionBlock({
  resource,
  decision: { column, lacking, needs },
  onDecide,
}: Pick<ColumnProps, 'resource'> & { decision: Decision; onDecide: (name: string) => void }) {
  const { t, i18n } = useLingui();
  const { name, field } = column;
  const needed = columnLabel(i18n, resource, needs);
  const shown = field === null ? `${needed}?` : columnLabel(i18n, resource, field);
  const decide = (chosen: string) => {
    onDecide(name);
    say('columns', name, chosen);
  };
  return (
    <li className="not-first:border-line not-first:border-t">
      <div className="flex min-h-10 flex-wrap items-center gap-x-6 gap-y-1 border-line-soft border-b bg-sunken px-3 py-1">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 font-medium">
          <span className="min-w-0 break-words">{name}</span>
          <ArrowRight aria-hidden className="size-3.5 shrink-0 text-muted rtl:rotate-180" />
          {shown}
        </p>
        <Samples column={column} className="flex flex-wrap gap-x-6 text-sm" />
      </div>
      <div className="flex flex-wrap items-center gap-2 p-3">
        <p className="grow">
          {needs === 'licenses[0].number' ? (
            <Trans>{lacking} needs a licence number.</Trans>
          ) : (
            <Trans>
              {lacking} needs another column: {needed}
            </Trans>
          )}
        </p>
        {field === null && (
          <>
            <Button onClick={() => decide(needs)}>
              <UseAs field={needs} label={needed} />
            </Button>
            <FieldChoice
              resource={resource}
              column={column}
              placeholder={t`Another field`}
              className="w-40"
              onDecide={onDecide}
            />
          </>
        )}
        <Button look="quiet" onClick={() => decide('')}>
          <Trans>Leave out</Trans>
        </Button>
      </div>
    </li>
  );
}
