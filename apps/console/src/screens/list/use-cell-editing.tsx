import { msg } from '@lingui/core/macro';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import type { ResourceName } from '../../contract/contracts.ts';
import type { ListStore } from '../../list/list-store.ts';
import { lazyComponent } from '../../page/lazy-components.ts';
import { useShortcuts } from '../../page/shortcuts.ts';
import type { DirectoryRecord } from '../../resources/record.ts';
import { activeCell, type EditedCell, fieldsOfCell } from './editable-cells.ts';

const CellEditor = lazyComponent(() => import('./cell-editor.tsx'), 'CellEditor');

/** The cell of a list that is being edited: its editor, and what opens it, if the caller may change the records. */
export function useCellEditing(resource: ResourceName, store: ListStore | undefined) {
  const [edited, setEdited] = useState<EditedCell>();
  const { can } = useRights();
  const mayEdit = can(`${resource}:write`);
  // The cell with the focus has the key itself; from elsewhere the key leads to it.
  const label = msg`Edit a cell of the list`;
  useShortcuts(mayEdit ? [{ keys: 'F2', label, group: 'list', run: () => activeCell()?.focus() }] : []);
  return {
    isReadOnly: !mayEdit,
    onEdit: (record: DirectoryRecord, column: string): boolean => {
      const fields = mayEdit ? fieldsOfCell(resource, column) : [];
      if (fields.length > 0) setEdited({ record, column, fields });
      return fields.length > 0;
    },
    editor: edited !== undefined && store !== undefined && (
      <CellEditor store={store} cell={edited} onClose={() => setEdited(undefined)} />
    ),
  };
}
