import { Popover } from '@base-ui/react/popover';
import type { I18n } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { useId, useRef, useState } from 'react';
import { CalendarDays } from '../../icons.tsx';
import { classNames, popupClasses } from '../button.tsx';
import { Calendar } from './calendar.tsx';
import { parseDay } from './date-text.ts';
import { controlClasses, Field, type FieldProps } from './field.tsx';

interface DateInputProps {
  /** A day such as `2026-11-30`; an empty text for none. */
  value: string;
  onChange: (day: string) => void;
  min?: string | undefined;
  max?: string | undefined;
  disabled?: boolean | undefined;
  autoFocus?: boolean | undefined;
  className?: string;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
  required?: boolean | undefined;
}

const writtenDay = (i18n: I18n, day: string): string =>
  i18n.date(new Date(`${day}T00:00:00Z`), {
    weekday: 'long',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });

/** A day without a label of its own: it can be written as people write days, or chosen in the calendar that ↓ or a click opens. */
function DateInput({ value, onChange, min, max, className, ...ids }: DateInputProps) {
  const { t, i18n } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const popupId = useId();
  const [open, setOpen] = useState<'click' | 'key'>();
  // The text that is being written; the value is shown otherwise.
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && typed.trim() !== '' && parseDay(typed, i18n.locale) === undefined;
  return (
    <span className="relative flex min-w-0">
      <CalendarDays
        aria-hidden
        className="pointer-events-none absolute inset-y-0 start-2.5 my-auto size-4 text-muted"
      />
      <input
        {...ids}
        ref={input}
        role="combobox"
        aria-haspopup="dialog"
        aria-expanded={open !== undefined}
        aria-controls={open === undefined ? undefined : popupId}
        aria-invalid={ids['aria-invalid'] ?? (isWrong || undefined)}
        autoComplete="off"
        placeholder={t`Choose a date`}
        className={classNames(className ?? controlClasses, 'ps-8!')}
        value={typed ?? (value === '' ? '' : writtenDay(i18n, value))}
        onClick={() => setOpen('click')}
        onChange={({ target }) => {
          setTyped(target.value);
          const day = target.value.trim() === '' ? '' : parseDay(target.value, i18n.locale);
          if (day !== undefined && day !== value) onChange(day);
        }}
        onBlur={() => {
          if (!isWrong) setTyped(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen('key');
        }}
      />
      <Popover.Root
        open={open !== undefined}
        onOpenChange={(_, { reason, event }) => {
          const isOwn = event.target instanceof Node && input.current?.contains(event.target);
          if (reason === 'outside-press' && isOwn) return;
          setOpen(undefined);
        }}
      >
        <Popover.Portal>
          <Popover.Positioner
            anchor={input}
            align="start"
            sideOffset={4}
            collisionPadding={8}
            className="z-50 outline-none"
          >
            <Popover.Popup
              id={popupId}
              aria-label={t`Choose a date`}
              initialFocus={false}
              finalFocus={input}
              className={popupClasses}
            >
              <Calendar
                key={`${value} ${open}`}
                value={value}
                min={min}
                max={max}
                hasFocus={open === 'key'}
                onChoose={(day) => {
                  setTyped(undefined);
                  setOpen(undefined);
                  onChange(day);
                }}
              />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </span>
  );
}

export function DateField({
  label,
  hint,
  error,
  isRequired = false,
  className,
  ...control
}: Omit<FieldProps, 'children'> & Omit<DateInputProps, 'className'>) {
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired} {...(className && { className })}>
      {(ids) => <DateInput {...ids} {...control} />}
    </Field>
  );
}
