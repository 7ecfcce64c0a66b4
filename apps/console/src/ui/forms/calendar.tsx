import { useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ChevronRight } from '../../icons.tsx';
import { ChevronLeft } from '../../more-icons.tsx';
import { classNames, IconButton } from '../button.tsx';
import { addMonths, dayNumberOf, dayOfNumber, daysOfMonth, firstWeekday, today } from './date-text.ts';

interface CalendarProps {
  value: string;
  min?: string | undefined;
  max?: string | undefined;
  /** Whether its day takes the focus when it is shown. */
  hasFocus: boolean;
  onChoose: (day: string) => void;
}

const steps: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => dayOfNumber(dayNumberOf(day) - 1),
  ArrowRight: (day) => dayOfNumber(dayNumberOf(day) + 1),
  ArrowUp: (day) => dayOfNumber(dayNumberOf(day) - 7),
  ArrowDown: (day) => dayOfNumber(dayNumberOf(day) + 7),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
};

/** A month to choose a day of: arrow keys move by days and weeks, Page up and down by months. */
export function Calendar({ value, min, max, hasFocus, onChoose }: CalendarProps) {
  const { t, i18n } = useLingui();
  const grid = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState(
    value === '' ? (min !== undefined && min > today() ? min : today()) : value,
  );
  const [isMoved, setMoved] = useState(hasFocus);
  const month = active.slice(0, 7);
  const days = daysOfMonth(month, firstWeekday(i18n.locale));
  const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
  const text = (day: string, options: Intl.DateTimeFormatOptions) =>
    i18n.date(dateOf(day), { ...options, timeZone: 'UTC' });
  useEffect(() => {
    if (isMoved) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [active, isMoved]);
  const isRtl = () => getComputedStyle(grid.current ?? document.body).direction === 'rtl';
  const onKeyDown = (event: KeyboardEvent) => {
    const key =
      isRtl() && event.key === 'ArrowLeft'
        ? 'ArrowRight'
        : isRtl() && event.key === 'ArrowRight'
          ? 'ArrowLeft'
          : event.key;
    const step = steps[key];
    if (step === undefined) return;
    event.preventDefault();
    setActive(step(active));
    setMoved(true);
  };
  const isOut = (day: string) => (min !== undefined && day < min) || (max !== undefined && day > max);
  const weeks = [0, 7, 14, 21, 28, 35].map((from) => days.slice(from, from + 7));
  return (
    <div className="w-70 p-3">
      <div className="mb-2 flex items-center">
        <h2 aria-live="polite" className="grow font-semibold text-sm">
          {text(`${month}-01`, { month: 'long', year: 'numeric' })}
        </h2>
        <IconButton size="small" label={t`Previous month`} onClick={() => setActive(addMonths(active, -1))}>
          <ChevronLeft aria-hidden className="rtl:rotate-180" />
        </IconButton>
        <IconButton size="small" label={t`Next month`} onClick={() => setActive(addMonths(active, 1))}>
          <ChevronRight aria-hidden className="rtl:rotate-180" />
        </IconButton>
      </div>
      <table ref={grid} aria-label={t`Days`} className="w-full table-fixed">
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th
                key={day}
                scope="col"
                abbr={text(day, { weekday: 'long' })}
                className="h-7 text-center font-normal text-muted text-xs"
              >
                {text(day, { weekday: 'short' }).slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="p-0 text-center">
                  <button
                    type="button"
                    tabIndex={day === active ? 0 : -1}
                    disabled={isOut(day)}
                    aria-label={text(day, { dateStyle: 'full' })}
                    aria-pressed={day === value}
                    onKeyDown={onKeyDown}
                    aria-current={day === today() ? 'date' : undefined}
                    className={classNames(
                      'mx-auto grid size-8 place-items-center rounded-sm tabular-nums hover:bg-hover disabled:opacity-40',
                      day === value && 'bg-accent! font-semibold text-on-accent!',
                      day.slice(0, 7) !== month && 'text-muted',
                      day === today() && 'inset-ring inset-ring-control',
                    )}
                    onClick={() => onChoose(day)}
                  >
                    {i18n.number(Number(day.slice(8)), { useGrouping: false })}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
