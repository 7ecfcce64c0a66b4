import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classNames, IconButton } from '../button.tsx';
import { messageOf } from '../error-text.tsx';
import { placePopup } from '../menu.tsx';
import { controlClasses, Field, type FieldProps } from './field.tsx';

/** Something that can be chosen. */
export interface ComboboxOption {
  id: string;
  label: string;
  /** The detail that tells it from others with the same label. */
  detail?: string | undefined;
}

interface ComboboxProps extends Omit<FieldProps, 'children'> {
  /** The chosen option; null for none. */
  value: ComboboxOption | null;
  onChange: (value: ComboboxOption | null) => void;
  /** Finds what can be chosen for a text, which is empty at first. It is called as one types, and aborted by the next letter. */
  search: (text: string, signal: AbortSignal) => Promise<readonly ComboboxOption[]>;
  placeholder?: string | undefined;
  /** Whether the choice can be taken back; true unless given. */
  isClearable?: boolean;
  autoFocus?: boolean;
}

const DELAY_MS = 150;

interface Found {
  /** For which text; the options of an earlier one stay until those of the next are there. */
  text: string;
  options: readonly ComboboxOption[];
  error?: unknown;
}

/** Searches for a text as long as the list is open. */
function useFound(isOpen: boolean, text: string, search: ComboboxProps['search']): Found | undefined {
  const [found, setFound] = useState<Found>();
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  });
  useEffect(() => {
    if (!isOpen) return;
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        latest
          .current(text.trim(), controller.signal)
          .then((options) => setFound({ text, options }))
          .catch((error: unknown) => {
            if (!controller.signal.aborted) setFound({ text, options: [], error });
          });
      },
      text === '' ? 0 : DELAY_MS,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isOpen, text]);
  return isOpen ? found : undefined;
}

interface SuggestionsProps {
  listId: string;
  /** The field below which they are shown. */
  anchor: RefObject<HTMLInputElement | null>;
  /** Undefined until something was found. */
  found: Found | undefined;
  /** The index of the option that Enter chooses. */
  active: number;
  onChoose: (option: ComboboxOption) => void;
}

/** The options below the field, and what is said of the search. The field keeps the focus and has the keys. */
function Suggestions({ listId, anchor, found, active, onChoose }: SuggestionsProps) {
  const { t } = useLingui();
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (popup.current === null || anchor.current === null) return;
    popup.current.style.width = `${anchor.current.offsetWidth}px`;
    if (!popup.current.matches(':popover-open')) popup.current.showPopover();
    placePopup(anchor.current, popup.current);
  });
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);
  const status = statusOf(found, t`Searching …`, t`Nothing was found`);
  return (
    <div
      ref={popup}
      popover="manual"
      className="fixed m-0 max-h-72 overflow-y-auto rounded-lg border border-line bg-raised p-1 text-sm text-text shadow-xl"
    >
      <div id={listId} role="listbox" aria-label={t`Suggestions`}>
        {(found?.options ?? []).map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: The field has the keys.
          <div
            key={option.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="flex min-h-9 cursor-pointer flex-col justify-center rounded-md px-3 py-1 hover:bg-hover aria-selected:bg-selected"
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
          >
            <span>{option.label}</span>
            {option.detail !== undefined && <span className="text-muted text-xs">{option.detail}</span>}
          </div>
        ))}
      </div>
      <p role="status" className={status === '' ? 'sr-only' : 'px-3 py-2 text-muted'}>
        {status}
      </p>
    </div>
  );
}

/**
 * A labelled choice among many, found by what one types (ARIA combobox with a listbox): arrow keys move, Enter chooses, Escape
 * closes the list and then takes back what was typed. What is typed but not chosen is no value.
 */
export function Combobox({
  value,
  onChange,
  search,
  placeholder,
  isClearable = true,
  autoFocus,
  ...field
}: ComboboxProps) {
  const { t } = useLingui();
  const [text, setText] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const found = useFound(isOpen, text ?? '', search);
  const options = found?.options ?? [];
  const shown = text ?? value?.label ?? '';

  const open = () => {
    setActive(0);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setText(undefined);
  };
  const choose = (option: ComboboxOption | null) => {
    close();
    onChange(option);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const move = moves[event.key];
    if (move !== undefined) {
      if (isOpen) setActive(move(active, options.length));
      else open();
    } else if (event.key === 'Enter' && isOpen) {
      const option = options[active];
      if (option !== undefined && found?.text === (text ?? '')) choose(option);
    } else if (event.key === 'Escape' && isOpen) {
      close();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Field {...field}>
      {(ids) => (
        <div className="relative flex">
          <input
            {...ids}
            ref={input}
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && options.length > 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder ?? t`Type to search`}
            // biome-ignore lint/a11y/noAutofocus: only where the caller opens the field by a command of its own.
            autoFocus={autoFocus}
            data-autofocus={autoFocus}
            className={classNames(controlClasses, isClearable && value !== null && 'pe-10')}
            value={shown}
            onChange={(event) => {
              setText(event.target.value);
              open();
            }}
            onClick={() => !isOpen && open()}
            onKeyDown={onKeyDown}
            onBlur={() => {
              if (text === '' && isClearable && value !== null) onChange(null);
              close();
            }}
          />
          {isClearable && value !== null && (
            <IconButton
              label={t`Clear`}
              className="absolute end-0 top-0"
              onClick={() => {
                choose(null);
                input.current?.focus();
              }}
            >
              <X aria-hidden />
            </IconButton>
          )}
          {isOpen && (
            <Suggestions listId={listId} anchor={input} found={found} active={active} onChoose={choose} />
          )}
        </div>
      )}
    </Field>
  );
}

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (count === 0 ? 0 : (at + 1) % count),
  ArrowUp: (at, count) => (count === 0 ? 0 : (at - 1 + count) % count),
};

/** The status below the options. */
function statusOf(found: Found | undefined, searching: string, nothing: string): string {
  if (found === undefined) return searching;
  if (found.error !== undefined) return messageOf(found.error);
  return found.options.length === 0 ? nothing : '';
}
