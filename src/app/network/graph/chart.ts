// The traffic chart of a port as SVG. Inbound traffic is an area, outbound a line, the 95th percentile a dashed line across;
// where nothing is known the chart says so instead of drawing zero. The same data gives the same bytes.
import { INTERVAL_SECONDS, MARK, type Series } from '#kernel/traffic/series.ts';
import type { TrafficStatistics } from '#kernel/traffic/statistics.ts';
import { type Band, bandsOf, type Bucket, bucketsOf } from './buckets.ts';
import { fitting, label } from './label.ts';
import { COLOUR, crisp, HEIGHT, PLOT, rounded, WIDTH } from './layout.ts';
import { legend } from './legend.ts';
import { periodText, timeAxis } from './time-axis.ts';
import { type RateScale, rateScale, rateText } from './units.ts';

export interface Chart {
  readonly title: string;
  readonly series: Series;
  readonly statistics: TrafficStatistics;
  /** 0 where it is not known. A port near its limit gets a line there. */
  readonly speedBitsPerSecond: number;
}

/** Above this share of its speed a port is shown against its limit. */
const NEAR_LIMIT_SHARE = 0.75;
/** Above the limit there must be room for its name. */
const LIMIT_ROOM = 1.02;
const TITLE = { width: 520, size: 15 } as const;
/** A day or month that the chart shows too little of has no room for its name. */
const LEAST_NAMED_WIDTH = 34;

export function chartSvg({ title, series, statistics, speedBitsPerSecond }: Chart): string {
  const end = series.start + series.marks.length * INTERVAL_SECONDS;
  const buckets = bucketsOf(series, PLOT.right - PLOT.left);
  const inHighest = highestOf(buckets, (bucket) => bucket.inHighest);
  const outHighest = highestOf(buckets, (bucket) => bucket.outHighest);
  const highest = Math.max(inHighest, outHighest);
  const limit = speedBitsPerSecond > 0 && highest >= speedBitsPerSecond * NEAR_LIMIT_SHARE ? speedBitsPerSecond : 0;
  const scale = rateScale(Math.max(highest, statistics.percentile.bitsPerSecond, limit * LIMIT_ROOM));
  const axes: Axes = {
    x: (at) => PLOT.left + ((at - series.start) / (end - series.start)) * (PLOT.right - PLOT.left),
    y: (rate) => PLOT.bottom - (rate / scale.top) * (PLOT.bottom - PLOT.top),
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${COLOUR.paper}"/>`,
    label(20, 30, fitting(title, TITLE), { colour: COLOUR.text, size: TITLE.size, weight: 'semibold' }),
    label(PLOT.right, 30, periodText(series.start, end), { anchor: 'end', colour: COLOUR.faint }),
    ...bandsOf(series, MARK.missing).map((band) => bandShape(band, axes, COLOUR.unknown)),
    ...bandsOf(series, MARK.attack).map((band) => bandShape(band, axes, COLOUR.attack)),
    ...rateGrid(scale, axes),
    ...timeGrid(series.start, end, axes),
    ...traffic(buckets, axes),
    ...(limit > 0 ? limitLine(limit, axes) : []),
    ...(statistics.percentile.intervals > 0
      ? [ruler(axes.y(statistics.percentile.bitsPerSecond), COLOUR.percentile, '6 4')]
      : []),
    `<path d="M${crisp(PLOT.left)} ${PLOT.top}V${crisp(PLOT.bottom)}H${PLOT.right}" fill="none" stroke="${COLOUR.axis}"/>`,
    ...(highest === 0 ? [emptyNote(buckets)] : []),
    ...legend({ statistics, series, inHighest, outHighest }),
    '</svg>',
  ].join('');
}

interface Axes {
  x(at: number): number;
  y(rate: number): number;
}

type Buckets = readonly (Bucket | undefined)[];
type Pick = (bucket: Bucket) => number;

function highestOf(buckets: Buckets, pick: Pick): number {
  return buckets.reduce((most, bucket) => Math.max(most, bucket === undefined ? 0 : pick(bucket)), 0);
}

function rateGrid({ ticks }: RateScale, { y }: Axes): string[] {
  const lines = ticks.map(({ value }) => `M${PLOT.left} ${crisp(y(value))}H${PLOT.right}`).join('');
  const labels = ticks.map(({ value, text }) =>
    label(PLOT.left - 8, y(value) + 4, text, { anchor: 'end', colour: COLOUR.faint, size: 11 }),
  );
  return [`<path d="${lines}" stroke="${COLOUR.grid}"/>`, ...labels];
}

function timeGrid(start: number, end: number, { x }: Axes): string[] {
  const { ticks, labels } = timeAxis(start, end);
  const lines = (kind: 'major' | 'minor') =>
    ticks
      .filter(({ isMajor }) => isMajor === (kind === 'major'))
      .map(({ at }) => `M${crisp(x(at))} ${PLOT.top}V${PLOT.bottom}`)
      .join('');
  const grid = [
    `<path d="${lines('minor')}" stroke="${COLOUR.grid}"/>`,
    `<path d="${lines('major')}" stroke="${COLOUR.gridMajor}"/>`,
  ];
  const named = (at: number, text: string) =>
    label(x(at), PLOT.bottom + 17, text, { anchor: 'middle', colour: COLOUR.faint, size: 11 });
  if (labels === 'at') return [...grid, ...ticks.map(({ at, text }) => named(at, text))];
  const spans = ticks.map(({ at, text }, index) => ({ at, text, until: Math.min(ticks[index + 1]?.at ?? end, end) }));
  const wide = spans.filter(({ at, until }) => x(until) - x(at) > LEAST_NAMED_WIDTH);
  return [...grid, ...wide.map(({ at, text, until }) => named((at + until) / 2, text))];
}

function traffic(buckets: Buckets, { x, y }: Axes): string[] {
  const runs = runsOf(buckets).map((run) => run.map((bucket) => ({ bucket, x: String(rounded(x(bucket.at))) })));
  const points = (run: (typeof runs)[number], pick: Pick) =>
    run.map((point) => `${point.x} ${rounded(y(pick(point.bucket)))}`).join('L');
  const filled = (pick: Pick, colour: string, opacity: number) => {
    const areas = runs.map((run) => `M${run[0]!.x} ${PLOT.bottom}L${points(run, pick)}V${PLOT.bottom}Z`);
    return `<path d="${areas.join('')}" fill="${colour}" fill-opacity="${opacity}"/>`;
  };
  // A line of one pixel is drawn in half the time of a wider one.
  const drawn = (pick: Pick, colour: string) =>
    `<path d="${runs.map((run) => `M${points(run, pick)}`).join('')}" fill="none" stroke="${colour}"/>`;
  const isAveraged = buckets.some(
    (bucket) => bucket !== undefined && bucket.inHighest + bucket.outHighest > bucket.inAverage + bucket.outAverage,
  );
  return [
    ...(isAveraged ? [filled((bucket) => bucket.outHighest, COLOUR.out, 0.16)] : []),
    ...(isAveraged ? [filled((bucket) => bucket.inHighest, COLOUR.in, 0.2)] : []),
    filled((bucket) => bucket.inAverage, COLOUR.in, 0.4),
    drawn((bucket) => bucket.inAverage, COLOUR.in),
    drawn((bucket) => bucket.outAverage, COLOUR.out),
  ];
}

/** Lines break where nothing is known. */
function runsOf(buckets: Buckets): Bucket[][] {
  const runs: Bucket[][] = [];
  let run: Bucket[] | undefined;
  for (const bucket of buckets) {
    if (bucket === undefined) run = undefined;
    else if (run === undefined) runs.push((run = [bucket]));
    else run.push(bucket);
  }
  return runs;
}

function limitLine(limit: number, { y }: Axes): string[] {
  const words = `Port speed ${rateText(limit)}`;
  return [
    ruler(y(limit), COLOUR.limit, '2 3'),
    label(PLOT.right - 4, y(limit) - 4, words, { anchor: 'end', colour: COLOUR.limit, size: 11 }),
  ];
}

function ruler(height: number, colour: string, dashes: string): string {
  const place = `M${PLOT.left} ${crisp(height)}H${PLOT.right}`;
  return `<path d="${place}" stroke="${colour}" stroke-width="1.6" stroke-dasharray="${dashes}"/>`;
}

function bandShape({ start, end }: Band, { x }: Axes, colour: string): string {
  const [left, width] = [rounded(x(start)), Math.max(rounded(x(end) - x(start)), 1)];
  return `<rect x="${left}" y="${PLOT.top}" width="${width}" height="${PLOT.bottom - PLOT.top}" fill="${colour}"/>`;
}

function emptyNote(buckets: Buckets): string {
  const isKnown = buckets.some((bucket) => bucket !== undefined);
  const words = isKnown ? 'No traffic in this period' : 'Nothing is known of this period';
  const [x, y] = [(PLOT.left + PLOT.right) / 2, (PLOT.top + PLOT.bottom) / 2];
  return label(x, y, words, { anchor: 'middle', colour: COLOUR.faint, size: 13 });
}
