import { addRows } from '../journal.ts';
import type { ImportDocument, Inspection, ReadOptions, SurveyedColumn } from '../types.ts';
import { inspect, survey } from './inspect.ts';
import { type Prepared, prepare } from './prepare.ts';

/** What the worker does, by name: what it takes and what it answers. */
export interface Tasks {
  inspect: { input: { file: Blob; fileName: string; options: Partial<ReadOptions> }; output: Inspection };
  survey: { input: { file: Blob; described: Described }; output: SurveyedColumn[] };
  prepare: { input: { file: Blob; described: Described }; output: Prepared };
}

type Described = Pick<ImportDocument, 'id' | 'resource' | 'inspection' | 'mapping'>;

/** A task for the worker. */
export type Request = { [Name in keyof Tasks]: { task: Name } & Tasks[Name]['input'] }[keyof Tasks];

/** What the worker says: how many rows it has read, what came of the task, or why nothing did. */
export type Reply = { progress: number } | { output: unknown } | { error: string };

const reply = (message: Reply) => self.postMessage(message);

function run(request: Request): Promise<unknown> {
  switch (request.task) {
    case 'inspect':
      return inspect(request.file, request.fileName, request.options);
    case 'survey':
      return survey(request.file, request.described);
    case 'prepare':
      return prepare(request.file, request.described, {
        add: addRows,
        progress: (progress) => reply({ progress }),
      });
  }
}

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  run(data).then(
    (output) => reply({ output }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }),
  );
});
