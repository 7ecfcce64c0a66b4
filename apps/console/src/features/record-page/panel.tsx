import type { ReactNode } from 'react';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { PANEL_TITLE, SidePanel } from '../../ui/side-panel.tsx';

interface PanelProps {
  resource: ResourceName;
  title: ReactNode;
  summary?: ReactNode;
  actions?: ReactNode;
  tabs?: ReactNode;
  children: ReactNode;
}

/** The frame of a record beside its list. Its tabs name the window; the focus stays in the list, if there is room beside it. */
export function Panel({ resource, title, ...parts }: PanelProps) {
  return (
    <SidePanel
      list={{ to: `/${resource}`, search: true }}
      heading={
        <h2
          id={PANEL_TITLE}
          tabIndex={-1}
          className="break-words font-semibold text-xl tracking-[-0.01em] outline-none"
        >
          {title}
        </h2>
      }
      width="lg:w-[480px]"
      {...parts}
    />
  );
}
