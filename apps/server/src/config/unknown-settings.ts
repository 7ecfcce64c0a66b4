import { closest, distance } from 'fastest-levenshtein';

const otherVariables = /^ROSTER_(KEY|URL|PROFILE|BROWSER|TEST_\w+)$/;

/** Kubernetes sets these in every container for a Service whose name begins with `roster`. */
const serviceLinks = /^ROSTER_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/;

/** `ROSTER_PORT=tcp://10.0.0.1:3000` is recognised by its value. */
function isServiceLink(name: string, value: string): boolean {
  return serviceLinks.test(name) || (/_PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value));
}

/** A misspelt name would otherwise be ignored. */
export function unknownSettings(given: Record<string, string | undefined>, settings: string[]): string[] {
  return Object.entries(given)
    .filter(([name]) => name.startsWith('ROSTER_') && !settings.includes(name) && !otherVariables.test(name))
    .filter(([name, value = '']) => !isServiceLink(name, value))
    .map(([name]) => `${name}: there is no such setting; ${hintOf(name, closest(name, settings))}`);
}

/** Names the nearest setting if most letters behind `ROSTER_` are the same. */
function hintOf(name: string, nearest: string): string {
  return distance(name, nearest) * 2 < name.length - 'ROSTER_'.length
    ? `the nearest is ${nearest}`
    : '`roster-server settings` lists them';
}
