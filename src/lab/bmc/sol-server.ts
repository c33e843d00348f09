// The BMC's end of Serial-over-LAN: ties the server's serial console to the one session that has activated it.

import { payloadType } from '#wire/ipmi/packet.ts';
import { solFromBmc, solFromConsole } from '#wire/ipmi/sol.ts';
import { SolLink } from '#wire/ipmi/sol-link.ts';
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

  /** False when a session has it already. */
  activate(session: LabSession): boolean {
    if (this.#active !== undefined) return false;
    const link = new SolLink({
      send: (packet) => this.#sessions.send(session, payloadType.sol, solFromBmc.encode(packet)),
      onData: (data) => this.#serial.type(data),
      onBreak: () => this.#serial.break(),
      onSilence: () => this.#release(),
      mostCharacters: solPayloadBytes - headerBytes,
      pace,
    });
    const stopListening = this.#serial.listen((text) => void link.write(Buffer.from(text, 'latin1')));
    this.#active = { session, link, stopListening };
    return true;
  }

  /** Ends it for whoever has it, who is told; false when nobody has. */
  deactivate(): boolean {
    if (this.#active === undefined) return false;
    const farewell = { sequence: 0, acknowledged: 0, acceptedCharacters: 0, isRefusal: false, isBreak: false };
    const packet = { ...farewell, isDeactivating: true, isUnavailable: false, data: Buffer.alloc(0) };
    this.#sessions.send(this.#active.session, payloadType.sol, solFromBmc.encode(packet));
    this.#release();
    return true;
  }

  receive(session: LabSession, payload: Buffer): void {
    if (this.#active?.session !== session) return;
    const packet = solFromConsole.decode(payload);
    if (packet !== undefined) this.#active.link.receive(packet);
  }

  /** The session is gone, and its console with it. */
  sessionEnded(session: LabSession): void {
    if (this.#active?.session === session) this.#release();
  }

  #release(): void {
    this.#active?.link.close();
    this.#active?.stopListening();
    this.#active = undefined;
  }
}
