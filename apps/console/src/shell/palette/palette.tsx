import { Autocomplete } from '@base-ui/react/autocomplete';
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { resourceNames } from '../../api/contract/contracts.ts';
import { Search } from '../../icons.tsx';
import { resources } from '../../resources/index.ts';
import { InactiveBadge } from '../../ui/badge.tsx';
import { Modal } from '../../ui/dialogs/modal.tsx';
import { messageOf } from '../../ui/error-message.ts';
import { type PaletteItem, useActions, useViews } from './actions.tsx';
import { matching } from './matching.ts';
import { type FoundRecord, useFoundRecords, useRecentRecords } from './records.ts';
import { ShortcutKeys } from './shortcut-keys.tsx';

interface Group {
  id: string;
  label: string;
  items: (PaletteItem & { isInactive?: boolean })[];
}

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

function useGroups(text: string): { groups: Group[]; isSearching: boolean; error: unknown } {
  const { t } = useLingui();
  const itemsOf = useRecordItems();
  const recent = useRecentRecords();
  const { records, isSearching, error } = useFoundRecords(text);
  const of = (resource: FoundRecord['resource']) =>
    itemsOf(records.filter((one) => one.resource === resource));
  const groups: Group[] = [
    { id: 'views', label: t`Go to`, items: matching(useViews(), text) },
    { id: 'recent', label: t`Recently opened`, items: text.trim() === '' ? itemsOf(recent) : [] },
    ...resourceNames.map((name) => ({ id: name, label: t(resources[name].labels.many), items: of(name) })),
    { id: 'actions', label: t`Actions`, items: matching(useActions(), text) },
  ];
  return { groups: groups.filter(({ items }) => items.length > 0), isSearching, error };
}

/**
 * The command palette: one field that finds views, records and actions (ARIA combobox with a listbox). Arrow keys move, Enter
 * runs, Escape closes.
 */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const { groups, isSearching, error } = useGroups(text);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const found = isSearching ? t`Searching…` : count === 0 ? t`No results` : '';
  return (
    <Modal
      label={t`Search or go to`}
      className="mx-auto mt-0 h-fit max-h-dvh w-full max-w-[37.5rem] sm:mt-[12vh] sm:max-h-[70vh] sm:rounded-lg sm:shadow-lg"
      initialFocus="input"
      onClose={onClose}
    >
      <Autocomplete.Root
        inline
        open
        items={groups}
        filter={null}
        autoHighlight="always"
        keepHighlight
        itemToStringValue={(item: PaletteItem) => item.label}
        value={text}
        onValueChange={(next, { reason }) => {
          if (reason !== 'item-press') setText(next);
        }}
      >
        <div className="flex items-center gap-3 border-line border-b px-4">
          <Search aria-hidden className="size-4 shrink-0 text-muted" />
          <Autocomplete.Input
            aria-label={t`Search for views, records and actions`}
            spellCheck={false}
            enterKeyHint="go"
            placeholder={t`Views, records, actions`}
            className="min-h-12 w-full bg-transparent text-base outline-none"
            // Escape closes the palette, whatever was typed.
            onKeyDown={(event) => event.key === 'Escape' && event.preventBaseUIHandler()}
          />
          <kbd aria-hidden className="rounded-xs border border-line px-1.5 text-muted text-xs">
            Esc
          </kbd>
        </div>
        <Autocomplete.List aria-label={t`Found`} className="overflow-y-auto p-2">
          {(group: Group) => (
            <Autocomplete.Group key={group.id} items={group.items} className="pb-2">
              <Autocomplete.GroupLabel className="px-2 py-1 text-muted text-xs">
                {group.label}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(item: Group['items'][number]) => (
                  <Option
                    key={item.id}
                    item={item}
                    onRun={() => {
                      onClose();
                      item.run();
                    }}
                  />
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        <Autocomplete.Status className={found === '' && !error ? 'sr-only' : 'px-5 pb-4 text-muted text-sm'}>
          {error ? messageOf(error) : found || t`${count} found`}
        </Autocomplete.Status>
      </Autocomplete.Root>
    </Modal>
  );
}

/** A line of the palette. The field keeps the focus and has the keys. */
function Option({ item, onRun }: { item: Group['items'][number]; onRun: () => void }) {
  const { label, detail, icon: Icon, keys, isInactive } = item;
  return (
    <Autocomplete.Item
      value={item}
      className="flex min-h-9 cursor-pointer items-center gap-2 rounded-sm px-2 text-sm outline-none data-highlighted:bg-active max-sm:min-h-11"
      onClick={onRun}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 grow truncate">
        {label}
        {detail !== undefined && <span className="ms-2 text-muted text-xs">{detail}</span>}
      </span>
      {isInactive && <InactiveBadge />}
      {keys !== undefined && <ShortcutKeys keys={keys} />}
    </Autocomplete.Item>
  );
}
