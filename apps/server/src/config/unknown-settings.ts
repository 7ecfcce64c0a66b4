import { closest } from 'fastest-levenshtein';

/** Variables of the same family that others read: the command line, and our own tests. */
const ofOthers = /^ROSTER_(KEY|URL|PROFILE|BROWSER|TEST_\w+)$/;

/**
 * What Kubernetes puts into every container about a Service whose name begins with `roster`, as Docker did before it:
 * `ROSTER_SERVICE_HOST`, `ROSTER_PORT_3000_TCP_ADDR` and so on. Nobody set them, so nobody can be told to take them away.
 */
const ofServiceLinks = /^ROSTER_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/;

/** Of the same kind, but told from a mistaken setting by its value alone: `ROSTER_PORT=tcp://10.0.0.1:3000`. */
function isServiceLink(name: string, value: string): boolean {
  return ofServiceLinks.test(name) || (/_PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value));
}

/**
 * What is wrong with the names of variables: one that begins with `ROSTER_` and is no setting is a mistake, and would
 * otherwise be ignored without a word. Each fault names the setting that is nearest.
 *
 * @param given the variables that are set
 * @param settings the names of all settings
 */
export function unknownSettings(given: Record<string, string | undefined>, settings: string[]): string[] {
  return Object.entries(given)
    .filter(([name]) => name.startsWith('ROSTER_') && !settings.includes(name) && !ofOthers.test(name))
    .filter(([name, value = '']) => !isServiceLink(name, value))
    .map(([name]) => `${name}: there is no such setting; the nearest is ${closest(name, settings)}`);
}
