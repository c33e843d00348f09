// The client for one BMC. Every method takes a signal and ends by the fleet's deadline at the latest. All except power
// actions, cold reset and console are repeated across a lost session.
import { readBootDevice, writeBootDevice, type BootChoice } from './boot-device.ts';
import { resetBmc } from './cold-reset.ts';
import type { BootFlags } from './commands/boot.ts';
import { getChassisStatus, type ChassisControl, type ChassisStatus } from './commands/chassis.ts';
import { getDeviceId, type DeviceId } from './commands/device.ts';
import type { UserPrivilege } from './commands/user.ts';
import type { Connection } from './connection.ts';
import { endSerialConsole, openSerialConsole, type SerialConsole, type SerialConsoleOptions } from './console.ts';
import { describeLogRecord, readNewLogRecords, type LogText } from './event-log.ts';
import type { FruInventory } from './fru.ts';
import { readFru } from './inventory.ts';
import { controlPower, powerCycle, type PowerTiming } from './power.ts';
import type { SensorRecord } from './sensor-record.ts';
import { createSensorReader, type Sensor } from './sensors.ts';
import {
  changePassword,
  changePrivilege,
  deleteUser,
  disableUser,
  findOwnSlot,
  listUsers,
  renameUser,
  setUserEnabled,
  type BmcUser,
} from './user-admin.ts';

export interface Bmc extends AsyncDisposable {
  deviceId(signal?: AbortSignal): Promise<DeviceId>;
  chassisStatus(signal?: AbortSignal): Promise<ChassisStatus>;
  /** Runs at most once: see power.ts. `on` and `off` do nothing if the state already applies. */
  power(control: ChassisControl, signal?: AbortSignal): Promise<void>;
  /** Powers off and on, each verified by the power state: runs exactly once if the network lets it complete. */
  powerCycle(signal?: AbortSignal): Promise<void>;
  bootDevice(signal?: AbortSignal): Promise<BootFlags>;
  setBootDevice(choice: BootChoice, signal?: AbortSignal): Promise<void>;
  /** Restarts the BMC itself; the next call waits until it is back. */
  coldReset(signal?: AbortSignal): Promise<void>;
  users(signal?: AbortSignal): Promise<BmcUser[]>;
  /** The user of this connection; undefined if the BMC does not report it. */
  ownSlot(signal?: AbortSignal): Promise<number | undefined>;
  setUserName(id: number, name: string, signal?: AbortSignal): Promise<void>;
  /** Up to 16 bytes use the older format, up to 20 the newer one. */
  setUserPassword(id: number, password: string, signal?: AbortSignal): Promise<void>;
  enableUser(id: number, signal?: AbortSignal): Promise<void>;
  /** Also ends the user's sessions. */
  disableUser(id: number, signal?: AbortSignal): Promise<void>;
  setUserPrivilege(id: number, privilege: UserPrivilege, signal?: AbortSignal): Promise<void>;
  /** Also ends the user's sessions. */
  deleteUser(id: number, signal?: AbortSignal): Promise<void>;
  fru(signal?: AbortSignal): Promise<FruInventory>;
  /** Reads the sensors that the filter selects; by default all. */
  sensors(signal?: AbortSignal, isWanted?: (record: SensorRecord) => boolean): Promise<Sensor[]>;
  /** Reads the entries of the event log after a position; without one, only returns the position of the last entry. */
  log(position: string | undefined, signal?: AbortSignal): Promise<LogPage>;
  openConsole(options: SerialConsoleOptions, signal?: AbortSignal): Promise<SerialConsole>;
  /** Ends the serial console, whichever session has it. */
  endConsole(signal?: AbortSignal): Promise<void>;
  /** Closes the session; later calls fail. */
  close(): Promise<void>;
}

export interface LogPage {
  /** The oldest first. */
  readonly entries: readonly (LogText & { readonly seconds: number | undefined })[];
  readonly position: string;
  readonly hasMore: boolean;
}

const ownFru = 0;
/** Each takes a command. */
const logEntriesPerRead = 100;

export function createBmc(connection: Connection, powerTiming: PowerTiming, forget: () => void): Bmc {
  const close = async (): Promise<void> => {
    forget();
    await connection.close();
  };
  const reader = createSensorReader(connection);
  return {
    deviceId: (signal) => connection.call(getDeviceId, null, signal),
    chassisStatus: (signal) => connection.call(getChassisStatus, null, signal),
    power: (control, signal) => controlPower(connection, control, powerTiming, signal),
    powerCycle: (signal) => powerCycle(connection, powerTiming, signal),
    bootDevice: (signal) => readBootDevice(connection, signal),
    setBootDevice: (choice, signal) => writeBootDevice(connection, choice, signal),
    coldReset: (signal) => resetBmc(connection, signal),
    users: (signal) => listUsers(connection, signal),
    ownSlot: (signal) => findOwnSlot(connection, signal),
    setUserName: (id, name, signal) => renameUser(connection, id, name, signal),
    setUserPassword: (id, password, signal) => changePassword(connection, id, password, signal),
    enableUser: (id, signal) => setUserEnabled(connection, id, 'enable', signal),
    disableUser: (id, signal) => disableUser(connection, id, signal),
    setUserPrivilege: (id, privilege, signal) => changePrivilege(connection, id, privilege, signal),
    deleteUser: (id, signal) => deleteUser(connection, id, signal),
    fru: (signal) => readFru(connection, ownFru, signal),
    async sensors(signal, isWanted = () => true) {
      const sensors: Sensor[] = [];
      for (const record of (await reader.records(signal)).filter(isWanted))
        sensors.push(await reader.read(record, signal));
      return sensors;
    },
    async log(position, signal) {
      const { records, ...page } = await readNewLogRecords(connection, position, logEntriesPerRead, signal);
      const sensors = records.length === 0 ? [] : await reader.records(signal);
      const entries = records.map((record) => ({ ...describeLogRecord(record, sensors), seconds: record.seconds }));
      return { entries, ...page };
    },
    openConsole: (options, signal) => openSerialConsole(connection, options, signal),
    endConsole: (signal) => endSerialConsole(connection, signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}
