import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Badge } from '../components/badge.tsx';
import { Modal } from '../components/dialogs/modal.tsx';
import { messageOf } from '../components/error-text.tsx';
import { resourceNames } from '../contract/contracts.ts';
import { resources } from '../resources/index.ts';
import { type PaletteItem, useActions, useViews } from './actions.tsx';
import { matching } from './matching.ts';
import { type FoundRecord, useFoundRecords, useRecentRecords } from './records.ts';
import { ShortcutKeys } from './shortcut-keys.tsx';

interface Group {
  id: string;
  label: string;
  items: (PaletteItem & { isInactive?: boolean })[];
}

/** The lines for records, each of which opens its record. */
function useRecordItems(): (records: readonly FoundRecord[]) => Group['items'] {
  const navigate = useNavigate();
  return (records) =>
    records.map(({ resource, id, label, detail, isActive }) => ({
      id,
      label,
      detail,
      icon: resources[resource].icon,
      isInactive: !isActive,
      run: () => void navigate({ to: `/${resource}/$id`, params: { id } }),
    }));
}

/** Finds the items for a text, in groups without the empty ones. */
function useGroups(text: string): { groups: Group[]; isSearching: boolean; error: unknown } {
  const { t } = useLingui();
  const itemsOf = useRecordItems();
  const recent = useRecentRecords();
  const { records, isSearching, error } = useFoundRecords(text);
  const of = (resource: FoundRecord['resource']) =>
    itemsOf(records.filter((one) => one.resource === resource));
  const groups: Group[] = [
    { id: 'views', label: t`Go to`, items: matching(useViews(), text) },
    { id: 'recent', label: t`Recently open`, items: text.trim() === '' ? itemsOf(recent) : [] },
    ...resourceNames.map((name) => ({ id: name, label: t(resources[name].labels.many), items: of(name) })),
    { id: 'actions', label: t`Actions`, items: matching(useActions(), text) },
  ];
  return { groups: groups.filter(({ items }) => items.length > 0), isSearching, error };
}

const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  PageDown: (at, count) => Math.min(at + 8, count - 1),
  PageUp: (at) => Math.max(at - 8, 0),
};

/**
 * The command palette: one field that finds views, records and actions (ARIA combobox with a listbox). Arrow keys move, Enter
 * runs, Escape closes.
 */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { groups, isSearching, error } = useGroups(text);
  const items = groups.flatMap((group) => group.items);
  const at = Math.min(active, Math.max(items.length - 1, 0));
  const activeItem = items[at];
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  const run = (item: PaletteItem) => {
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const move = moves[event.key];
    if (move !== undefined && items.length > 0) setActive(move(at, items.length));
    else if (event.key === 'Enter' && activeItem !== undefined) run(activeItem);
    else return;
    event.preventDefault();
  };
  const found = isSearching ? t`Searching …` : items.length === 0 ? t`Nothing was found` : '';
  return (
    <Modal
      label={t`Search or go to …`}
      className="mx-auto mt-0 h-fit max-h-dvh w-full max-w-xl overflow-hidden bg-raised sm:mt-[12vh] sm:max-h-[70vh] sm:rounded-xl sm:border sm:border-line sm:shadow-2xl"
      onClose={onClose}
    >
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <input
          // biome-ignore lint/a11y/noAutofocus: whoever opens the palette wants to type.
          autoFocus
          role="combobox"
          aria-label={t`Search for views, records and actions`}
          aria-expanded={items.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeItem && `${listId}-${activeItem.id}`}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={t`Views, records, actions`}
          className="min-h-12 w-full bg-transparent text-base outline-none"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden className="rounded border border-line px-1.5 text-muted text-xs">
          Esc
        </kbd>
      </div>
      <div ref={list} id={listId} role="listbox" aria-label={t`Found`} className="overflow-y-auto p-2">
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
          <div key={group.id} role="group" aria-labelledby={`${listId}-${group.id}-label`} className="pb-2">
            <div
              id={`${listId}-${group.id}-label`}
              role="presentation"
              className="px-3 py-1 text-muted text-xs"
            >
              {group.label}
            </div>
            {group.items.map((item) => (
              <Option
                key={item.id}
                id={`${listId}-${item.id}`}
                item={item}
                isActive={item === activeItem}
                onPoint={() => setActive(items.indexOf(item))}
                onRun={() => run(item)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={found === '' && !error ? 'sr-only' : 'px-5 pb-4 text-muted text-sm'}>
        {error ? messageOf(error) : found || t`${items.length} found`}
      </p>
    </Modal>
  );
}

function Option({
  id,
  item: { label, detail, icon: Icon, keys, isInactive },
  isActive,
  onPoint,
  onRun,
}: {
  id: string;
  item: Group['items'][number];
  isActive: boolean;
  onPoint: () => void;
  onRun: () => void;
}) {
  const { t } = useLingui();
  return (
    // The field keeps the focus and has the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 py-1 text-sm aria-selected:bg-selected"
      onPointerMove={isActive ? undefined : onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 grow truncate">
        {label}
        {detail !== undefined && detail !== '' && <span className="ms-2 text-muted text-xs">{detail}</span>}
      </span>
      {isInactive && <Badge>{t`Inactive`}</Badge>}
      {keys !== undefined && <ShortcutKeys keys={keys} />}
    </div>
  );
}
