// Parses times as people write them.
import { CommandError, exitCodes } from './exit-codes.ts';

/** Returns the Unix time in seconds of a date or time in UTC, or of a number that already is one. */
export function parseTime(text: string): number {
  if (/^[0-9]{9,11}$/.test(text)) return Number(text);
  const time = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new CommandError(
      `Invalid time ${text}: use a format like 2026-11-15 or 2026-11-15T12:00:00Z.`,
      exitCodes.usage,
    );
  return Math.floor(time / 1000);
}

/** Returns the expiry as the API takes it, if there is one. */
export function expiryInput(expires: string | undefined): { expires?: number } {
  return expires === undefined ? {} : { expires: parseTime(expires) };
}
