// The slots for TCP connections. No network can take them all, and connections that do nothing keep nobody out: when the
// slots are taken, the one that was idle for the longest is closed.
import { prefixOf } from './peer-address.ts';

export interface SlotLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerPrefix: number;
}

export interface Slot {
  /** Marks the connection as busy or idle; busy ones are not evicted. */
  setBusy(isBusy: boolean): void;
  release(): void;
}

interface Holder {
  readonly prefix: string;
  readonly evict: () => void;
  isBusy: boolean;
}

export class ConnectionSlots {
  readonly #limits: SlotLimits;
  /** The longest unused first. */
  readonly #holders = new Set<Holder>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Returns undefined if there is no slot, not even one to take from another connection. */
  acquire(address: string, evict: () => void): Slot | undefined {
    const prefix = prefixOf(address);
    const ofPrefix = [...this.#holders].filter((holder) => holder.prefix === prefix);
    const { maxConnections, maxConnectionsPerPrefix } = this.#limits;
    if (ofPrefix.length >= maxConnectionsPerPrefix) {
      if (!this.#evictFrom(ofPrefix)) return undefined;
    } else if (this.#holders.size >= maxConnections && !this.#evictFrom([...this.#holders])) return undefined;
    const holder: Holder = { prefix, evict, isBusy: false };
    this.#holders.add(holder);
    return {
      setBusy: (isBusy) => {
        holder.isBusy = isBusy;
        if (this.#holders.delete(holder)) this.#holders.add(holder);
      },
      release: () => void this.#holders.delete(holder),
    };
  }

  #evictFrom(holders: readonly Holder[]): boolean {
    const idle = holders.find(({ isBusy }) => !isBusy);
    if (idle === undefined) return false;
    this.#holders.delete(idle);
    idle.evict();
    return true;
  }
}
