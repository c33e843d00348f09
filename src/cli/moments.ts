// Moments as people write them, as the API takes them.
import { CommandError, exitCodes } from './exit-codes.ts';

/** Seconds since 1970 of a moment or a day in UTC, or of such a number itself. */
export function secondsOf(text: string): number {
  if (/^[0-9]{9,11}$/.test(text)) return Number(text);
  const time = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new CommandError(`${text} is no moment such as 2026-11-15 or 2026-11-15T12:00:00Z.`, exitCodes.usage);
  return Math.floor(time / 1000);
}
