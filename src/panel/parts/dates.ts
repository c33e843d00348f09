// The only place that formats dates and times: in the time zone and format that the person chose under Profile, or
// those of the browser and the panel's language.
import { useSyncExternalStore } from 'react';
import type { DateFormat } from '#contract/shapes/person.ts';
import { createListeners } from '../data/listeners.ts';
import { locale } from '../text/text.ts';

export interface DateSettings {
  readonly timezone: string;
  readonly dateformat: DateFormat | '';
}

export interface DateFormats {
  /** Date and time, with seconds. */
  moment(date: Date): string;
  /** Time of day, with seconds. */
  time(date: Date): string;
  /** Time of day, without seconds. */
  clock(date: Date): string;
  /** Day and time, short. */
  dayClock(date: Date): string;
  /** Day and month, short. */
  shortDay(date: Date): string;
  /** A calendar day, which is the same in every time zone. */
  day(date: Date): string;
  /** By how many milliseconds the clocks of the zone are ahead of UTC. */
  offset(date: Date): number;
}

/** Locales that write dates in these ways. */
const locales: Record<DateFormat, string> = { iso: 'sv-SE', dmy: 'en-GB', dots: 'de-DE', mdy: 'en-US' };

export function createDateFormats({ timezone, dateformat }: DateSettings): DateFormats {
  const name = dateformat === '' ? locale() : locales[dateformat];
  const zone = timezone === '' ? {} : { timeZone: timezone };
  const date: Intl.DateTimeFormatOptions =
    dateformat === '' ? { dateStyle: 'medium' } : { year: 'numeric', month: '2-digit', day: '2-digit' };
  const seconds: Intl.DateTimeFormatOptions =
    dateformat === '' ? { timeStyle: 'medium' } : { hour: '2-digit', minute: '2-digit', second: '2-digit' };
  const format = (options: Intl.DateTimeFormatOptions): ((date: Date) => string) => {
    const formatter = new Intl.DateTimeFormat(name, { ...zone, ...options });
    return (value) => formatter.format(value);
  };
  const local = new Intl.DateTimeFormat('sv-SE', { ...zone, dateStyle: 'short', timeStyle: 'medium' });
  const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
  return {
    moment: format({ ...date, ...seconds }),
    time: format(seconds),
    clock: format(clock),
    dayClock: format({ day: 'numeric', month: 'short', ...clock }),
    shortDay: format({ day: 'numeric', month: 'short' }),
    day: format({ ...date, timeZone: 'UTC' }),
    offset: (at) => Date.parse(`${local.format(at).replace(' ', 'T')}Z`) - Math.floor(at.getTime() / 1000) * 1000,
  };
}

let current = createDateFormats({ timezone: '', dateformat: '' });
const listeners = createListeners();

export function setDateSettings(settings: DateSettings): void {
  current = createDateFormats(settings);
  listeners.notify();
}

/** For what is drawn outside of components. */
export const dateFormats = (): DateFormats => current;

/** Formats Unix seconds for an input of local times. */
export function toLocalInput(seconds: number): string {
  const at = new Date(seconds * 1000);
  return new Date(at.getTime() + current.offset(at)).toISOString().slice(0, 16);
}

/** Returns Unix seconds, or undefined without a time. */
export function fromLocalInput(text: string): number | undefined {
  const local = Date.parse(`${text}Z`);
  if (Number.isNaN(local)) return undefined;
  // The offset may be another one at the time that the first guess is off by.
  const guess = new Date(local - current.offset(new Date(local)));
  return Math.floor((local - current.offset(guess)) / 1000);
}

export function useDateFormats(): DateFormats {
  return useSyncExternalStore(listeners.subscribe, dateFormats);
}
