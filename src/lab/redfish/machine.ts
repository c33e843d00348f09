// The state behind the resources of a lab Redfish service: a server, its drive, accounts and sessions.
import type { PowerState } from '#protocols/ipmi/power.ts';
import type { LabServer } from '../bmc/server.ts';
import type { LabAccounts } from './accounts.ts';
import type { LabDrive } from './drive.ts';
import type { LabRedfishMalfunctions } from './malfunctions.ts';
import type { Personality } from './personalities.ts';
import type { LabRedfishSessions } from './sessions.ts';
import type { LabTasks } from './tasks.ts';

export type FirmwareMode = 'UEFI' | 'Legacy';

/** Services put virtual media under the system or under the manager. */
export type MediaLayout = 'systems' | 'managers';
/** The schema generation. Early services use PATCH instead of actions, have no ETags, and have account slots. */
export type Generation = 'current' | 'early';

export interface RedfishMachine {
  readonly server: LabServer;
  readonly drive: LabDrive;
  readonly accounts: LabAccounts;
  readonly sessions: LabRedfishSessions;
  readonly tasks: LabTasks;
  readonly layout: MediaLayout;
  readonly generation: Generation;
  readonly personality: Personality;
  readonly serialNumber: string;
  readonly uuid: string;
  readonly macs: readonly string[];
  firmwareMode: FirmwareMode;
  lastReset: { readonly atMs: number; readonly powerBefore: PowerState };
  malfunctions(): LabRedfishMalfunctions;
  /** Takes the BMC offline for a while. */
  restart(): void;
}
