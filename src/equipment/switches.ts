// From the name of a switch to the switch: settings out of the database, opened by their driver, kept open, guarded by a
// breaker, as with controllers.
import type { Switch, SwitchDriver } from '#drivers/switch/driver.ts';
import type { Clock } from '#kernel/clock.ts';
import type { SecretBox } from '#kernel/secrets.ts';
import { switchFind } from '#store/network/switches.ts';
import type { Store } from '#store/store.ts';
import { connections } from './connections.ts';

export interface Switches {
  use<T>(name: string, work: (device: Switch) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface SwitchesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly drivers: Readonly<Record<string, Pick<SwitchDriver<never>, 'open'>>>;
}

/** Binds sealed settings to their switch. */
export function switchSealContext(name: string): string {
  return `switch ${name}`;
}

export function openSwitches(parts: SwitchesParts): Switches {
  return connections<Switch>(parts.clock, 'switch_unreachable', async (name) => {
    const row = await switchFind(parts.store.queries, name);
    if (row === undefined) throw new Error(`there is no switch ${name}`);
    const driver = parts.drivers[row.driver];
    if (driver === undefined) throw new Error(`switch ${name} has an unknown driver ${row.driver}`);
    const settings = (): never => JSON.parse(parts.secrets.open(row.settings, switchSealContext(name))) as never;
    return { revision: row.revision, open: () => driver.open(settings(), new AbortController().signal) };
  });
}
