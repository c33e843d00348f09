// The BMC's side of Serial-over-LAN, which connects the server's serial console to the one session that activated it.

import { payloadType } from '#protocols/ipmi/packet.ts';
import { solFromBmc, solFromConsole } from '#protocols/ipmi/sol.ts';
import { SolLink } from '#protocols/ipmi/sol-link.ts';
import type { SerialConsole } from './serial.ts';
import type { LabSession, SessionTable } from './sessions.ts';

export const solPayloadBytes = 220;
const headerBytes = 4;
const pace = { retransmitMs: 300, attempts: 12 };

export class SolServer {
  readonly #serial: SerialConsole;
  readonly #sessions: SessionTable;
  #active: { session: LabSession; link: SolLink; stopListening: () => void } | undefined;

  constructor(serial: SerialConsole, sessions: SessionTable) {
    this.#serial = serial;
    this.#sessions = sessions;
  }

  get isActive(): boolean {
    return this.#active !== undefined;
  }

  /** Returns false if another session has it already. */
  activate(session: LabSession): boolean {
    if (this.#active !== undefined) return false;
    const link = new SolLink({
      send: (packet) => this.#sessions.send(session, payloadType.sol, solFromBmc.encode(packet)),
      onData: (data) => this.#serial.type(data),
      onBreak: () => this.#serial.break(),
      onSilence: () => this.#release(),
      maxCharacters: solPayloadBytes - headerBytes,
      pace,
    });
    const stopListening = this.#serial.listen((text) => void link.write(Buffer.from(text, 'latin1')));
    this.#active = { session, link, stopListening };
    return true;
  }

  /** Ends and notifies the active session. Returns false if there is none. */
  deactivate(): boolean {
    if (this.#active === undefined) return false;
    const header = { sequence: 0, acknowledged: 0, acceptedCharacters: 0, isNack: false, isBreak: false };
    const packet = { ...header, isDeactivating: true, isUnavailable: false, data: Buffer.alloc(0) };
    this.#sessions.send(this.#active.session, payloadType.sol, solFromBmc.encode(packet));
    this.#release();
    return true;
  }

  receive(session: LabSession, payload: Buffer): void {
    if (this.#active?.session !== session) return;
    const packet = solFromConsole.decode(payload);
    if (packet !== undefined) this.#active.link.receive(packet);
  }

  sessionEnded(session: LabSession): void {
    if (this.#active?.session === session) this.#release();
  }

  #release(): void {
    this.#active?.link.close();
    this.#active?.stopListening();
    this.#active = undefined;
  }
}
