import { Menu } from '@base-ui/react/menu';
import { useLingui } from '@lingui/react/macro';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { Check } from '../../more-icons.tsx';
import { classNames, popupClasses } from '../button.tsx';
import { controlClasses } from '../forms/field.tsx';

export interface MenuItem {
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Shown as ticked or not; undefined if it is an action. */
  isChecked?: boolean;
  /** The heading under which it stands, after those without one. Items of a group follow each other. */
  group?: string | undefined;
  onSelect: () => void;
}

interface MenuPopupProps {
  id: string;
  label: string;
  opener: RefObject<HTMLElement | null>;
  items: readonly MenuItem[];
  isSearched?: boolean | undefined;
  onReady: (control: HTMLElement) => void;
  onClose: () => void;
}

function Item({ item }: { item: MenuItem }) {
  const { label, icon, isDanger, isDisabled, isChecked, onSelect } = item;
  const className = classNames(
    'flex min-h-8 w-full shrink-0 cursor-pointer select-none items-center gap-2 rounded-sm px-2 text-start text-sm max-sm:min-h-11',
    'outline-none data-highlighted:bg-active data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
    isDanger ? 'text-danger' : '[&_svg]:text-muted',
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
      {icon}
      <span className="grow">{label}</span>
      {isChecked && <Check aria-hidden className="text-accent!" />}
    </Menu.CheckboxItem>
  );
}

function Groups({ items }: { items: readonly MenuItem[] }) {
  return Array.from(
    Map.groupBy(items, ({ group }) => group),
    ([label, grouped]) => {
      const shown = grouped.map((item) => <Item key={item.id} item={item} />);
      if (label === undefined) return shown;
      return (
        <Menu.Group key={label}>
          <Menu.GroupLabel className="px-2 pt-2 pb-1 text-muted text-xs">{label}</Menu.GroupLabel>
          {shown}
        </Menu.Group>
      );
    },
  );
}

function SearchedItems({ items }: { items: readonly MenuItem[] }) {
  const { t } = useLingui();
  return (
    <>
      <Menu.Input
        aria-label={t`Search`}
        placeholder={t`Search`}
        className={classNames(controlClasses, 'mb-1 shrink-0')}
      />
      <Menu.Empty className="px-2 py-2 text-muted text-sm empty:hidden">{t`No results`}</Menu.Empty>
      <Menu.List className="min-h-0 overflow-y-auto outline-none">
        <Groups items={items} />
      </Menu.List>
    </>
  );
}

/** The content of a menu. Its first item has the focus however it was opened, or the field that finds items. */
function Content({ items, isSearched, onReady }: Pick<MenuPopupProps, 'items' | 'isSearched' | 'onReady'>) {
  const box = useRef<HTMLDivElement>(null);
  const takeFocus = useEffectEvent(() => {
    const control = box.current?.querySelector<HTMLElement>('input, [role^=menuitem]');
    control?.focus();
    if (control) onReady(control);
  });
  useEffect(() => takeFocus(), []);
  return (
    <div ref={box} className="contents">
      {isSearched ? <SearchedItems items={items} /> : <Groups items={items} />}
    </div>
  );
}

export function MenuPopup({ id, label, opener, items, isSearched, onReady, onClose }: MenuPopupProps) {
  const menu = (
    <Menu.Root
      open
      modal={false}
      onOpenChange={(_, { reason, event }) => {
        // A click on its button closes it by itself.
        const isOwn = event.target instanceof Node && opener.current?.contains(event.target);
        if (reason === 'outside-press' && isOwn) return;
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
            className={classNames('flex min-w-48 max-w-xs flex-col overflow-y-auto p-1', popupClasses)}
          >
            <Content items={items} isSearched={isSearched} onReady={onReady} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
  return isSearched ? <Menu.FilterProvider autoHighlight>{menu}</Menu.FilterProvider> : menu;
}
