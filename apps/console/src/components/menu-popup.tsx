import { Menu } from '@base-ui/react/menu';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { classNames, popupClasses } from './button.tsx';

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

interface MenuPopupProps {
  id: string;
  label: string;
  /** The button that it belongs to. */
  opener: RefObject<HTMLElement | null>;
  items: readonly MenuItem[];
  onClose: () => void;
}

function Item({ item }: { item: MenuItem }) {
  const { label, icon, isDanger, isDisabled, isChecked, onSelect } = item;
  const className = classNames(
    'flex min-h-9 w-full cursor-pointer select-none items-center gap-2 rounded-md px-3 text-start text-sm',
    'outline-none data-highlighted:bg-hover data-disabled:opacity-50 [&_svg]:size-4',
    isDanger && 'text-danger',
  );
  if (isChecked === undefined)
    return (
      <Menu.Item className={className} disabled={isDisabled} onClick={onSelect}>
        {icon}
        {label}
      </Menu.Item>
    );
  return (
    <Menu.CheckboxItem
      className={className}
      disabled={isDisabled}
      checked={isChecked}
      closeOnClick
      onClick={onSelect}
    >
      <span aria-hidden>{isChecked ? '✓' : '\u2003'}</span>
      {icon}
      {label}
    </Menu.CheckboxItem>
  );
}

/** The items, the first of which has the focus however the menu was opened. */
function Items({ items }: { items: readonly MenuItem[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus(), []);
  return (
    <div ref={box} className="contents">
      {items.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </div>
  );
}

/**
 * The open menu of a button, shown as long as it is rendered: arrow keys, Home, End and first letters move, Escape and Tab close.
 */
export function MenuPopup({ id, label, opener, items, onClose }: MenuPopupProps) {
  return (
    <Menu.Root
      open
      modal={false}
      onOpenChange={(_, { reason, event }) => {
        // A click on its button closes it by itself.
        if (reason === 'outside-press' && opener.current?.contains(event.target as Node)) return;
        onClose();
      }}
    >
      <Menu.Portal>
        <Menu.Positioner
          anchor={opener}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Menu.Popup
            id={id}
            aria-label={label}
            finalFocus={false}
            className={classNames('min-w-44 max-w-xs overflow-y-auto', popupClasses)}
          >
            <Items items={items} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
