// Zone serials use serial number arithmetic modulo 2^32 (RFC 1982); secondaries transfer a zone only if its serial
// increased.

/** Returns whether a secondary that has `then` would transfer `now`. */
export function isNewerSerial(now: number, then: number): boolean {
  const distance = (now - then) >>> 0;
  return distance !== 0 && distance < 0x80000000;
}

/** Returns the next serial: YYYYMMDD00 of today if that is newer, otherwise the current one plus 1. */
export function nextSerial(current: number, nowMs: number): number {
  const today = Number(new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '')) * 100;
  return isNewerSerial(today, current) ? today : (current + 1) >>> 0;
}
