// The days on which the banks of SEPA settle: those of T2, formerly TARGET2. Days are counted from 1970.
import { dayMs } from '#lib/time.ts';

const fixedHolidays = new Set(['01-01', '05-01', '12-25', '12-26']);

export function isBusinessDay(day: number): boolean {
  const date = new Date(day * dayMs);
  const weekday = date.getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  if (fixedHolidays.has(date.toISOString().slice(5, 10))) return false;
  const easter = easterSunday(date.getUTCFullYear());
  return day !== easter - 2 && day !== easter + 1;
}

/** Returns the day itself if it is a business day, or the next one. */
export function nextBusinessDay(day: number): number {
  return isBusinessDay(day) ? day : nextBusinessDay(day + 1);
}

/** Returns the business day that is this many business days after (or, if negative, before) the day. */
export function addBusinessDays(day: number, count: number): number {
  const step = Math.sign(count);
  let [result, left] = [day, Math.abs(count)];
  while (left > 0) {
    result += step;
    if (isBusinessDay(result)) left--;
  }
  return result;
}

/** The Gregorian Easter, by the algorithm of Meeus, Jones and Butcher. */
export function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const rest = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - moon - (rest % 4)) % 7;
  const shift = Math.floor((golden + 11 * moon + 22 * weekday) / 451);
  const offset = moon + weekday - 7 * shift + 114;
  return Date.UTC(year, Math.floor(offset / 31) - 1, (offset % 31) + 1) / dayMs;
}
