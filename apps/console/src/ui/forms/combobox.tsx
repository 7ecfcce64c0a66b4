import { Combobox as Base } from '@base-ui/react/combobox';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { ChevronDown, X } from '../../icons.tsx';
import { classNames, iconButtonClasses, popupClasses } from '../button.tsx';
import { messageOf } from '../error-message.ts';
import { controlClasses, Field, type FieldProps } from './field.tsx';

export interface ComboboxOption {
  id: string;
  label: string;
  detail?: string | undefined;
  group?: string | undefined;
}

interface Group {
  value: string;
  items: readonly ComboboxOption[];
}

function groupsOf(options: readonly ComboboxOption[]): Group[] {
  return [...Map.groupBy(options, ({ group = '' }) => group)].map(([value, items]) => ({ value, items }));
}

interface ComboboxProps extends Omit<FieldProps, 'children'> {
  value: ComboboxOption | null;
  onChange: (value: ComboboxOption | null) => void;
  /** Finds what can be chosen for a text, which is empty at first. It is called as one types, and aborted by the next letter. */
  search: (text: string, signal: AbortSignal) => Promise<readonly ComboboxOption[]>;
  placeholder?: string | undefined;
  autoFocus?: boolean;
  /** In a table: without an edge, and what clears it only while it is in use. */
  isQuiet?: boolean;
}

const quietClasses =
  'h-7 w-full truncate rounded-sm bg-transparent ps-2 pe-7 font-medium text-sm hover:bg-active max-sm:h-11';

const DELAY_MS = 150;

interface Found {
  /** For which text; the options of an earlier one stay until those of the next are there. */
  text: string;
  options: readonly ComboboxOption[];
  error?: unknown;
}

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

function Suggestions({ found }: { found: Found | undefined }) {
  const { t } = useLingui();
  const status = statusOf(found, t`Searching…`, t`No results`);
  return (
    <Base.Portal>
      <Base.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-50 outline-none">
        <Base.Popup className={classNames('w-(--anchor-width) overflow-hidden p-1', popupClasses)}>
          <Base.List
            aria-label={t`Suggestions`}
            className="max-h-[min(18rem,calc(var(--available-height)-0.5rem))] overflow-y-auto empty:hidden"
          >
            {(group: Group) => (
              <Base.Group key={group.value} items={group.items}>
                {group.value !== '' && (
                  <Base.GroupLabel className="px-2 pt-2 pb-1 text-muted text-xs">
                    {group.value}
                  </Base.GroupLabel>
                )}
                <Base.Collection>
                  {(option: ComboboxOption) => (
                    <Base.Item
                      key={option.id}
                      value={option}
                      className="flex min-h-8 cursor-pointer flex-col justify-center rounded-sm px-2 py-1 outline-none data-highlighted:bg-active max-sm:min-h-11"
                    >
                      <span>{option.label}</span>
                      {option.detail !== undefined && (
                        <span className="text-muted text-xs">{option.detail}</span>
                      )}
                    </Base.Item>
                  )}
                </Base.Collection>
              </Base.Group>
            )}
          </Base.List>
          <Base.Status className={status === '' ? 'sr-only' : 'px-2 py-2 text-muted'}>{status}</Base.Status>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

/**
 * A labelled choice among many, found by what one types (ARIA combobox with a listbox): arrow keys move, Enter chooses, Escape
 * closes the list and takes back what was typed. What is typed but not chosen is no value.
 */
export function Combobox({
  value,
  onChange,
  search,
  placeholder,
  autoFocus,
  isQuiet = false,
  ...field
}: ComboboxProps) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  // The text before anyone types is that of the chosen option, which is not searched for.
  const [isTyped, setTyped] = useState(false);
  const searched = isTyped ? text : '';
  const found = useFound(isOpen, searched, search);
  return (
    <Field {...field}>
      {(ids) => (
        <Base.Root<ComboboxOption>
          items={groupsOf(found?.options ?? [])}
          filter={null}
          autoHighlight
          value={value}
          isItemEqualToValue={(one, other) => one.id === other.id}
          itemToStringLabel={(option) => option.label}
          onValueChange={(option, details) => {
            // The options are those of an earlier text until those of this one are there: Enter would choose one that nobody looks for.
            const isEarlier = found?.text !== searched && !(details.event instanceof MouseEvent);
            if (option !== null && isEarlier) details.cancel();
            else if (option !== null || value !== null) onChange(option);
          }}
          inputValue={isTyped ? text : (value?.label ?? '')}
          onInputValueChange={(next, { reason }) => {
            setText(next);
            setTyped(reason === 'input-change' || reason === 'input-clear');
          }}
          open={isOpen}
          onOpenChange={(next) => {
            setOpen(next);
            if (!next) setTyped(false);
          }}
        >
          <div className="group/box relative flex">
            <Base.Input
              {...ids}
              spellCheck={false}
              placeholder={placeholder ?? t`Type to search`}
              autoFocus={autoFocus}
              className={isQuiet ? quietClasses : classNames(controlClasses, value !== null && 'pe-10')}
              onKeyDown={(event) => {
                // Escape leaves what is chosen as it is.
                if (event.key === 'Escape' && !isOpen) event.preventBaseUIHandler();
              }}
            />
            {isQuiet && (
              <ChevronDown
                aria-hidden
                className="pointer-events-none absolute end-2 top-1/2 size-3.5 -translate-y-1/2 text-muted"
              />
            )}
            {value !== null && (
              <Base.Clear
                aria-label={t`Clear`}
                data-tooltip={t`Clear`}
                className={
                  isQuiet
                    ? classNames(
                        iconButtonClasses('quiet', 'small'),
                        'absolute end-0 top-0 bg-active not-group-hover/box:not-group-focus-within/box:opacity-0',
                      )
                    : classNames(iconButtonClasses(), 'absolute end-0.5 top-0.5')
                }
              >
                <X aria-hidden />
              </Base.Clear>
            )}
          </div>
          <Suggestions found={found} />
        </Base.Root>
      )}
    </Field>
  );
}

function statusOf(found: Found | undefined, searching: string, nothing: string): string {
  if (found === undefined) return searching;
  if (found.error !== undefined) return messageOf(found.error);
  return found.options.length === 0 ? nothing : '';
}
