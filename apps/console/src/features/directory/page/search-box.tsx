import { useLingui } from '@lingui/react/macro';
import { type Ref, useEffect, useRef, useState } from 'react';
import { Search } from '../../../ui/icons.tsx';

/** The pause in typing after which the search begins, in milliseconds: longer than between two keys of who types fast. */
const DELAY_MS = 200;

export function SearchBox({
  ref,
  value,
  onChange,
}: {
  ref: Ref<HTMLInputElement>;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useLingui();
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The text that was sent last: another value comes from the URL, and replaces what is typed.
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const send = (next: string) => {
    clearTimeout(timer.current);
    if (next.trim() === sent.current) return;
    sent.current = next.trim();
    onChange(next.trim());
  };
  return (
    <search className="relative min-w-40 max-w-4xl grow">
      <Search aria-hidden className="pointer-events-none absolute start-3 top-2.5 size-4 text-muted" />
      <input
        ref={ref}
        type="search"
        aria-label={t`Search`}
        placeholder={t`Search by name, phone number, email, MLS number or city`}
        autoComplete="off"
        maxLength={200}
        className="min-h-9 w-full rounded-sm border border-control bg-surface ps-9 pe-2 text-base sm:text-sm"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => send(target.value), DELAY_MS);
        }}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Enter' && !nativeEvent.isComposing) send(text);
        }}
      />
    </search>
  );
}
