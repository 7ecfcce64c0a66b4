import type { LogEvent } from './evidence.ts';

/** One state of a record, in the order of the log. */
export interface State {
  event: LogEvent;
  /** Its place in the life of the record. */
  index: number;
  /** What it was an attempt at; empty where the service did it by itself. */
  operation: string;
}

/** The life of one record. */
export interface Timeline {
  states: State[];
  /** The state in which the record had a version and was there. */
  ofVersion: Map<number, State>;
}

/** The operation of a request id: all attempts at one thing have its id and a number. */
export function operationOf(requestId: string | null): string {
  return requestId?.replace(/\.\d+$/, '') ?? '';
}

/** What happened to each record, as the log has it. */
export function timelinesOf(log: readonly LogEvent[]): Map<string, Timeline> {
  const timelines = new Map<string, Timeline>();
  for (const event of log) {
    let timeline = timelines.get(event.subject);
    if (timeline === undefined) {
      timeline = { states: [], ofVersion: new Map() };
      timelines.set(event.subject, timeline);
    }
    const state = { event, index: timeline.states.length, operation: operationOf(event.requestId) };
    timeline.states.push(state);
    if (event.verb !== 'deleted') timeline.ofVersion.set(event.version, state);
  }
  return timelines;
}
