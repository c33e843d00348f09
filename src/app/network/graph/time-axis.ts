// Places the lines and labels of a chart's time axis: hours of a day, days of a week or month, months of a year. All in
// UTC, like the bills.

export interface TimeTick {
  /** Seconds since 1970. */
  readonly at: number;
  readonly text: string;
  /** A stronger line, at the start of a day or month. */
  readonly isMajor: boolean;
}

export interface TimeAxis {
  readonly ticks: readonly TimeTick[];
  /** `between` if a label names the time up to the next tick, `at` if it names the tick. */
  readonly labels: 'at' | 'between';
}

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** The step for each span, up to its maximum. */
const axisFormats = [
  { span: 3 * hourSeconds, step: hourSeconds / 4 },
  { span: 8 * hourSeconds, step: hourSeconds / 2 },
  { span: 14 * hourSeconds, step: hourSeconds },
  { span: 30 * hourSeconds, step: 2 * hourSeconds },
  { span: 3 * daySeconds, step: 6 * hourSeconds },
  { span: 10 * daySeconds, step: daySeconds },
  { span: 20 * daySeconds, step: 2 * daySeconds },
  { span: 45 * daySeconds, step: 3 * daySeconds },
  { span: 100 * daySeconds, step: 7 * daySeconds },
] as const;

export function timeAxis(start: number, end: number): TimeAxis {
  const shape = axisFormats.find(({ span }) => end - start <= span);
  if (shape === undefined) return { ticks: monthTicks(start, end), labels: 'between' };
  const { step } = shape;
  if (step === daySeconds) return { ticks: stepTicks(start, end, step, weekdayText), labels: 'between' };
  return { ticks: stepTicks(start, end, step, step < daySeconds ? hourText : dayText), labels: 'at' };
}

export function periodText(start: number, end: number): string {
  // Up to the last second, so that a whole month does not end on the first of the next.
  const [first, last] = [new Date(start * 1000), new Date((end - 1) * 1000)];
  const isWholeDays = start % daySeconds === 0 && end % daySeconds === 0;
  const day = (date: Date) => `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  if (isWholeDays) return day(first) === day(last) ? `${day(first)}, UTC` : `${day(first)} – ${day(last)}, UTC`;
  const minute = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 16);
  return `${day(first)} ${minute(start)} – ${day(new Date(end * 1000))} ${minute(end)}, UTC`;
}

function stepTicks(start: number, end: number, step: number, textOf: (date: Date) => string): TimeTick[] {
  // Steps of several days start at the first day, steps within a day at midnight.
  const first = step > daySeconds ? Math.ceil(start / daySeconds) * daySeconds : Math.ceil(start / step) * step;
  const ticks: TimeTick[] = [];
  for (let at = first; at <= end; at += step)
    ticks.push({ at, text: textOf(new Date(at * 1000)), isMajor: step < daySeconds && at % daySeconds === 0 });
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
      ticks.push({ at, text: isMajor ? String(date.getUTCFullYear()) : monthNames[date.getUTCMonth()]!, isMajor });
  }
}

function hourText(date: Date): string {
  return date.getUTCHours() === 0 && date.getUTCMinutes() === 0 ? dayText(date) : date.toISOString().slice(11, 16);
}

function dayText(date: Date): string {
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`;
}

function weekdayText(date: Date): string {
  return `${weekdayNames[date.getUTCDay()]} ${dayText(date)}`;
}
