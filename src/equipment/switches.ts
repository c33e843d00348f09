// Sessions with switches, by name.
import type { Switch, SwitchDriver } from '#drivers/switch/driver.ts';
import { switchFind } from '#store/network/switches.ts';
import { connections, type ConnectionParts, type Connections } from './connections.ts';
import { waitsOf, type DeviceModel } from './waits.ts';
import { driverSettings } from '#store/driver-settings.ts';

export type Switches = Omit<Connections<Switch>, 'has' | 'expectSilence'>;

type SwitchDrivers = Readonly<Record<string, Pick<SwitchDriver<never>, 'open'>>>;

/** Binds sealed settings to their switch. */
export function switchSealContext(name: string): string {
  return `switch ${name}`;
}

export function openSwitches({ store, clock, secrets, drivers }: ConnectionParts<SwitchDrivers>): Switches {
  return connections<Switch>(clock, 'switch_unreachable', async (name) => {
    const row = await switchFind(store.queries, name);
    if (row === undefined) throw new Error(`switch ${name} does not exist`);
    const driver = drivers[row.driver];
    if (driver === undefined) throw new Error(`switch ${name} has an unknown driver ${row.driver}`);
    const settings = () => driverSettings.decode(secrets.open(row.settings, switchSealContext(name))) as DeviceModel;
    return {
      revision: row.revision,
      waits: () => waitsOf(store.queries, settings()),
      open: (waits) => driver.open(settings() as never, waits),
    };
  });
}
