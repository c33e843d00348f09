// The client for one BMC. Every method takes a signal and ends by the fleet's deadline at the latest. All except power
// actions, cold reset and console are repeated across a lost session.

import { readBootDevice, writeBootDevice } from './boot-device.ts';
import type { BootChoice } from './boot-device.ts';
import { resetBmc } from './cold-reset.ts';
import type { BootFlags } from './commands/boot.ts';
import { getChassisStatus } from './commands/chassis.ts';
import type { ChassisControl, ChassisStatus } from './commands/chassis.ts';
import { getDeviceId } from './commands/device.ts';
import type { DeviceId } from './commands/device.ts';
import type { UserPrivilege } from './commands/user.ts';
import type { Connection } from './connection.ts';
import { openSerialConsole } from './console.ts';
import type { SerialConsole, SerialConsoleOptions } from './console.ts';
import type { FruInventory } from './fru.ts';
import { readFru, readSensor, readSensorRecords } from './inventory.ts';
import type { Sensor } from './inventory.ts';
import { controlPower, powerCycle } from './power.ts';
import type { PowerTiming } from './power.ts';
import { changePassword, changePrivilege, deleteUser, listUsers, renameUser, setUserEnabled } from './user-admin.ts';
import type { BmcUser } from './user-admin.ts';

type Signal = AbortSignal | undefined;

export interface Bmc extends AsyncDisposable {
  deviceId(signal?: Signal): Promise<DeviceId>;
  chassisStatus(signal?: Signal): Promise<ChassisStatus>;
  /** Runs at most once: see power.ts. `on` and `off` do nothing if the state already applies. */
  power(control: ChassisControl, signal?: Signal): Promise<void>;
  /** Powers off and on, each verified by the power state: runs exactly once if the network lets it complete. */
  powerCycle(signal?: Signal): Promise<void>;
  bootDevice(signal?: Signal): Promise<BootFlags>;
  setBootDevice(choice: BootChoice, signal?: Signal): Promise<void>;
  /** Restarts the BMC itself; the next call waits until it is back. */
  coldReset(signal?: Signal): Promise<void>;
  users(signal?: Signal): Promise<BmcUser[]>;
  setUserName(id: number, name: string, signal?: Signal): Promise<void>;
  /** Up to 16 bytes use the older format, up to 20 the newer one. */
  setUserPassword(id: number, password: string, signal?: Signal): Promise<void>;
  enableUser(id: number, signal?: Signal): Promise<void>;
  disableUser(id: number, signal?: Signal): Promise<void>;
  setUserPrivilege(id: number, privilege: UserPrivilege, signal?: Signal): Promise<void>;
  deleteUser(id: number, signal?: Signal): Promise<void>;
  fru(signal?: Signal): Promise<FruInventory>;
  sensors(signal?: Signal): Promise<Sensor[]>;
  openConsole(options: SerialConsoleOptions, signal?: Signal): Promise<SerialConsole>;
  /** Closes the session; later calls fail. */
  close(): Promise<void>;
}

const ownFru = 0;

export function createBmc(connection: Connection, powerTiming: PowerTiming, forget: () => void): Bmc {
  const close = async (): Promise<void> => {
    forget();
    await connection.close();
  };
  return {
    deviceId: (signal) => connection.call(getDeviceId, null, signal),
    chassisStatus: (signal) => connection.call(getChassisStatus, null, signal),
    power: (control, signal) => controlPower(connection, control, powerTiming, signal),
    powerCycle: (signal) => powerCycle(connection, powerTiming, signal),
    bootDevice: (signal) => readBootDevice(connection, signal),
    setBootDevice: (choice, signal) => writeBootDevice(connection, choice, signal),
    coldReset: (signal) => resetBmc(connection, signal),
    users: (signal) => listUsers(connection, signal),
    setUserName: (id, name, signal) => renameUser(connection, id, name, signal),
    setUserPassword: (id, password, signal) => changePassword(connection, id, password, signal),
    enableUser: (id, signal) => setUserEnabled(connection, id, 'enable', signal),
    disableUser: (id, signal) => setUserEnabled(connection, id, 'disable', signal),
    setUserPrivilege: (id, privilege, signal) => changePrivilege(connection, id, privilege, signal),
    deleteUser: (id, signal) => deleteUser(connection, id, signal),
    fru: (signal) => readFru(connection, ownFru, signal),
    sensors: async (signal) => {
      const sensors: Sensor[] = [];
      for (const record of await readSensorRecords(connection, signal)) {
        sensors.push(await readSensor(connection, record, signal));
      }
      return sensors;
    },
    openConsole: (options, signal) => openSerialConsole(connection, options, signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}
