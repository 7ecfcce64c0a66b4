import { closest } from 'fastest-levenshtein';

/** Variables with the same prefix that the command line and the tests read. */
const otherVariables = /^ROSTER_(KEY|URL|PROFILE|BROWSER|TEST_\w+)$/;

/**
 * Variables that Kubernetes, like Docker links, sets in every container for a Service whose name begins with `roster`:
 * `ROSTER_SERVICE_HOST`, `ROSTER_PORT_3000_TCP_ADDR`. No operator set them, so they are no mistake.
 */
const serviceLinks = /^ROSTER_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/;

/** Whether Kubernetes set the variable; `ROSTER_PORT=tcp://10.0.0.1:3000` is recognised by its value. */
function isServiceLink(name: string, value: string): boolean {
  return serviceLinks.test(name) || (/_PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value));
}

/**
 * Finds variables that begin with `ROSTER_` and are no settings: a misspelt name would otherwise be ignored.
 *
 * @param given the variables that are set
 * @param settings the names of all settings
 * @returns a message for each, with the nearest setting
 */
export function unknownSettings(given: Record<string, string | undefined>, settings: string[]): string[] {
  return Object.entries(given)
    .filter(([name]) => name.startsWith('ROSTER_') && !settings.includes(name) && !otherVariables.test(name))
    .filter(([name, value = '']) => !isServiceLink(name, value))
    .map(([name]) => `${name}: there is no such setting; the nearest is ${closest(name, settings)}`);
}
