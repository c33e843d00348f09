// Zone serials live on a circle of 2^32 (RFC 1982); a secondary takes a zone only when its serial went forward.

/** Whether a secondary that has `then` would fetch `now`. */
export function serialIsNewer(now: number, then: number): boolean {
  const distance = (now - then) >>> 0;
  return distance !== 0 && distance < 0x80000000;
}

/** The serial after this one: YYYYMMDD00 of today where that is forward, as operators like to read it, else one more. */
export function nextSerial(current: number, nowMs: number): number {
  const today = Number(new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '')) * 100;
  return serialIsNewer(today, current) ? today : (current + 1) >>> 0;
}
