import { Popover } from '@base-ui/react/popover';
import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { fieldOf } from '../../../api/contract/contracts.ts';
import { classNames, popupClasses } from '../../../ui/button.tsx';
import { InPlaceForm } from '../../record/edit/in-place-form.tsx';
import { columnLabel } from '../list/columns.ts';
import { indexOf, type List } from '../list/use-list.ts';
import { activeCell, type EditedCell } from './editable-cells.ts';

const ANY_CONTROL = 'input, select, textarea, button';
/** The first control of the fields, before what says that there is a draft. */
const CONTROL = `[data-path] :is(${ANY_CONTROL})`;

interface CellEditorProps {
  list: List;
  cell: EditedCell;
  onReady: (control: HTMLElement) => void;
  onClose: () => void;
}

/**
 * The fields of a cell under edit, at the cell, with the controls and the rules of the form of its record: Enter saves, Escape leaves.
 * Its row shows what was saved at once.
 */
export function CellEditor({ list, cell, onReady, onClose }: CellEditorProps) {
  const { i18n } = useLingui();
  const { resource } = list.request;
  const { column, fields } = cell;
  const popup = useRef<HTMLDivElement>(null);
  // It may have left the list meanwhile.
  const record = list.rows[indexOf(list, cell.record.id)]?.record ?? cell.record;
  const isText = fields.every(
    (name) => !['list', 'records', 'map'].includes(fieldOf(resource, name)?.kind ?? ''),
  );
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={activeCell}
          align="start"
          sideOffset={2}
          collisionPadding={8}
          className="z-30 outline-none"
        >
          <Popover.Popup
            ref={popup}
            aria-label={columnLabel(i18n, resource, column)}
            initialFocus={() => popup.current?.querySelector<HTMLElement>(CONTROL) ?? true}
            finalFocus={activeCell}
            onFocus={({ target }) => {
              // Not before the event has gone its way: what was typed changes the control.
              if (target.matches(ANY_CONTROL)) queueMicrotask(() => onReady(target));
            }}
            className={classNames(
              'max-w-[calc(100vw-1rem)] scroll-pb-16 overflow-y-auto p-3 [&_.sticky]:bg-transparent',
              isText ? 'w-80' : 'w-[34rem]',
              popupClasses,
            )}
          >
            <InPlaceForm
              resource={resource}
              record={record}
              fields={fields}
              label={fields.length > 1 ? columnLabel(i18n, resource, column) : undefined}
              onClose={onClose}
              onSaved={(saved) => list.update(new Map([[saved.id, { ...record, ...saved }]]))}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
