// A lease as its holder sees it. Others may take over when it expires in the database. So the holder stops a little earlier, by its
// own monotonic clock, because the database may not respond.

export interface HeldLease {
  /** Extends the lease. `sentAtMs` is when the renewal was sent, by `performance.now()`: the database counts from then or later. */
  renew(sentAtMs: number): void;
  /** Ends a lease that is over. After a pause of the process, other callbacks may run before the timer does. */
  check(): void;
  stop(): void;
}

/** For commands that have already been sent. */
const marginMs = 2000;

/** Calls `onEnd` once, two seconds before the lease expires in the database; at once if it was acquired too slowly. */
export function holdLease(leaseMs: number, sentAtMs: number, onEnd: () => void): HeldLease {
  const heldMs = leaseMs - marginMs;
  let endsAtMs = sentAtMs + heldMs;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  function check(): void {
    if (isOver || performance.now() < endsAtMs) return;
    isOver = true;
    onEnd();
  }
  function watch(): void {
    check();
    if (!isOver) timer = setTimeout(watch, endsAtMs - performance.now());
  }
  watch();
  return {
    renew: (at) => void (endsAtMs = Math.max(endsAtMs, at + heldMs)),
    check,
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
