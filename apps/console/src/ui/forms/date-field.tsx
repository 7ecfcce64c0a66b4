import { Popover } from '@base-ui/react/popover';
import type { I18n } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { useId, useRef, useState } from 'react';
import { CalendarDays } from '../../more-icons.tsx';
import { classNames, popupClasses } from '../button.tsx';
import { Calendar } from './calendar.tsx';
import { isDay, parseDay } from './date-text.ts';
import { controlClasses, Field, type FieldProps } from './field.tsx';

interface DateInputProps {
  /** A day such as `2026-11-30`; an empty text for none. */
  value: string;
  onChange: (day: string) => void;
  /** Takes a text that is no date, which stays in the field; without it the value stays what it was. */
  onWrong?: ((text: string) => void) | undefined;
  min?: string | undefined;
  max?: string | undefined;
  disabled?: boolean | undefined;
  autoFocus?: boolean | undefined;
  className?: string;
  name?: string;
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

/** The text of a field while it is written, which stays in the field if it is no date. */
interface Written {
  typed: string | undefined;
  setTyped: (text: string | undefined) => void;
  /** Called when the field is left. */
  onLeave: () => void;
}

/** A day without a label of its own: it can be written as people write days, or chosen in the calendar that ↓ or a click opens. */
function DateInput({
  value,
  onChange,
  onWrong,
  min,
  max,
  className,
  written: { typed, setTyped, onLeave },
  ...ids
}: DateInputProps & { written: Written }) {
  const { t, i18n } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const popupId = useId();
  const [open, setOpen] = useState<'click' | 'key'>();
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
        autoComplete="off"
        placeholder={t`Choose a date`}
        className={classNames(className ?? controlClasses, 'ps-8!')}
        value={typed ?? (isDay(value) ? writtenDay(i18n, value) : value)}
        onClick={() => setOpen('click')}
        onChange={({ target }) => {
          setTyped(target.value);
          const day = target.value.trim() === '' ? '' : parseDay(target.value, i18n.locale);
          if (day === undefined) onWrong?.(target.value);
          else if (day !== value) onChange(day);
        }}
        onBlur={onLeave}
        onKeyDown={(event) => {
          // It closes the calendar, not the form around it.
          if (event.key === 'Escape' && open !== undefined) event.preventDefault();
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
                value={isDay(value) ? value : ''}
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

/** A labelled day. A text that is no date stays as it was typed, and the field says so once it is left. */
export function DateField({
  label,
  hint,
  error,
  isRequired = false,
  className,
  ...control
}: Omit<FieldProps, 'children'> & Omit<DateInputProps, 'className'>) {
  const { t, i18n } = useLingui();
  // The text that is being written; the value is shown otherwise.
  const [typed, setTyped] = useState<string>();
  const [isLeft, setLeft] = useState(false);
  const text = typed ?? (isDay(control.value) ? '' : control.value);
  const isWrong = text.trim() !== '' && parseDay(text, i18n.locale) === undefined;
  const example = i18n.date(new Date(), { day: 'numeric', month: 'short', year: 'numeric' });
  const problem = isWrong && (isLeft || typed === undefined) ? t`Not a date. Example: ${example}` : undefined;
  return (
    <Field
      label={label}
      hint={hint}
      error={problem ?? error}
      isRequired={isRequired}
      {...(className && { className })}
    >
      {(ids) => (
        <DateInput
          {...ids}
          {...control}
          written={{
            typed,
            setTyped: (written) => {
              setTyped(written);
              setLeft(false);
            },
            onLeave: () => {
              setLeft(true);
              if (!isWrong) setTyped(undefined);
            },
          }}
        />
      )}
    </Field>
  );
}
