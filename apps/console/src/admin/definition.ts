import type { I18n, MessageDescriptor } from '@lingui/core';
import type { UseQueryOptions } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { Rights } from '../api/caller.ts';
import type { Pages } from '../api/use-pages.ts';
import type { Column } from '../components/paged-table.tsx';
import type { SearchParams } from '../page/search-params.ts';

/** A field of an item: a column of the list, a line of its details, or both. */
export interface AdminField<Item> {
  id: string;
  label: MessageDescriptor;
  /** Its value in the details, and in the list unless `cell` is given; null or undefined for none. */
  value?: (item: Item, i18n: I18n) => ReactNode;
  /** A shorter value for the list. Without `value` the field is in the list alone. */
  cell?: (item: Item, i18n: I18n) => ReactNode;
  /** From which width on the list has the field; never unless given. */
  column?: NonNullable<Column<Item>['width']>;
  /** The name of the sort by it in the API. */
  sort?: string;
  /** Whether the details of an item leave it out. */
  isHidden?: (item: Item) => boolean;
}

/** An action on one item. */
export interface AdminAction<Item> {
  id: string;
  label: MessageDescriptor | ((item: Item) => MessageDescriptor);
  icon?: (item: Item) => ReactNode;
  /** Whether it is offered for an item; always unless given. */
  isOffered?: (item: Item, rights: Rights) => boolean;
  /** Whether it takes something away. */
  isDanger?: boolean;
  /** Whether it stands in the menu "More" and not as a button. */
  isInMenu?: boolean;
  /** A dialog of its own that does it. */
  Dialog?: ComponentType<{ item: Item; onClose: () => void }>;
  /** Does it. All that is shown of the resource is read again afterwards. */
  run?: (item: Item) => Promise<unknown>;
  /** The question before it is done. */
  question?: {
    title: (item: Item) => MessageDescriptor;
    /** The verb itself, for the button that does it. */
    confirm: MessageDescriptor;
    /** The consequences, and whether they can be undone. */
    text: (item: Item, i18n: I18n) => ReactNode;
  };
  /** Whether there is no item afterwards: the list is shown then. */
  isRemoval?: boolean;
}

/** A filter of the list: one of a few values, in the URL by its name in the API. */
export interface AdminFilter {
  name: string;
  label: MessageDescriptor;
  /** The choice of no value; "All" unless given. */
  none?: MessageDescriptor;
  choices: Readonly<Record<string, MessageDescriptor>>;
}

/** The address of a list whose items have details. */
export type ListPath = '/keys' | '/webhooks' | '/people' | '/scheduled-changes';

/** A list of what is administered, with the actions on an item in its row. */
export interface AdminTable<Item> {
  /** Under which all of it is kept by the page (the first part of query keys). */
  resource: string;
  labels: {
    title: MessageDescriptor;
    /** Under the title: what the list is for. */
    description: MessageDescriptor;
    /** In place of rows that there are none of. */
    empty: MessageDescriptor;
  };
  defaultSort: string;
  /** Reads the list; `sort` is that of the URL, or the default. */
  useList: (sort: string, search: SearchParams) => Pages<Item>;
  titleOf: (item: Item, i18n: I18n) => string;
  /** The first column, which leads to the details if there are any: the title unless `link` is given, and under it what `more` says. */
  name: {
    label: MessageDescriptor;
    sort?: string;
    link?: (item: Item) => ReactNode;
    more?: (item: Item) => ReactNode;
  };
  fields: readonly AdminField<Item>[];
  filters?: readonly AdminFilter[];
  /** Filters of another kind, and the parameters of the URL that they have. */
  Filters?: ComponentType;
  parameters?: readonly string[];
  create?: {
    label: MessageDescriptor;
    icon: LucideIcon;
    /** Rendered with the list, and open as long as the URL says so (`create=true`). */
    Dialog: ComponentType<{ isOpen: boolean; onClose: () => void }>;
  };
  actions: readonly AdminAction<Item>[];
}

/** A list of what is administered, with one item of it beside the list. */
export interface AdminScreen<Item> extends AdminTable<Item> {
  path: ListPath;
  labels: AdminTable<Item>['labels'] & {
    /** The title of the details until the item is there. */
    one: MessageDescriptor;
  };
  /** The query that reads one item. */
  // biome-ignore lint/suspicious/noExplicitAny: queries differ in the type of their keys, which nothing here reads.
  itemQuery: (id: string) => UseQueryOptions<Item, Error, Item, any>;
  /** Controls beside the actions, such as a link. */
  MoreActions?: ComponentType<{ item: Item }>;
  /** Above the details of an item, and below them. */
  Before?: ComponentType<{ item: Item }>;
  After?: ComponentType<{ item: Item }>;
  /** Whether the details need more width. */
  isWide?: boolean;
}
