import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { isEnded, rateOf } from '../../api/jobs.ts';
import { CountList, ProgressBar } from '../../ui/progress.tsx';
import { wordsOf } from './job-labels.tsx';

function useDuration(): (seconds: number) => string {
  const { i18n } = useLingui();
  return (seconds) => {
    const [value, unit] = seconds < 90 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
    return new Intl.NumberFormat(i18n.locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  };
}

export function JobProgress({ job }: { job: Job }) {
  const { t, i18n } = useLingui();
  const duration = useDuration();
  const { processed, total, changed, partlyChanged, unchanged, rejected } = job;
  const words = wordsOf(job);
  const changedLabel = t(words.changed);
  const rate = rateOf(job);
  const number = (value: number) => i18n.number(value);
  return (
    <section aria-label={t`Progress`} className="flex flex-col gap-3">
      <ProgressBar value={processed} max={total} label={t`Progress`} />
      <p className="text-muted text-sm">
        <Trans>
          {number(processed)} of <Plural value={total} one="# record" other="# records" />
        </Trans>
        {rate !== undefined && ` · ${t`${number(Math.round(rate.perSecond))} per second`}`}
        {rate !== undefined && !isEnded(job) && ` · ${t`about ${duration(rate.secondsLeft)} left`}`}
      </p>
      <CountList
        counts={[
          { label: changedLabel, count: changed },
          ...(partlyChanged === 0 ? [] : [{ label: t`Partially`, count: partlyChanged }]),
          ...(words.unchanged === undefined ? [] : [{ label: t(words.unchanged), count: unchanged }]),
          { label: t`Failed`, count: rejected },
          ...(isEnded(job) && processed < total ? [{ label: t`Not tried`, count: total - processed }] : []),
        ]}
      />
      {/* Said once when it has ended; a bar that moves is not read out. */}
      <p role="status" className="sr-only">
        {isEnded(job) && (
          <Trans>
            The job has finished. {changedLabel}: {number(changed)}
          </Trans>
        )}
      </p>
    </section>
  );
}
