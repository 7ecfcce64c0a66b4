import { type UploadInput, uploadImport } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { observedFetch } from '../../api/connection.ts';
import { changeDraft, type Draft, draftStore, type FilePreview, previewQuery } from './draft.ts';
import { keepMapping } from './kept-mappings.ts';
import { BY_OFFICE, phoneCountryOf } from './phone-country-field.tsx';

interface Previewed {
  draft: Draft;
  preview: FilePreview;
}

/** The input that sends a draft to be checked, with what each column is taken for. */
function uploadInput({ draft, preview }: Previewed) {
  const { name, options, mapping, emptyCells, sourceName, keyColumn } = draft;
  const isCsv = preview.format === 'csv';
  const { resource, format, delimiter, columns } = preview;
  const dates = columns.flatMap((column) =>
    column.dates === null ? [] : [[column.name, column.dates] as const],
  );
  return {
    resource,
    mode: 'check',
    name,
    format,
    // Not what was found out by the beginning: the rest of the file may have another encoding.
    encoding: options.encoding,
    delimiter,
    mapping: {
      columns: Object.fromEntries(columns.map((column) => [column.name, column.field ?? ''])),
      values: mapping.values,
      dates: Object.fromEntries(dates),
      ...(isCsv && { emptyCells: mapping.emptyCells }),
      // Not what was found out by the beginning: later rows may be of offices in other countries.
      ...(mapping.phoneCountry &&
        mapping.phoneCountry !== BY_OFFICE && { phoneCountry: mapping.phoneCountry }),
    },
    ...(isCsv && { emptyCells }),
    ...(sourceName.trim() !== '' && { sourceName: sourceName.trim() }),
    ...(keyColumn !== '' && { keyColumn }),
  } satisfies UploadInput;
}

/** Whether nothing is left to decide before a draft can be checked. */
export function isReadyToCheck({ draft, preview }: Previewed): boolean {
  const { columns, problems, phones, encodingDoubt } = preview;
  const isCountryOpen = phones !== null && phoneCountryOf(draft, phones) === undefined;
  const isDateOpen = columns.some(({ dateDoubt }) => dateDoubt !== null);
  return problems.length === 0 && !isCountryOpen && !isDateOpen && encodingDoubt === null;
}

/** Sends the draft to the service, which checks it, and shows its import; its columns, if something about them is left to decide. */
export function useCheck() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const controller = useRef<AbortController>(undefined);
  const check = useMutation({
    mutationFn: async () => {
      const draft = draftStore.get();
      if (draft === undefined) return undefined;
      const preview = await client.fetchQuery(previewQuery(draft));
      if (!isReadyToCheck({ draft, preview })) return undefined;
      const input = uploadInput({ draft, preview });
      const { mapping, emptyCells, sourceName, keyColumn, keptAs } = draft;
      keepMapping({
        resource: preview.resource,
        columns: preview.columns.map(({ name }) => name),
        keptAs: keptAs.trim(),
        mapping: { ...mapping, ...input.mapping },
        emptyCells,
        sourceName,
        keyColumn,
      });
      controller.current = new AbortController();
      return uploadImport(input, draft.file, {
        url: window.location.origin,
        fetch: observedFetch,
        signal: controller.current.signal,
      });
    },
    onSuccess: (sent) => {
      if (sent === undefined) return navigate({ to: '/imports/new' });
      client.setQueryData(['imports', 'get', { id: sent.id }], sent);
      void client.invalidateQueries({ queryKey: ['imports', 'list'] });
      changeDraft(() => ({ importId: sent.id, isChanged: false }));
      return navigate({ to: '/imports/$id', params: { id: sent.id } });
    },
  });
  return { check, stop: () => controller.current?.abort() };
}
