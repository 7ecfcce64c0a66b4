import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { isEnded, rateOf } from './job-words.tsx';

/** A duration in the language of the page, in the unit that fits. */
function useDuration(): (seconds: number) => string {
  const { i18n } = useLingui();
  return (seconds) => {
    const [value, unit] = seconds < 90 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
    return new Intl.NumberFormat(i18n.locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  };
}

/** How many of the records are done, with a bar. */
export function ProgressBar({ value, max, label }: { value: number; max: number; label: string }) {
  return (
    <progress
      className="block h-2 w-full appearance-none overflow-hidden rounded-full bg-hover [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
      aria-label={label}
      value={max === 0 ? 1 : value}
      max={max === 0 ? 1 : max}
    />
  );
}

/** A number with its meaning, in a row of such. */
export function Count({ label, children }: { label: string; children: number }) {
  const { i18n } = useLingui();
  return (
    <div className="min-w-24">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="font-semibold text-lg tabular-nums">{i18n.number(children)}</dd>
    </div>
  );
}

/** The progress of a job: bar, rate, time left, and what became of its records. */
export function JobProgress({ job }: { job: Job }) {
  const { t, i18n } = useLingui();
  const duration = useDuration();
  const { processed, total, changed, unchanged, rejected } = job;
  const rate = rateOf(job);
  const number = (value: number) => i18n.number(value);
  return (
    <section aria-label={t`Progress`} className="flex flex-col gap-3">
      <ProgressBar value={processed} max={total} label={t`Progress`} />
      <p className="text-muted text-sm">
        <Trans>
          {number(processed)} of <Plural value={total} one="# record" other="# records" />
        </Trans>
        {rate !== undefined && ` · ${t`${number(Math.round(rate.perSecond))} each second`}`}
        {rate !== undefined && !isEnded(job) && ` · ${t`about ${duration(rate.secondsLeft)} left`}`}
      </p>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        <Count label={t`Changed`}>{changed}</Count>
        <Count label={t`Had the values already`}>{unchanged}</Count>
        <Count label={t`Could not be changed`}>{rejected}</Count>
        {isEnded(job) && processed < total && <Count label={t`Not tried`}>{total - processed}</Count>}
      </dl>
      {/* Said once when it has ended; a bar that moves is not read out. */}
      <p role="status" className="sr-only">
        {isEnded(job) &&
          i18n._(
            plural(changed, {
              one: 'The job has ended. # record changed.',
              other: 'The job has ended. # records changed.',
            }),
          )}
      </p>
    </section>
  );
}
