import { roster } from '../../../api/client.ts';
import { orderedResources, type ResourceName } from '../../../api/contract/contracts.ts';

const texts = import.meta.glob<string>('../../../../../../samples/*.csv', {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** The day on which the days in the files are as they are meant: licences that have expired, or soon will. */
const WRITTEN_ON = Date.UTC(2026, 10, 25);
const DAY_MS = 86_400_000;
const PAUSE_MS = 250;

/** Moves all days of a file by the time since it was written, so that a licence expires as soon as it did then. */
function moveDays(text: string): string {
  const days = Math.floor((Date.now() - WRITTEN_ON) / DAY_MS);
  return text.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, (day) =>
    new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10),
  );
}

async function importFile(resource: ResourceName, content: string): Promise<void> {
  const name = `${resource}.csv`;
  let found = await roster.imports.upload.mutate({ resource, name, mode: 'write', content });
  while (found.finishedAt === null) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    found = await roster.imports.get.query({ id: found.id });
  }
  if (found.step !== 'write' || found.status !== 'completed')
    throw new Error(
      `The import of the samples (${name}) ended as ${found.status} after the step ${found.step}.`,
    );
}

/**
 * Imports the samples: offices, their agents, and teams, each by an import that is listed and can be undone. What is there already
 * stays. Rejects with a `RosterError`, or with an `Error` if an import has not written its file.
 */
export async function loadSamples(): Promise<void> {
  for (const resource of orderedResources) {
    const found = Object.entries(texts).find(([path]) => path.endsWith(`/${resource}.csv`));
    if (found === undefined) throw new Error(`This build of the console has no samples of ${resource}.`);
    await importFile(resource, moveDays(found[1]));
  }
}
