import { Kysely, type KyselyProps } from 'kysely';
import type { CallerOptions, ReadExecutor } from '../types.ts';
import type { RoutingExecutor } from './executor.ts';

interface Props extends KyselyProps {
  executor: RoutingExecutor;
}

/** A Kysely whose reads outside transactions can be routed elsewhere. */
export class RoutedKysely<Tables> extends Kysely<Tables> {
  readonly #props: Props;
  /** Runs its reads outside transactions. */
  readonly reads: ReadExecutor;

  constructor(props: Props, reads: ReadExecutor) {
    super(props);
    this.#props = props;
    this.reads = reads;
  }

  /** The same database with its reads outside transactions routed to `reads`. Cheap enough for each request. */
  withReads(reads: ReadExecutor): RoutedKysely<Tables> {
    return new RoutedKysely<Tables>(
      { ...this.#props, executor: this.#props.executor.withReads(reads) },
      reads,
    );
  }

  /** The same database for one caller, whose reads are cancelled if it disconnects, wherever they are routed. */
  withDisconnectCheck(caller: CallerOptions): RoutedKysely<Tables> {
    return new RoutedKysely<Tables>(
      { ...this.#props, executor: this.#props.executor.withDisconnectCheck(caller) },
      this.reads,
    );
  }
}
