import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { contracts } from '../../../api/contract/contracts.ts';
import { Search } from '../../../icons.tsx';
import { GripVertical } from '../../../more-icons.tsx';
import { columnsOf, defaultColumnsOf } from '../../../resources/index.ts';
import { Button, classNames } from '../../../ui/button.tsx';
import { folded } from '../../../ui/folded.ts';
import { columnLabel } from '../list/columns.ts';
import type { ListView } from '../list/list-view.ts';

const optionClasses = 'flex h-8 items-center gap-2 rounded-sm px-2 max-sm:h-11';

/** The columns of a list: which are shown, and in which order. Every change holds at once. */
export function ColumnsPopover({ view }: { view: ListView }) {
  const { t, i18n } = useLingui();
  const { resource, columns } = view;
  const [text, setText] = useState('');
  const [dragged, setDragged] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const fixed = contracts[resource].nameField;
  const labelOf = (name: string) => columnLabel(i18n, resource, name);
  const isFound = (name: string) => folded(labelOf(name)).includes(folded(text.trim()));
  const others = columnsOf(resource).filter((name) => !columns.includes(name) && isFound(name));
  const set = (names: string[]) => view.setColumns(names);
  const move = (name: string, to: number) => {
    const rest = columns.filter((one) => one !== name);
    // The column of the name opens the record, and stays the first.
    const at = Math.max(1, Math.min(to, rest.length));
    if (rest.toSpliced(at, 0, name).join() !== columns.join()) set(rest.toSpliced(at, 0, name));
  };
  const onKeyDown = (event: KeyboardEvent, name: string) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    move(name, columns.indexOf(name) + by);
  };
  const onPointerMove = ({ clientY }: PointerEvent, name: string) => {
    if (dragged !== name) return;
    const rows = [...(list.current?.children ?? [])];
    const at = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom);
    move(name, at < 0 ? rows.length : at);
  };
  const switchOf = (name: string, isShown: boolean) => (
    <>
      <span className="min-w-0 grow truncate">{labelOf(name)}</span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isShown}
        aria-label={labelOf(name)}
        checked={isShown}
        disabled={name === fixed}
        onChange={() => set(isShown ? columns.filter((one) => one !== name) : [...columns, name])}
      />
    </>
  );
  return (
    <>
      <div className="relative p-2 pb-1">
        <Search aria-hidden className="pointer-events-none absolute start-4.5 top-4 size-4 text-muted" />
        <input
          type="search"
          aria-label={t`Search columns`}
          placeholder={t`Search columns`}
          className="h-8 w-full rounded-sm border border-control bg-surface ps-8 pe-2 text-base focus-visible:border-accent focus-visible:-outline-offset-1 sm:text-sm"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <div className="min-h-0 overflow-y-auto">
        <h2 className="px-3 pt-2 pb-1 font-medium text-muted text-xs">{t`Shown`}</h2>
        <ul ref={list} aria-label={t`Shown`} className="px-1 pb-1">
          {columns.filter(isFound).map((name) => (
            <li
              key={name}
              className={classNames(
                optionClasses,
                'hover:bg-hover',
                dragged === name && 'bg-raised shadow-md',
              )}
            >
              {name === fixed || text !== '' ? (
                <span className="-ms-1 w-3.5" />
              ) : (
                <button
                  type="button"
                  aria-label={t`Move ${labelOf(name)}: arrow up or down`}
                  className="-my-1 -ms-2 -me-1.5 grid size-6 cursor-grab touch-none place-items-center text-muted"
                  onKeyDown={(event) => onKeyDown(event, name)}
                  onPointerDown={(event) => {
                    event.currentTarget.setPointerCapture(event.pointerId);
                    setDragged(name);
                  }}
                  onPointerMove={(event) => onPointerMove(event, name)}
                  onPointerUp={() => setDragged(undefined)}
                >
                  <GripVertical aria-hidden className="size-3.5" />
                </button>
              )}
              {switchOf(name, true)}
            </li>
          ))}
        </ul>
        {others.length > 0 && (
          <>
            <div className="my-1 h-px bg-line-soft" />
            <h2 className="px-3 pt-2 pb-1 font-medium text-muted text-xs">{t`More columns`}</h2>
            <ul aria-label={t`More columns`} className="px-1 pb-1">
              {others.map((name) => (
                <li key={name} className={classNames(optionClasses, 'hover:bg-hover')}>
                  <span className="-ms-1 w-3.5" />
                  {switchOf(name, false)}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div className="flex justify-end px-2 pt-1 pb-2">
        <Button
          look="quiet"
          size="small"
          onClick={() => view.setColumns([...defaultColumnsOf(resource)], {})}
        >
          <Trans>Reset</Trans>
        </Button>
      </div>
    </>
  );
}
