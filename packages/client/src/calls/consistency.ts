/**
 * Read-your-writes and monotonic reads for one client: if the service reads from replicas, no response is older than
 * earlier responses, changes and events of this client.
 */
export interface Consistency {
  /** To be called for each request before it is sent. */
  beginRequest(): RequestConsistency;
  /** To be called for each event of a stream: a replica may not have its change yet. */
  markStale(): void;
}

interface RequestConsistency {
  /** The value of the header Consistency-Token; undefined until the service has sent one. */
  token: string | undefined;
  /** To be called with the headers of the response. */
  update(headers: Pick<Headers, 'get'>): void;
}

/** All tokens have the same length, so that the greater text is the later token. */
const TOKEN = /^[0-9A-F]{24}$/;
/** Requests the state of the primary. */
const LATEST = 'latest';

/** Starts without a token. */
export function createConsistency(): Consistency {
  let latestToken: string | undefined;
  let events = 0;
  let eventsCovered = 0;
  return {
    beginRequest: () => {
      const eventsBefore = events;
      const token = eventsBefore > eventsCovered ? LATEST : latestToken;
      return {
        token,
        update: (headers) => {
          const received = headers.get('consistency-token');
          if (received === null || !TOKEN.test(received)) return;
          if (latestToken === undefined || received > latestToken) latestToken = received;
          if (token === LATEST) eventsCovered = Math.max(eventsCovered, eventsBefore);
        },
      };
    },
    markStale: () => {
      events += 1;
    },
  };
}
