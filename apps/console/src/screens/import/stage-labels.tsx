import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge } from '../../components/badge.tsx';
import { classNames } from '../../components/button.tsx';
import { useRun } from '../../import/run-state.ts';
import type { ImportDocument, Stage } from '../../import/types.ts';

type Tone = NonNullable<Parameters<typeof Badge>[0]['tone']>;

const stages: Readonly<Record<Stage, { label: MessageDescriptor; tone: Tone }>> = {
  file: { label: msg`Not checked yet`, tone: 'neutral' },
  columns: { label: msg`Not checked yet`, tone: 'neutral' },
  values: { label: msg`Not checked yet`, tone: 'neutral' },
  checking: { label: msg`Being checked`, tone: 'neutral' },
  checked: { label: msg`Checked, nothing written`, tone: 'neutral' },
  applying: { label: msg`Being imported`, tone: 'neutral' },
  applied: { label: msg`Imported`, tone: 'good' },
  undoing: { label: msg`Being undone`, tone: 'warning' },
  undone: { label: msg`Undone`, tone: 'warning' },
};

const working: readonly Stage[] = ['checking', 'applying', 'undoing'];

/** How far an import is. One that was interrupted says so. */
export function StageBadge({ document: { id, stage } }: { document: ImportDocument }) {
  const { t } = useLingui();
  const run = useRun(id);
  if (run === undefined && working.includes(stage)) return <Badge tone="warning">{t`Interrupted`}</Badge>;
  const { label, tone } = stages[stage];
  return <Badge tone={tone}>{t(label)}</Badge>;
}

const steps: readonly { label: MessageDescriptor; stages: readonly Stage[] }[] = [
  { label: msg`File`, stages: ['file'] },
  { label: msg`Columns`, stages: ['columns'] },
  { label: msg`Values`, stages: ['values'] },
  { label: msg`Check`, stages: ['checking', 'checked'] },
  { label: msg`Import`, stages: ['applying', 'applied', 'undoing', 'undone'] },
];

/** The steps of an import, with the present one. */
export function Steps({ stage }: { stage: Stage }) {
  const { t } = useLingui();
  return (
    <ol aria-label={t`Steps`} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {steps.map((step, index) => {
        const isCurrent = step.stages.includes(stage);
        return (
          <li
            key={step.label.id}
            aria-current={isCurrent ? 'step' : undefined}
            className={classNames('flex items-center gap-2', isCurrent ? 'font-semibold' : 'text-muted')}
          >
            <span
              aria-hidden
              className={classNames(
                'grid size-6 place-items-center rounded-full text-xs',
                isCurrent ? 'bg-accent text-on-accent' : 'bg-hover text-text',
              )}
            >
              {index + 1}
            </span>
            {t(step.label)}
          </li>
        );
      })}
    </ol>
  );
}
