// How a lab BMC's commands are written: a definition from the wire, the privilege it wants, and a function from its
// request to its response or a refusal.

import type { Command } from '#wire/ipmi/codec.ts';
import type { Privilege } from '#wire/ipmi/commands/session.ts';
import { completion } from '#wire/ipmi/error.ts';
import type { PowerState } from '#wire/ipmi/power.ts';
import type { Chassis } from './chassis.ts';
import type { LabSession, SessionTable } from './sessions.ts';
import type { SolServer } from './sol-server.ts';
import type { LabUsers } from './users.ts';

/** What the commands act on. */
export interface LabMachine {
  chassis: Chassis;
  users: LabUsers;
  sessions: SessionTable;
  sol: SolServer;
  fru: Buffer;
  records: readonly Buffer[];
  isKgSet: boolean;
  udpPort(): number;
  reportedPower(): PowerState;
  /** Restarts the BMC after it has answered, or at once. */
  restart(when: 'answered' | 'now'): void;
  /** Whether a fault makes the BMC restart in the middle of this control. */
  resetsOnControl(): boolean;
  boot: { progress: number; others: Map<number, Buffer> };
}

/** A completion code and what follows it. No answer at all comes from a BMC that is restarting. */
export type Reply = { completionCode: number; data: Buffer } | 'none';

export interface Handler {
  name: string;
  netFn: number;
  code: number;
  needs: Privilege | 'nothing';
  answer(data: Buffer, machine: LabMachine, session: LabSession | undefined): Reply;
}

/** What a handler returns in place of its response. */
export class Refusal {
  readonly completionCode: number;

  constructor(completionCode: number) {
    this.completionCode = completionCode;
  }
}

export function handle<Request, Response>(
  command: Command<Request, Response>,
  needs: Handler['needs'],
  run: (request: Request, machine: LabMachine, session: LabSession | undefined) => Response | Refusal | 'none',
): Handler {
  return {
    name: command.name,
    netFn: command.netFn,
    code: command.code,
    needs,
    answer: (data, machine, session) => {
      const request = command.request.decode(data);
      if (request === undefined) return refuse(completion.lengthInvalid);
      const response = run(request, machine, session);
      if (response === 'none') return 'none';
      if (response instanceof Refusal) return refuse(response.completionCode);
      return { completionCode: completion.ok, data: command.response.encode(response) };
    },
  };
}

export function refuse(completionCode: number): Exclude<Reply, 'none'> {
  return { completionCode, data: Buffer.alloc(0) };
}
