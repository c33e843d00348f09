// Sessions with equipment, by device name: opened on first use, reopened when the settings change, each behind its own circuit
// breaker. A session is closed only when no command is using it.
import type { ErrorCode } from '#contract/errors.ts';
import type { Clock } from '#lib/clock.ts';
import { ApiError } from '#lib/api-error.ts';
import type { SecretBox } from '#lib/secrets.ts';
import type { Store } from '#store/store.ts';
import { isUnreachable } from './device-command.ts';
import { defaultWaits, longestWaits, type Waits } from './waits.ts';

export interface DeviceSettings<Device> {
  /** Changes with the settings. */
  readonly revision: number;
  /** Read when a session is opened; absent for devices that are waited for like all others. */
  readonly waits?: () => Promise<Waits>;
  open(waits: Waits): Promise<Device>;
}

/** Dependencies of the modules that open connections. */
export interface ConnectionParts<Drivers> {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly drivers: Drivers;
}

export interface Connections<Device> {
  /** A caller that has just read the device's revision passes it, which saves reading the settings of an open session. */
  use<T>(name: string, work: (device: Device, waits: Waits) => Promise<T>, revision?: number): Promise<T>;
  waits(name: string): Promise<Waits>;
  /** Of the devices that have been used. */
  longestCommandMs(): number;
  /** Runs the work in a separate session that waits longer than others. Returns how long it took. */
  measure(name: string, work: (device: Device, signal: AbortSignal) => Promise<unknown>): Promise<number>;
  /** Returns whether the driver has a part, without contacting the device. */
  has(name: string, part: keyof Device): Promise<boolean>;
  /** Keeps the breaker closed while the device restarts. */
  expectSilence(name: string, milliseconds: number): void;
  /** Waits for running commands, then closes every session. */
  close(): Promise<void>;
}

export function connections<Device extends AsyncDisposable>(
  clock: Clock,
  unreachable: ErrorCode,
  readSettings: (name: string) => Promise<DeviceSettings<Device>>,
): Connections<Device> {
  interface Session {
    readonly revision: number;
    readonly device: Promise<Device>;
    readonly waits: Promise<Waits>;
    readonly commands: Set<Promise<unknown>>;
  }
  const sessions = new Map<string, Session>();
  const breakers = new Map<string, Breaker>();
  const closing = new Set<Promise<void>>();
  let longestCommandMs = defaultWaits.commandMs;

  function sessionOf(name: string, settings: DeviceSettings<Device>): Session {
    const { revision } = settings;
    const current = sessions.get(name);
    if (current?.revision === revision) return current;
    const waits = settings.waits?.() ?? Promise.resolve(defaultWaits);
    const openWith = (known: Waits): Promise<Device> => {
      longestCommandMs = Math.max(longestCommandMs, known.commandMs);
      return settings.open(known);
    };
    const session: Session = { revision, waits, device: waits.then(openWith), commands: new Set() };
    sessions.set(name, session);
    session.device.catch(() => {
      // If the settings have changed, the entry belongs to a newer session.
      if (sessions.get(name) === session) sessions.delete(name);
    });
    if (current !== undefined) retire(current);
    return session;
  }

  function retire({ device, commands }: Session): void {
    const closed = Promise.allSettled(commands)
      .then(async () => (await device)[Symbol.asyncDispose]())
      .catch(() => {})
      .finally(() => closing.delete(closed));
    closing.add(closed);
  }

  async function run<T>(
    { device, waits, commands }: Session,
    work: (device: Device, waits: Waits) => Promise<T>,
  ): Promise<T> {
    const command = device.then(async (opened) => work(opened, await waits));
    commands.add(command);
    try {
      return await command;
    } finally {
      commands.delete(command);
    }
  }

  function breakerOf(name: string): Breaker {
    const deviceBreaker = breakers.get(name) ?? breaker(clock, unreachable);
    breakers.set(name, deviceBreaker);
    return deviceBreaker;
  }

  return {
    async use(name, work, revision) {
      const open = sessions.get(name);
      if (open !== undefined && open.revision === revision) return breakerOf(name).guard(() => run(open, work));
      const settings = await readSettings(name);
      return breakerOf(name).guard(() => run(sessionOf(name, settings), work));
    },
    async has(name, part) {
      return (await sessionOf(name, await readSettings(name)).device)[part] !== undefined;
    },
    longestCommandMs: () => longestCommandMs,
    waits: async (name) => sessionOf(name, await readSettings(name)).waits,
    async measure(name, work) {
      const { open } = await readSettings(name);
      await using device = await open(longestWaits);
      const start = performance.now();
      await work(device, AbortSignal.timeout(measureMs));
      return performance.now() - start;
    },
    expectSilence: (name, milliseconds) => breakerOf(name).expectSilence(milliseconds),
    async close() {
      for (const session of sessions.values()) retire(session);
      sessions.clear();
      await Promise.all(closing);
    },
  };
}

const measureMs = 30_000;
const failuresToOpen = 5;
const openMs = 15_000;

/**
 * After several timeouts in a row, rejects calls for a while, which saves callers the wait and the management network the
 * packets; then a single trial call decides for all.
 */
export interface Breaker {
  /** Counts timeouts only: a device that responds, even with an error, is reachable. */
  guard<T>(work: () => Promise<T>): Promise<T>;
  /** Ignores timeouts for a while, for a device that was asked to restart. */
  expectSilence(milliseconds: number): void;
}

/** `unreachable` is the error code for this kind of device. */
export function breaker(clock: Clock, unreachable: ErrorCode): Breaker {
  let failures = 0;
  let openUntil = 0;
  let silentUntil = 0;
  let isTrying = false;
  return {
    async guard(work) {
      const isOpen = failures >= failuresToOpen;
      const leftMs = openUntil - clock.now();
      // If the clock was set back, more than the whole interval is left: try at once.
      if (isOpen && (isTrying || (leftMs > 0 && leftMs <= openMs))) {
        throw new ApiError(unreachable, {
          internal: 'it did not respond to the last five calls; the next attempt is within 15 seconds',
        });
      }
      isTrying = isOpen;
      try {
        const result = await work();
        failures = 0;
        return result;
      } catch (error) {
        if (!isUnreachable(error)) failures = 0;
        else if (clock.now() >= silentUntil) failures++;
        if (failures >= failuresToOpen) openUntil = clock.now() + openMs;
        throw error;
      } finally {
        if (isOpen) isTrying = false;
      }
    },
    expectSilence(milliseconds) {
      silentUntil = clock.now() + milliseconds;
      failures = 0;
    },
  };
}
