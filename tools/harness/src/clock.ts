import process from 'node:process';

/** Loaded before a server (`--import`): it has the clock of this machine, shifted by what its parent last said. */

const RealDate = Date;
let offsetMs = 0;

const now = () => RealDate.now() + offsetMs;

globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

process.on('message', (message: { offsetMs: number }) => {
  offsetMs = message.offsetMs;
});
// A suite that is killed leaves no server behind.
process.on('disconnect', () => process.exit(1));
process.channel?.unref();
