/** Sees to it that no answer shows less than the answers, changes and events of this client before it. */
export interface Consistency {
  /** To be asked for every request, before it is sent. */
  ask(): Asked;
  /** To be told of every event of a stream: it comes from a change that a replica may not have yet. */
  heardOfChange(): void;
}

interface Asked {
  /** What to send as Consistency-Token; nothing before the service has sent one. */
  token: string | undefined;
  /** To be told of the answer. */
  learn(headers: Pick<Headers, 'get'>): void;
}

/** Tokens are all of one length: of two, the greater text is the later. */
const shape = /^[0-9A-F]{24}$/;
/** Asks for what the primary has now. */
const LATEST = 'latest';

/** What one client has seen, from its first answer on. */
export function createConsistency(): Consistency {
  let seen: string | undefined;
  let changes = 0;
  let changesSeen = 0;
  return {
    ask: () => {
      const heard = changes;
      const token = heard > changesSeen ? LATEST : seen;
      return {
        token,
        learn: (headers) => {
          const given = headers.get('consistency-token');
          if (given === null || !shape.test(given)) return;
          if (seen === undefined || given > seen) seen = given;
          if (token === LATEST) changesSeen = Math.max(changesSeen, heard);
        },
      };
    },
    heardOfChange: () => {
      changes += 1;
    },
  };
}
