import { Trans, useLingui } from '@lingui/react/macro';
import { isOneLine, kindAt, type ResourceName } from '../../../api/contract/contracts.ts';
import { type DirectoryRecord, isEmpty } from '../../../resources/record.ts';
import { fieldLabel } from '../../fields/field-labels.ts';
import { ValueLinks } from '../record-context.ts';
import { FieldValue } from '../values.tsx';
import { FormFields } from './form-fields.tsx';
import { RecordFormFrame } from './record-form.tsx';
import { type RecordForm, useRecordForm } from './use-record-form.ts';

interface InPlaceFormProps {
  resource: ResourceName;
  record: DirectoryRecord;
  fields: readonly string[];
  label: string | undefined;
  onClose: () => void;
  onSaved?: (saved: DirectoryRecord) => void;
}

/** The value that a change of one field replaces, unless a question says it. */
function Before({
  resource,
  record,
  name,
  form,
}: { name: string; form: RecordForm } & Pick<InPlaceFormProps, 'resource' | 'record'>) {
  const value = record[name];
  if (!form.changed.includes(name) || isEmpty(value) || form.conflictAt(name) !== undefined) return null;
  return (
    <ValueLinks value={false}>
      <Trans>
        Was <FieldValue resource={resource} path={name} value={value} />
      </Trans>
    </ValueLinks>
  );
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
  const [first = ''] = fields;
  const name = label ?? fieldLabel(i18n, resource, first);
  const isLine = fields.length === 1 && isOneLine(kindAt(resource, first));
  return (
    <RecordFormFrame
      resource={resource}
      record={record}
      form={form}
      label={t`Edit: ${name}`}
      saveLabel={<Trans>Save</Trans>}
      note={isLine ? <Before resource={resource} record={record} name={first} form={form} /> : undefined}
      onClose={onClose}
    >
      <FormFields resource={resource} form={form} names={fields} isFocused />
    </RecordFormFrame>
  );
}
