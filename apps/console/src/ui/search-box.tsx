import { useLingui } from '@lingui/react/macro';
import { type Ref, useEffect, useRef, useState } from 'react';
import { Search, X } from '../icons.tsx';
import { classNames } from './button.tsx';

/** The pause in typing after which the search begins, in milliseconds: longer than between two keys of who types fast. */
const DELAY_MS = 200;

interface SearchBoxProps {
  ref: Ref<HTMLInputElement>;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** Leads into the list: by ↓ and by Enter. */
  onLeave: () => void;
}

export function SearchBox({ ref, placeholder, value, onChange, onLeave }: SearchBoxProps) {
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
    <search
      className={classNames(
        'relative min-w-24 max-w-56 shrink grow-[999] basis-44 @max-4xl/list:max-w-44',
        // Beside a wide record: an icon, which becomes a field over the bar, or as much of one as what is searched for needs.
        'sm:@max-lg/list:min-w-8 sm:@max-lg/list:grow-0 sm:@max-lg/list:basis-8 sm:@max-lg/list:has-[input:not(:placeholder-shown)]:basis-26 sm:@max-lg/list:focus-within:absolute sm:@max-lg/list:focus-within:inset-x-6 sm:@max-lg/list:focus-within:max-w-none sm:@max-lg/list:focus-within:z-10 sm:@max-lg/list:focus-within:bg-surface',
        'max-sm:max-w-none max-sm:grow-0 max-sm:min-w-11 max-sm:basis-11 max-sm:focus-within:order-1 max-sm:focus-within:basis-full max-sm:has-[input:not(:placeholder-shown)]:order-1 max-sm:has-[input:not(:placeholder-shown)]:basis-full',
      )}
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 start-2.5 my-auto size-4 text-muted max-sm:start-3 max-sm:size-5 max-sm:text-text"
      />
      <input
        ref={ref}
        type="search"
        aria-label={t`Search`}
        placeholder={placeholder}
        autoComplete="off"
        aria-keyshortcuts="/"
        maxLength={200}
        className="peer h-8 w-full rounded-sm border border-control bg-surface ps-8 pe-7 text-base sm:@max-lg/list:placeholder-shown:not-focus:pe-0 sm:@max-lg/list:not-focus:placeholder:text-transparent max-sm:ps-10 max-sm:pe-11 max-sm:placeholder-shown:ps-11 max-sm:placeholder-shown:pe-0 max-sm:placeholder-shown:not-focus:border-transparent focus-visible:border-accent focus-visible:-outline-offset-1 max-sm:h-11 sm:text-sm [&::-webkit-search-cancel-button]:hidden"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => send(target.value), DELAY_MS);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          send(text);
          onLeave();
        }}
      />
      {text === '' ? (
        <kbd
          aria-hidden
          className="pointer-events-none absolute inset-y-0 end-2 my-auto h-4 font-sans text-muted text-xs peer-focus:hidden @max-lg/list:hidden max-sm:hidden"
        >
          /
        </kbd>
      ) : (
        <button
          type="button"
          aria-label={t`Clear`}
          className="absolute inset-y-0 end-[3px] my-auto grid size-6.5 place-items-center rounded-xs text-muted hover:bg-hover max-sm:end-0 max-sm:size-11"
          onClick={() => {
            setText('');
            send('');
          }}
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </search>
  );
}
