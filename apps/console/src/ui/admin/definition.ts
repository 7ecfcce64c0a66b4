import type { I18n, MessageDescriptor } from '@lingui/core';
import type { CurrentCaller } from '@roster/client';
import type { UseQueryOptions } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { Rights } from '../../api/caller.ts';
import type { Pages } from '../../api/use-pages.ts';
import type { Icon } from '../../icons.tsx';
import type { SearchParams } from '../browser/search-params.ts';
import type { Column } from '../paged-table.tsx';

export interface AdminField<Item> {
  id: string;
  label: MessageDescriptor;
  /** Its value in the details, and in the list unless `cell` is given; null or undefined for none. */
  value?: (item: Item, i18n: I18n) => ReactNode;
  /** A shorter value for the list. Without `value` the field is in the list alone. */
  cell?: (item: Item, i18n: I18n) => ReactNode;
  /** From which width on the list has the field; never unless given. */
  column?: NonNullable<Column<Item>['width']>;
  sort?: string;
  isHidden?: (item: Item) => boolean;
}

export interface AdminAction<Item> {
  id: string;
  label: MessageDescriptor | ((item: Item) => MessageDescriptor);
  icon?: (item: Item) => ReactNode;
  isOffered?: (item: Item, rights: Rights) => boolean;
  isDanger?: boolean;
  isInMenu?: boolean;
  Dialog?: ComponentType<{ item: Item; onClose: () => void }>;
  /** Does it. All that is shown of the resource is read again afterwards. */
  run?: (item: Item) => Promise<unknown>;
  question?: {
    title: (item: Item) => MessageDescriptor;
    confirm: MessageDescriptor | ((item: Item) => MessageDescriptor);
    text: (item: Item, i18n: I18n) => ReactNode;
  };
  /** Whether there is no item afterwards: the list is shown then. */
  isRemoval?: boolean;
}

export interface AdminFilter {
  name: string;
  label: MessageDescriptor;
  none?: MessageDescriptor;
  choices: Readonly<Record<string, MessageDescriptor>>;
}

interface AdminTab<Item> {
  id: string;
  label: MessageDescriptor;
  has: (item: Item, caller: Pick<CurrentCaller, 'id'>) => boolean;
  isCounted?: boolean;
}

/** The tabs of a list, of which the first is chosen by default, and the search in it. */
export interface AdminFinder<Item> {
  tabs: readonly AdminTab<Item>[];
  searchLabel: MessageDescriptor;
  textOf: (item: Item) => string;
}

type ListPath = '/keys' | '/webhooks' | '/people' | '/scheduled-changes';
/** The path of a list whose rows lead to its panel or to a page. */
export type TablePath = ListPath | '/jobs' | '/imports';

export interface AdminTable<Item> {
  /** Under which all of it is kept by the page (the first part of query keys). */
  resource: string;
  labels: {
    title: MessageDescriptor;
    description?: MessageDescriptor;
    empty: MessageDescriptor;
  };
  defaultSort: string;
  useList: (sort: string, search: SearchParams) => Pages<Item>;
  titleOf: (item: Item, i18n: I18n) => string;
  name: {
    label: MessageDescriptor;
    sort?: string;
    link?: (item: Item) => ReactNode;
    /** Before the name and what is under it. */
    disc?: (item: Item) => ReactNode;
    /** Behind the name. */
    badge?: (item: Item) => ReactNode;
    more?: (item: Item) => ReactNode;
  };
  fields: readonly AdminField<Item>[];
  finder?: AdminFinder<Item>;
  filters?: readonly AdminFilter[];
  /** Filters of another kind, and the parameters of the URL that they have. */
  Filters?: ComponentType;
  parameters?: readonly string[];
  create?: {
    label: MessageDescriptor;
    icon: Icon;
    /** Rendered with the list, and open as long as the URL says so (`create=true`). */
    Dialog: ComponentType<{ isOpen: boolean; onClose: () => void }>;
    /** Whether it is a panel beside the list. */
    isPanel?: boolean;
  };
  /** Beside the button that creates an item. */
  MoreTools?: ComponentType;
  actions: readonly AdminAction<Item>[];
  /** Whether the rows of the list have the actions, as the details do. */
  hasRowActions?: boolean;
}

export interface AdminScreen<Item> extends AdminTable<Item> {
  path: ListPath;

  labels: AdminTable<Item>['labels'] & {
    one: MessageDescriptor;
  };
  // biome-ignore lint/suspicious/noExplicitAny: queries differ in the type of their keys, which nothing here reads.
  itemQuery: (id: string) => UseQueryOptions<Item, Error, Item, any>;
  MoreActions?: ComponentType<{ item: Item }>;
  Before?: ComponentType<{ item: Item }>;
  After?: ComponentType<{ item: Item }>;
  isWide?: boolean;
}
