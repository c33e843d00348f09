// Defines the commands of a lab BMC: a command definition, the privilege it requires, and a function from its request
// to a response or error.

import type { Command } from '#protocols/ipmi/codec.ts';
import type { Privilege } from '#protocols/ipmi/commands/session.ts';
import { completion } from '#protocols/ipmi/error.ts';
import type { PowerState } from '#protocols/ipmi/power.ts';
import type { Chassis } from './chassis.ts';
import type { LabHardware } from './hardware.ts';
import type { LabBmcMalfunctions } from './malfunctions.ts';
import type { LabSession, SessionTable } from './sessions.ts';
import type { SolServer } from './sol-server.ts';
import type { LabUsers } from './users.ts';

/** The state that commands read and change. */
export interface LabMachine {
  chassis: Chassis;
  hardware: LabHardware;
  users: LabUsers;
  sessions: SessionTable;
  sol: SolServer;
  fru: Buffer;
  records: readonly Buffer[];
  isKgSet: boolean;
  udpPort(): number;
  reportedPower(): PowerState;
  /** The BMC's own version. */
  firmware(): string;
  sensorMalfunctions(): NonNullable<LabBmcMalfunctions['sensors']>;
  /** The size of SOL payloads to report, if not the actual one. */
  solBytes(): number | undefined;
  /** Restarts the BMC after the response has been sent, or immediately. */
  restart(when: 'afterResponse' | 'now'): void;
  /** Returns true if a malfunction restarts the BMC during this control. */
  resetsOnControl(): boolean;
  /** Counts the reservations of the sensor records; each cancels the one before. */
  sdr: { reservation: number };
  boot: { progress: number; others: Map<number, Buffer> };
}

/** A completion code and data. A restarting BMC sends no reply. */
export type Reply = { completionCode: number; data: Buffer } | 'none';

export interface Handler {
  name: string;
  netFn: number;
  code: number;
  requiredPrivilege: Privilege | 'nothing';
  run(data: Buffer, machine: LabMachine, session: LabSession | undefined): Reply;
}

/** Returned by a handler instead of a response. */
export class CommandError {
  readonly completionCode: number;

  constructor(completionCode: number) {
    this.completionCode = completionCode;
  }
}

export function handle<Request, Response>(
  command: Command<Request, Response>,
  requiredPrivilege: Handler['requiredPrivilege'],
  run: (request: Request, machine: LabMachine, session: LabSession | undefined) => Response | CommandError | 'none',
): Handler {
  return {
    name: command.name,
    netFn: command.netFn,
    code: command.code,
    requiredPrivilege,
    run: (data, machine, session) => {
      const request = command.request.decode(data);
      if (request === undefined) return errorReply(completion.lengthInvalid);
      const response = run(request, machine, session);
      if (response === 'none') return 'none';
      if (response instanceof CommandError) return errorReply(response.completionCode);
      return { completionCode: completion.ok, data: command.response.encode(response) };
    },
  };
}

export function errorReply(completionCode: number): Exclude<Reply, 'none'> {
  return { completionCode, data: Buffer.alloc(0) };
}
