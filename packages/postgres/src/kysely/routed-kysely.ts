import { Kysely, type KyselyProps } from 'kysely';
import type { ReadExecutor } from '../types.ts';
import type { ReadRouting, RoutingExecutor } from './executor.ts';

interface Props extends KyselyProps {
  executor: RoutingExecutor;
}

/** A Kysely whose reads outside transactions can be routed elsewhere. */
export class RoutedKysely<Tables> extends Kysely<Tables> {
  readonly #props: Props;

  constructor(props: Props) {
    super(props);
    this.#props = props;
  }

  /** Runs its reads outside transactions. */
  get reads(): ReadExecutor {
    return this.#props.executor.reads;
  }

  /** The same database with its reads outside transactions routed elsewhere, or for a caller. Cheap enough for each request. */
  withRouting(routing: Partial<ReadRouting>): RoutedKysely<Tables> {
    return new RoutedKysely<Tables>({
      ...this.#props,
      executor: this.#props.executor.withRouting(routing),
    });
  }
}
