// Where the time axis of a chart has lines and labels: hours in a day, days in a week or a month, months in a year. All UTC, as
// the bills are.

export interface TimeTick {
  /** Seconds since 1970. */
  readonly at: number;
  readonly text: string;
  /** Where a day or a month begins, the line is stronger. */
  readonly isMajor: boolean;
}

export interface TimeAxis {
  readonly ticks: readonly TimeTick[];
  /** `between` where a label names the time up to the next tick, `at` where it names the tick. */
  readonly labels: 'at' | 'between';
}

const HOUR = 3600;
const DAY = 24 * HOUR;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** Each shape up to its span; `hours` are the steps within a day, `days` those of whole days. */
const SHAPES = [
  { span: 3 * HOUR, step: HOUR / 4 },
  { span: 8 * HOUR, step: HOUR / 2 },
  { span: 14 * HOUR, step: HOUR },
  { span: 30 * HOUR, step: 2 * HOUR },
  { span: 3 * DAY, step: 6 * HOUR },
  { span: 10 * DAY, step: DAY },
  { span: 20 * DAY, step: 2 * DAY },
  { span: 45 * DAY, step: 3 * DAY },
  { span: 100 * DAY, step: 7 * DAY },
] as const;

export function timeAxis(start: number, end: number): TimeAxis {
  const shape = SHAPES.find(({ span }) => end - start <= span);
  if (shape === undefined) return { ticks: monthTicks(start, end), labels: 'between' };
  const { step } = shape;
  if (step === DAY) return { ticks: stepTicks(start, end, step, weekdayText), labels: 'between' };
  return { ticks: stepTicks(start, end, step, step < DAY ? hourText : dayText), labels: 'at' };
}

export function periodText(start: number, end: number): string {
  // Up to the last second, so that a whole month does not end on the first of the next.
  const [first, last] = [new Date(start * 1000), new Date((end - 1) * 1000)];
  const isWholeDays = start % DAY === 0 && end % DAY === 0;
  const day = (date: Date) => `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  if (isWholeDays) return day(first) === day(last) ? `${day(first)}, UTC` : `${day(first)} – ${day(last)}, UTC`;
  const minute = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 16);
  return `${day(first)} ${minute(start)} – ${day(new Date(end * 1000))} ${minute(end)}, UTC`;
}

function stepTicks(start: number, end: number, step: number, textOf: (date: Date) => string): TimeTick[] {
  // Steps of several days are counted from the first day, those within a day from midnight.
  const first = step > DAY ? Math.ceil(start / DAY) * DAY : Math.ceil(start / step) * step;
  const ticks: TimeTick[] = [];
  for (let at = first; at <= end; at += step)
    ticks.push({ at, text: textOf(new Date(at * 1000)), isMajor: step < DAY ? at % DAY === 0 : false });
  return ticks;
}

function monthTicks(start: number, end: number): TimeTick[] {
  const ticks: TimeTick[] = [];
  const first = new Date(start * 1000);
  for (let month = first.getUTCMonth(); ; month++) {
    const date = new Date(Date.UTC(first.getUTCFullYear(), month, 1));
    const at = date.getTime() / 1000;
    if (at > end) return ticks;
    const isMajor = date.getUTCMonth() === 0;
    if (at >= start)
      ticks.push({ at, text: isMajor ? String(date.getUTCFullYear()) : MONTHS[date.getUTCMonth()]!, isMajor });
  }
}

function hourText(date: Date): string {
  return date.getUTCHours() === 0 && date.getUTCMinutes() === 0 ? dayText(date) : date.toISOString().slice(11, 16);
}

function dayText(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

function weekdayText(date: Date): string {
  return `${WEEKDAYS[date.getUTCDay()]} ${dayText(date)}`;
}
