import { Kysely, type KyselyProps } from 'kysely';
import type { Asker, PartingExecutor } from './executor.ts';
import type { Reads } from './pipeline/pool.ts';

interface Props extends KyselyProps {
  executor: PartingExecutor;
}

/** A Kysely that knows where its reads outside transactions go, and can send them elsewhere. */
export class PartedKysely<Tables> extends Kysely<Tables> {
  readonly #props: Props;
  /** Where they go. */
  readonly reads: Reads;

  constructor(props: Props, reads: Reads) {
    super(props);
    this.#props = props;
    this.reads = reads;
  }

  /** The same database, whose reads outside transactions go this way; it costs little, so each request may have one. */
  readingBy(reads: Reads): PartedKysely<Tables> {
    return new PartedKysely<Tables>(
      { ...this.#props, executor: this.#props.executor.withReads(reads) },
      reads,
    );
  }

  /** The same database for somebody who may leave: what they read is given up then, wherever it goes. */
  whileThere(asker: Asker): PartedKysely<Tables> {
    return new PartedKysely<Tables>(
      { ...this.#props, executor: this.#props.executor.whileThere(asker) },
      this.reads,
    );
  }
}
