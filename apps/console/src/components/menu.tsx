import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button, type ButtonProps, classNames } from './button.tsx';

export interface MenuItem {
  /** Also the key of the item. */
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Shown as ticked or not; undefined if it is an action. */
  isChecked?: boolean;
  onSelect: () => void;
}

interface MenuProps extends Omit<ButtonProps, 'children'> {
  /** The content of the button. */
  trigger: ReactNode;
  /** The name of the button and the menu for assistive technology. */
  label: string;
  items: readonly MenuItem[];
  /** Whether it is open at first, because it was loaded when someone opened it. */
  isInitiallyOpen?: boolean;
}

const GAP_PX = 4;
const MARGIN_PX = 8;

/**
 * Puts a popup below what it belongs to, or above it if there is no room; inside the window. The popup is shown and has
 * `position: fixed`.
 */
export function placePopup(anchorElement: HTMLElement, popup: HTMLElement): void {
  const anchor = anchorElement.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popup;
  const isRightToLeft = document.documentElement.dir === 'rtl';
  const left = isRightToLeft ? anchor.right - width : anchor.left;
  const isBelow =
    anchor.bottom + GAP_PX + height <= window.innerHeight - MARGIN_PX ||
    // Neither side has room: below, where it scrolls with the rest.
    anchor.top < GAP_PX + height;
  const top = isBelow ? anchor.bottom + GAP_PX : anchor.top - GAP_PX - height;
  // The edges that the browser gives a popover would win on a page that is written from right to left.
  popup.style.inset = 'auto';
  popup.style.left = `${Math.max(MARGIN_PX, Math.min(left, window.innerWidth - width - MARGIN_PX))}px`;
  popup.style.top = `${Math.max(MARGIN_PX, top)}px`;
  // A menu that is longer than the window has room for scrolls.
  const room = window.innerHeight - Math.max(MARGIN_PX, top) - MARGIN_PX;
  if (height > room) popup.style.maxHeight = `${room}px`;
}

/**
 * A button with a menu of actions (ARIA menu button pattern): arrow keys, Home, End and first letters move, Escape and Tab
 * close. The popup is a popover of the browser, so it is above everything, also in a dialog.
 */
export function Menu({ trigger, label, items, isInitiallyOpen = false, ...button }: MenuProps) {
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!isOpen || opener.current === null || popup.current === null) return;
    popup.current.showPopover();
    placePopup(opener.current, popup.current);
    itemsOf(popup.current)[0]?.focus();
  }, [isOpen]);

  const close = (isFocusReturned: boolean) => {
    setOpen(false);
    if (isFocusReturned) opener.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const all = itemsOf(event.currentTarget);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = target(event.key, at, all);
    if (to !== undefined) to.focus();
    else if (event.key === 'Escape') close(true);
    else if (event.key === 'Tab') return close(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <Button
        ref={opener}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
        {...button}
      >
        {trigger}
      </Button>
      {isOpen && (
        <div
          ref={popup}
          id={id}
          role="menu"
          tabIndex={-1}
          popover="auto"
          aria-label={label}
          className="fixed m-0 min-w-44 max-w-xs overflow-y-auto rounded-lg border border-line bg-raised p-1 text-text shadow-xl"
          onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
          onKeyDown={onKeyDown}
        >
          {items.map(({ id: key, label: text, icon, isDanger, isDisabled, isChecked, onSelect }) => (
            <button
              key={key}
              type="button"
              role={isChecked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              {...(isChecked !== undefined && { 'aria-checked': isChecked })}
              aria-disabled={isDisabled}
              tabIndex={-1}
              className={classNames(
                'flex min-h-9 w-full items-center gap-2 rounded-md px-3 text-start text-sm hover:bg-hover focus:bg-hover',
                'aria-disabled:opacity-50 [&_svg]:size-4',
                isDanger && 'text-danger',
              )}
              onClick={() => {
                if (isDisabled) return;
                close(true);
                onSelect();
              }}
            >
              {isChecked !== undefined && <span aria-hidden>{isChecked ? '✓' : '\u2003'}</span>}
              {icon}
              {text}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')];

/** The item that a key moves to; undefined if the key moves nowhere. */
function target(key: string, at: number, all: HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return all[(at + 1) % all.length];
  if (key === 'ArrowUp') return all[(at - 1 + all.length) % all.length];
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const after = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  return after.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
}
