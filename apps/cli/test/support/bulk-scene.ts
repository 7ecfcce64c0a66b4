import { runCli } from './run-cli.ts';
import { useTestService } from './test-service.ts';

/** A service for the tests of a file, and what they do with its agents at once. */
export function useBulkScene() {
  const { url, key, client } = useTestService();
  let count = 0;
  return {
    url,
    key,
    client,
    /** An office with three agents; resolves to its id. */
    async newOffice(): Promise<string> {
      count += 1;
      const { offices, agents } = client();
      const { id } = await offices.create.mutate({ name: `Office ${count}` });
      for (const firstName of ['Ana', 'Eva', 'Rui'])
        await agents.create.mutate({ firstName, lastName: 'Sado', officeId: id });
      return id;
    },
    run: (argv: string[]) => runCli(['agents', 'bulk', ...argv], { url: url(), key: key() }),
    /** The same on a terminal, on which a person types an answer. */
    runTyping: (response: string, argv: string[]) =>
      runCli(['agents', 'bulk', ...argv], {
        url: url(),
        key: key(),
        output: 'terminal',
        input: `${response}\n`,
      }),
    titles: async (officeId: string) =>
      (await client().agents.list.query({ officeId })).items.map(({ title }) => title),
  };
}
