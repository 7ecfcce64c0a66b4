'use no memo';

import { useLingui } from '@lingui/react/macro';
import { shownPath } from '@roster/import/people';
import { useEffect, useRef, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { useIsUsed } from '../../../ui/browser/first-use.ts';
import { lazyComponent } from '../../../ui/browser/lazy-components.ts';
import { notify } from '../../../ui/notices.tsx';
import { type HeldKeys, holdKeys } from '../../../ui/popups/held-keys.ts';
import type { List } from '../list/use-list.ts';
import { type EditedCell, fieldsOfCell } from './editable-cells.ts';

const CellEditor = lazyComponent(() => import('./cell-editor.tsx'), 'CellEditor');

export function useCellEditing(resource: ResourceName, list: List | undefined) {
  const { t } = useLingui();
  const [edited, setEdited] = useState<EditedCell>();
  const held = useRef<HeldKeys>(undefined);
  const { can } = useRights();
  const mayEdit = can(`${resource}:write`);
  const isPreloaded = useIsUsed() && mayEdit && list !== undefined;
  useEffect(() => {
    if (isPreloaded) void CellEditor.preload();
  }, [isPreloaded]);
  useEffect(() => () => held.current?.end(), []);
  const edit = (cell: EditedCell) => {
    setEdited(cell);
    held.current?.end();
    held.current = holdKeys({
      onGiveUp: (isLate) => {
        setEdited(undefined);
        if (isLate) notify({ text: t`Couldn't open the cell. Try again.`, tone: 'danger' });
      },
    });
  };
  return {
    isReadOnly: !mayEdit,
    onReach: () => {
      if (mayEdit) void CellEditor.preload();
    },
    onEdit: (record: DirectoryRecord, column: string): boolean => {
      // The place of an office has no field of the agent: the cell then edits the agent's own address.
      const paths = mayEdit ? [shownPath(record, column), column] : [];
      const fields =
        paths.map((path) => fieldsOfCell(resource, path)).find((names) => names.length > 0) ?? [];
      if (fields.length > 0) edit({ record, column, fields });
      return fields.length > 0;
    },
    editor: edited !== undefined && list !== undefined && (
      <CellEditor
        list={list}
        cell={edited}
        onReady={(control) => held.current?.giveTo(control)}
        onClose={() => {
          held.current?.end();
          setEdited(undefined);
        }}
      />
    ),
  };
}
