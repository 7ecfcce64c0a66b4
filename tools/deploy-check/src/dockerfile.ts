import {
  DockerfileParser,
  type Instruction,
  type ModifiableInstruction,
  type PropertyInstruction,
} from 'dockerfile-ast';

/** One line of a Dockerfile, as its keyword means it. */
type Step =
  | { keyword: 'RUN'; line: string; caches: string[] }
  | { keyword: 'COPY'; from: string | undefined; sources: string[]; target: string }
  | { keyword: 'ENV' | 'LABEL'; values: Record<string, string> }
  | { keyword: 'WORKDIR' | 'USER' | 'STOPSIGNAL' | 'EXPOSE'; value: string }
  | { keyword: 'ENTRYPOINT' | 'HEALTHCHECK'; command: string[] };

export interface Stage {
  /** The image it begins with. */
  base: string;
  name: string | undefined;
  steps: Step[];
}

/**
 * The stages of a Dockerfile.
 *
 * @throws Error at what is not tried here: a keyword that is not known would be one that nothing has run
 */
export function stagesOf(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const words = instruction.getArguments().map(String);
    if (instruction.getKeyword() === 'FROM') {
      const [base = '', , name] = words;
      stages.push({ base, name, steps: [] });
    } else {
      stages.at(-1)?.steps.push(stepOf(instruction, words));
    }
  }
  return stages;
}

function stepOf(instruction: Instruction, words: string[]): Step {
  const keyword = instruction.getKeyword();
  const content = instruction.getArgumentsContent() ?? '';
  switch (keyword) {
    case 'RUN':
      return { keyword, line: content, caches: cachesOf(onlyFlags(instruction, ['mount']).mount) };
    case 'COPY': {
      const { from } = onlyFlags(instruction, ['from']);
      return { keyword, from, sources: words.slice(0, -1), target: words.at(-1) ?? '' };
    }
    case 'ENV':
    case 'LABEL':
      return { keyword, values: valuesOf(instruction as PropertyInstruction) };
    case 'WORKDIR':
    case 'USER':
    case 'STOPSIGNAL':
    case 'EXPOSE':
      return { keyword, value: content };
    case 'ENTRYPOINT':
      return { keyword, command: JSON.parse(content) };
    case 'HEALTHCHECK':
      return { keyword, command: JSON.parse(content.replace(/^CMD\s+/, '')) };
    default:
      throw new Error(`Nothing here runs ${keyword}: ${content}`);
  }
}

/** The directories that one build leaves for the next: `type=cache,target=…`. */
function cachesOf(mount: string | undefined): string[] {
  if (mount === undefined) return [];
  const [, target] = /^type=cache,target=([^,]+)$/.exec(mount) ?? [];
  if (target === undefined) throw new Error(`Nothing here mounts ${mount}.`);
  return [target];
}

function onlyFlags(instruction: Instruction, known: string[]): Record<string, string | undefined> {
  const flags = (instruction as ModifiableInstruction).getFlags();
  const found = Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? undefined]));
  const foreign = Object.keys(found).filter((name) => !known.includes(name));
  if (foreign.length > 0) throw new Error(`Nothing here knows --${foreign.join(', --')} of a Dockerfile.`);
  return found;
}

function valuesOf(instruction: PropertyInstruction): Record<string, string> {
  const properties = instruction.getProperties();
  return Object.fromEntries(properties.map((property) => [property.getName(), property.getValue() ?? '']));
}
