/** One turn of one contestant at one work. Rates and times are of operations: a batch of ten is ten of them. */
export interface Sample {
  contestant: string;
  work: string;
  /** The number of the turn, over all rounds. */
  turn: number;
  ratePerS: number;
  /** CPU per operation, in microseconds. */
  serverUs: number;
  /** Undefined where PostgreSQL is on another machine. */
  databaseUs: number | undefined;
  /** Requests that were answered, with those of the warm-up and of the latency. */
  served: number;
  failures: number;
  firstFailure: string | undefined;
  /** Latency at 60 % of the reference's rate, in milliseconds; once in a round, not in every one, nor of who does not reach that. */
  latency: { answers: number; p50Ms: number; p99Ms: number } | undefined;
}
