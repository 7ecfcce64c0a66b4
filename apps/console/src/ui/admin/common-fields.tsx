import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { OfficeNames } from '../record-name.tsx';
import { ExactTime, RelativeTime } from '../time.tsx';
import type { AdminField } from './definition.ts';

const muted = (value: ReactNode): ReactNode => <span className="text-muted">{value}</span>;
const exact = (time: string | null): ReactNode => time && <ExactTime time={time} />;
const relative = (time: string): ReactNode => <RelativeTime time={time} />;

interface Created {
  createdAt: string;
  createdBy: { name: string | null } | null;
}

export const createdAt = (
  label: MessageDescriptor = msg({ message: 'Created', context: 'time' }),
): AdminField<Created> => ({
  id: 'createdAt',
  label,
  sort: 'createdAt',
  column: 'widest',
  value: (item) => exact(item.createdAt),
  cell: (item) => muted(relative(item.createdAt)),
});

export const createdBy = (label = msg`Created by`): AdminField<Created> => ({
  id: 'createdBy',
  label,
  column: 'widest',
  value: (item) => item.createdBy?.name,
  cell: (item) => item.createdBy?.name && muted(item.createdBy.name),
});

export const updatedAt: AdminField<{ updatedAt: string }> = {
  id: 'updatedAt',
  label: msg({ message: 'Changed', context: 'time' }),
  value: (item) => exact(item.updatedAt),
};

export const offices: AdminField<{ officeIds: string[] | null }> = {
  id: 'offices',
  label: msg`Offices`,
  column: 'wide',
  value: ({ officeIds }) => <OfficeNames ids={officeIds} max={100} />,
  cell: ({ officeIds }) => muted(<OfficeNames ids={officeIds} max={1} />),
};
