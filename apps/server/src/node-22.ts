import process from 'node:process';

/** The part of AsyncDisposableStack that the server uses, for Node.js 22, which has the symbols and not the class. */
class DisposableSteps implements AsyncDisposable {
  #steps: (() => unknown)[] = [];

  use<Value extends AsyncDisposable | Disposable>(value: Value): Value {
    this.#steps.push(() =>
      Symbol.asyncDispose in value ? value[Symbol.asyncDispose]() : value[Symbol.dispose](),
    );
    return value;
  }

  adopt<Value>(value: Value, dispose: (value: Value) => unknown): Value {
    this.#steps.push(() => dispose(value));
    return value;
  }

  defer(dispose: () => unknown): void {
    this.#steps.push(dispose);
  }

  move(): DisposableSteps {
    const moved = new DisposableSteps();
    moved.#steps = this.#steps;
    this.#steps = [];
    return moved;
  }

  /** Runs every step, the last one first, and throws the first error at the end. */
  async disposeAsync(): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop())
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

/** Defines the class where it is missing, and keeps the warning off the screen that SQLite, which holds the lock of the data, is experimental. */
export function supportNode22(): void {
  if ('AsyncDisposableStack' in globalThis) return;
  Object.assign(globalThis, { AsyncDisposableStack: DisposableSteps });
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite ')) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
}
