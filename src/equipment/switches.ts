// Sessions with switches, by name.
import type { Switch, SwitchDriver } from '#drivers/switch/driver.ts';
import { switchFind } from '#store/network/switches.ts';
import { connections, type ConnectionParts, type Connections } from './connections.ts';
import { driverSettings } from '#store/driver-settings.ts';

export type Switches = Pick<Connections<Switch>, 'use' | 'close'>;

type SwitchDrivers = Readonly<Record<string, Pick<SwitchDriver<never>, 'open'>>>;

/** Binds sealed settings to their switch. */
export function switchSealContext(name: string): string {
  return `switch ${name}`;
}

export function openSwitches({ store, clock, secrets, drivers }: ConnectionParts<SwitchDrivers>): Switches {
  return connections<Switch>(clock, 'switch_unreachable', async (name) => {
    const row = await switchFind(store.queries, name);
    if (row === undefined) throw new Error(`there is no switch ${name}`);
    const driver = drivers[row.driver];
    if (driver === undefined) throw new Error(`switch ${name} has an unknown driver ${row.driver}`);
    const settings = (): never => driverSettings.decode(secrets.open(row.settings, switchSealContext(name))) as never;
    return { revision: row.revision, open: () => driver.open(settings(), new AbortController().signal) };
  });
}
