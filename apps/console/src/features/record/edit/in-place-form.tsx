import { Trans, useLingui } from '@lingui/react/macro';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { pathLabel } from '../../fields/field-labels.ts';
import { FormFields } from './form-fields.tsx';
import { RecordFormFrame } from './record-form.tsx';
import { useRecordForm } from './use-record-form.ts';

interface InPlaceFormProps {
  resource: ResourceName;
  record: DirectoryRecord;
  fields: readonly string[];
  label: string | undefined;
  onClose: () => void;
  onSaved?: (saved: DirectoryRecord) => void;
}

/** One field or one group of a record under edit, in the place where it is read. It saves its own fields alone. */
export function InPlaceForm({ resource, record, fields, label, onClose, onSaved }: InPlaceFormProps) {
  const { t, i18n } = useLingui();
  const form = useRecordForm({
    resource,
    record,
    fields,
    onSaved: (saved) => {
      onSaved?.(saved);
      onClose();
    },
  });
  const name = label ?? pathLabel(i18n, resource, fields[0] ?? '');
  return (
    <RecordFormFrame
      resource={resource}
      record={record}
      form={form}
      label={t`Edit: ${name}`}
      saveLabel={<Trans>Save</Trans>}
      onClose={onClose}
    >
      <FormFields resource={resource} form={form} names={fields} isFocused />
    </RecordFormFrame>
  );
}
