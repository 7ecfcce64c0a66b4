import { createColors } from 'picocolors';

/** How prompts look: with the colours that are wanted, and not those that the library finds possible. */
export function themeFor(color: boolean) {
  const { bold, cyan, dim, green, red } = createColors(color);
  return {
    prefix: { idle: cyan('?'), done: green('✔') },
    style: {
      answer: cyan,
      message: bold,
      error: (text: string) => red(`> ${text}`),
      help: dim,
      highlight: cyan,
      key: cyan,
      description: dim,
      disabled: dim,
      keysHelpTip: () => undefined,
    },
  };
}
