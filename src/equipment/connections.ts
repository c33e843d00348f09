// Connections to equipment, by name: opened at the first use, kept, opened anew when the settings have changed, each behind a
// breaker of its own.
import type { ErrorCode } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';
import { breaker, type Breaker } from './breaker.ts';

export interface Described<Device> {
  /** Changes with the settings. */
  readonly revision: number;
  open(): Promise<Device>;
}

export interface Connections<Device> {
  use<T>(name: string, work: (device: Device) => Promise<T>): Promise<T>;
  /** It was told to restart: callers wait for it, and its silence does not open its breaker. */
  expectSilence(name: string, milliseconds: number): void;
  close(): Promise<void>;
}

export function connections<Device extends AsyncDisposable>(
  clock: Clock,
  unreachable: ErrorCode,
  describe: (name: string) => Promise<Described<Device>>,
): Connections<Device> {
  const open = new Map<string, { readonly revision: number; readonly device: Promise<Device> }>();
  const breakers = new Map<string, Breaker>();

  function deviceOf(name: string, described: Described<Device>): Promise<Device> {
    const kept = open.get(name);
    if (kept?.revision === described.revision) return kept.device;
    const device = described.open();
    open.set(name, { revision: described.revision, device });
    device.catch(() => open.delete(name));
    // Whoever still uses the old one sees it end; the next use is on the new one.
    void kept?.device.then((old) => old[Symbol.asyncDispose]()).catch(() => {});
    return device;
  }

  function breakerOf(name: string): Breaker {
    let own = breakers.get(name);
    if (own === undefined) breakers.set(name, (own = breaker(clock, unreachable)));
    return own;
  }

  return {
    async use(name, work) {
      const described = await describe(name);
      return breakerOf(name).guard(async () => work(await deviceOf(name, described)));
    },
    expectSilence: (name, milliseconds) => breakerOf(name).expectSilence(milliseconds),
    async close() {
      const all = [...open.values()];
      open.clear();
      await Promise.allSettled(all.map(async ({ device }) => (await device)[Symbol.asyncDispose]()));
    },
  };
}
