import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import type { ErrorCode } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { type Rights, useRights } from '../../api/caller.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { type FormErrors, formErrors } from '../dialogs/form-errors.ts';
import { ChangedMeanwhileError, useGuardedUpdate } from '../forms/guarded-update.ts';

type Problems = Partial<Record<string, MessageDescriptor>>;

export interface ItemFieldsProps<Item, Draft> {
  item?: Item | undefined;
  draft: Draft;
  errors: FormErrors;
  onChange: (change: Partial<Draft>) => void;
}

interface EditForm<Item, Values extends object, Draft extends object> {
  resource: string;
  labels: {
    edit: (item: Item) => MessageDescriptor;
    clash: MessageDescriptor;
  };
  fields: readonly (keyof Values & string)[];
  /** The field that errors of a code belong to although they name none. */
  ofCodes?: Partial<Record<ErrorCode, string>>;
  draftOf: (item: Item) => Draft;
  valuesOf: (draft: Draft, item?: Item) => Values;
  check?: (draft: Draft) => Problems;
  Fields: ComponentType<ItemFieldsProps<Item, Draft>>;
  read: (id: string) => Promise<Item>;
  update: (id: string, patch: Partial<Values>) => Promise<unknown>;
}

interface ItemForms<Item, Values extends object, Draft extends object, Created>
  extends EditForm<Item, Values, Draft> {
  labels: EditForm<Item, Values, Draft>['labels'] & { create: MessageDescriptor; submit: MessageDescriptor };
  empty: (rights: Rights) => Draft;
  create: (draft: Draft) => Promise<Created>;
  /** Shown once for what was created, such as its secret. */
  Created: ComponentType<{ created: Created; onClose: () => void }>;
}

interface ItemDialogProps<Item, Values extends object, Draft extends object> {
  form: EditForm<Item, Values, Draft>;
  title: string;
  submitLabel: string;
  item?: Item;
  start: Draft;
  saving: { error: Error | null; isPending: boolean; mutate: (draft: Draft) => void };
  onClose: () => void;
}

function ItemDialog<Item, Values extends object, Draft extends object>(
  props: ItemDialogProps<Item, Values, Draft>,
) {
  const { form, title, submitLabel, item, saving, onClose } = props;
  const { t } = useLingui();
  const [first] = useState(props.start);
  const [draft, setDraft] = useState(first);
  const [problems, setProblems] = useState<Problems>({});
  const found = formErrors(saving.error, form.fields, form.ofCodes);
  const isClash = saving.error instanceof ChangedMeanwhileError;
  const errors: FormErrors = {
    ...found,
    at: (pointer) => {
      const problem = problems[pointer];
      return problem === undefined ? found.at(pointer) : t(problem);
    },
    rest: isClash ? t(form.labels.clash) : found.rest,
  };
  const submit = () => {
    const wrong = form.check?.(draft) ?? {};
    setProblems(wrong);
    if (Object.keys(wrong).length === 0) saving.mutate(draft);
  };
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      width="medium"
      isDirty={draft !== first}
      isPending={saving.isPending}
      error={saving.error}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <form.Fields
        item={item}
        draft={draft}
        errors={errors}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
    </FormDialog>
  );
}

function useReadAgain(resource: string) {
  const client = useQueryClient();
  return () => {
    // People who change their own rights see the page with the new ones.
    for (const key of [resource, 'sessions']) void client.invalidateQueries({ queryKey: [key] });
  };
}

export function editDialog<Item extends { id: string }, Values extends object, Draft extends object>(
  form: EditForm<Item, Values, Draft>,
) {
  const { resource, labels } = form;
  function EditDialog({ item, onClose }: { item: Item; onClose: () => void }) {
    const { t } = useLingui();
    const readAgain = useReadAgain(resource);
    const [opened] = useState(item);
    const valuesOf = (one: Item) => form.valuesOf(form.draftOf(one), one);
    const update = useGuardedUpdate({
      before: valuesOf(opened),
      read: () => form.read(opened.id).then(valuesOf),
      write: (patch) => form.update(opened.id, patch),
      onSuccess: () => {
        readAgain();
        onClose();
      },
    });
    const saving = { ...update, mutate: (draft: Draft) => update.mutate(form.valuesOf(draft, opened)) };
    return (
      <ItemDialog
        form={form}
        title={t(labels.edit(opened))}
        submitLabel={t`Save`}
        item={opened}
        start={form.draftOf(opened)}
        saving={saving}
        onClose={onClose}
      />
    );
  }
  return EditDialog;
}

export function itemForms<Item extends { id: string }, Values extends object, Draft extends object, Created>(
  form: ItemForms<Item, Values, Draft, Created>,
) {
  const { resource, labels, Created: CreatedDialog } = form;
  function NewDialog({ onCreated, onClose }: { onCreated: (created: Created) => void; onClose: () => void }) {
    const { t } = useLingui();
    const readAgain = useReadAgain(resource);
    const start = form.empty(useRights());
    const onSuccess = (created: Created) => {
      readAgain();
      onCreated(created);
    };
    const saving = useMutation({ mutationFn: form.create, onSuccess });
    return (
      <ItemDialog
        form={form}
        title={t(labels.create)}
        submitLabel={t(labels.submit)}
        start={start}
        saving={saving}
        onClose={onClose}
      />
    );
  }
  function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
    const [created, setCreated] = useState<Created>();
    const onCreated = (made: Created) => {
      onClose();
      setCreated(made);
    };
    return (
      <>
        {isOpen && <NewDialog onClose={onClose} onCreated={onCreated} />}
        {created !== undefined && <CreatedDialog created={created} onClose={() => setCreated(undefined)} />}
      </>
    );
  }
  return { CreateDialog, EditDialog: editDialog(form) };
}
