// What the resources of a lab Redfish service are about: a server, its drive, and who may use them.
import type { LabServer } from '../bmc/server.ts';
import type { LabAccounts } from './accounts.ts';
import type { LabDrive } from './drive.ts';
import type { LabRedfishFaults } from './faults.ts';
import type { LabRedfishSessions } from './sessions.ts';
import type { LabTasks } from './tasks.ts';

export type FirmwareMode = 'UEFI' | 'Legacy';

/** Where virtual media stand: services put them under the system or under the manager. */
export type MediaLayout = 'systems' | 'managers';
/** How much of the schema a service has: early ones are changed by PATCH where there are actions today, know no ETags, and
 * have slots for accounts. */
export type Generation = 'present' | 'early';

export interface RedfishMachine {
  readonly server: LabServer;
  readonly drive: LabDrive;
  readonly accounts: LabAccounts;
  readonly sessions: LabRedfishSessions;
  readonly tasks: LabTasks;
  readonly layout: MediaLayout;
  readonly generation: Generation;
  readonly serialNumber: string;
  readonly uuid: string;
  readonly macs: readonly string[];
  firmwareMode: FirmwareMode;
  faults(): LabRedfishFaults;
  /** The controller goes away for a while. */
  restart(): void;
}
