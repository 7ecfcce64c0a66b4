/** Pages whose `sh` blocks documents.slow.test.ts runs, in this order, in one shell beside one service. */
export const executedPages: readonly string[] = [
  'README.md',
  'docs/tutorial.md',
  'docs/README.md',
  'docs/how-to/api.md',
  'docs/how-to/command-line.md',
  'docs/how-to/import-and-export.md',
  'docs/concepts/lists-and-search.md',
  'docs/concepts/where-agents-work.md',
  'docs/concepts/imports.md',
  'docs/concepts/records-and-states.md',
  'docs/concepts/events-and-webhooks.md',
  'docs/concepts/versions-and-history.md',
  'docs/operations/run.md',
];

/** What runs the other blocks of commands, by the language of the block and its page. */
export const otherRunners: readonly { info: RegExp; page: RegExp; runner: string }[] = [
  { info: /^sh service$/, page: /^README\.md$/, runner: 'scripts/test/documents.slow.test.ts' },
  {
    info: /^sh$/,
    page: /^docs\/contributing\//,
    runner: 'scripts/test/recipes.slow.test.ts',
  },
  { info: /^sh( application)?$/, page: /^packages\/client\//, runner: 'scripts/test/pack.slow.test.ts' },
  { info: /^sh packed$/, page: /^docs\/how-to\/command-line\.md$/, runner: 'scripts/test/pack.slow.test.ts' },
  {
    info: /^sh (build|check|deployment|secrets|server)$/,
    page: /^docs\/operations\//,
    runner: 'tools/deploy-check/src/pages.test.ts',
  },
  { info: /^sh engine$/, page: /^docs\/operations\//, runner: '.github/workflows/ci.yml' },
];
