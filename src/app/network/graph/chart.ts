// Renders the traffic chart of a port as SVG. Inbound traffic is an area, outbound a line, the 95th percentile a dashed
// line; periods without data are shaded instead of drawn as zero. The same data gives the same bytes.
import { intervalSeconds, sampleMarks, type Series } from '#traffic/series.ts';
import type { TrafficStatistics } from '#traffic/statistics.ts';
import { type Band, findBands, type Bucket, computeBuckets } from './buckets.ts';
import { truncateToFit, label } from './label.ts';
import { colours, pixelCentre, chartHeight, plotArea, roundToTenth, chartWidth } from './layout.ts';
import { legend } from './legend.ts';
import { periodText, timeAxis } from './time-axis.ts';
import { type RateScale, rateScale, rateText } from './units.ts';

export interface Chart {
  readonly title: string;
  readonly series: Series;
  readonly statistics: TrafficStatistics;
  /** 0 if unknown. A port close to its limit gets a line there. */
  readonly speedBitsPerSecond: number;
}

/** Above this share of its speed, a port is shown with its limit. */
const nearLimitShare = 0.75;
/** Leaves space for the name above the limit. */
const limitHeadroom = 1.02;
const titleBox = { width: 520, size: 15 } as const;
/** A day or month narrower than this has no space for its name. */
const minNamedWidth = 34;

export function chartSvg({ title, series, statistics, speedBitsPerSecond }: Chart): string {
  const end = series.start + series.marks.length * intervalSeconds;
  const buckets = computeBuckets(series, plotArea.right - plotArea.left);
  const inHighest = maxRate(buckets, (bucket) => bucket.inHighest);
  const outHighest = maxRate(buckets, (bucket) => bucket.outHighest);
  const highest = Math.max(inHighest, outHighest);
  const limit = speedBitsPerSecond > 0 && highest >= speedBitsPerSecond * nearLimitShare ? speedBitsPerSecond : 0;
  const scale = rateScale(Math.max(highest, statistics.percentile.bitsPerSecond, limit * limitHeadroom));
  const axes: Axes = {
    x: (at) => plotArea.left + ((at - series.start) / (end - series.start)) * (plotArea.right - plotArea.left),
    y: (rate) => plotArea.bottom - (rate / scale.top) * (plotArea.bottom - plotArea.top),
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${chartWidth}" height="${chartHeight}">`,
    `<rect width="${chartWidth}" height="${chartHeight}" fill="${colours.paper}"/>`,
    label(20, 30, truncateToFit(title, titleBox), { colour: colours.text, size: titleBox.size, weight: 'semibold' }),
    label(plotArea.right, 30, periodText(series.start, end), { anchor: 'end', colour: colours.faint }),
    ...findBands(series, sampleMarks.missing).map((band) => bandShape(band, axes, colours.unknown)),
    ...findBands(series, sampleMarks.attack).map((band) => bandShape(band, axes, colours.attack)),
    ...rateGrid(scale, axes),
    ...timeGrid(series.start, end, axes),
    ...traffic(buckets, axes),
    ...(limit > 0 ? limitLine(limit, axes) : []),
    ...(statistics.percentile.intervals > 0
      ? [ruler(axes.y(statistics.percentile.bitsPerSecond), colours.percentile, '6 4')]
      : []),
    `<path d="M${pixelCentre(plotArea.left)} ${plotArea.top}V${pixelCentre(plotArea.bottom)}H${plotArea.right}" fill="none" stroke="${colours.axis}"/>`,
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

function maxRate(buckets: Buckets, pick: Pick): number {
  return buckets.reduce((highest, bucket) => Math.max(highest, bucket === undefined ? 0 : pick(bucket)), 0);
}

function rateGrid({ ticks }: RateScale, { y }: Axes): string[] {
  const lines = ticks.map(({ value }) => `M${plotArea.left} ${pixelCentre(y(value))}H${plotArea.right}`).join('');
  const labels = ticks.map(({ value, text }) =>
    label(plotArea.left - 8, y(value) + 4, text, { anchor: 'end', colour: colours.faint, size: 11 }),
  );
  return [`<path d="${lines}" stroke="${colours.grid}"/>`, ...labels];
}

function timeGrid(start: number, end: number, { x }: Axes): string[] {
  const { ticks, labels } = timeAxis(start, end);
  const lines = (kind: 'major' | 'minor') =>
    ticks
      .filter(({ isMajor }) => isMajor === (kind === 'major'))
      .map(({ at }) => `M${pixelCentre(x(at))} ${plotArea.top}V${plotArea.bottom}`)
      .join('');
  const grid = [
    `<path d="${lines('minor')}" stroke="${colours.grid}"/>`,
    `<path d="${lines('major')}" stroke="${colours.gridMajor}"/>`,
  ];
  const timeLabel = (at: number, text: string) =>
    label(x(at), plotArea.bottom + 17, text, { anchor: 'middle', colour: colours.faint, size: 11 });
  if (labels === 'at') return [...grid, ...ticks.map(({ at, text }) => timeLabel(at, text))];
  const spans = ticks.map(({ at, text }, index) => ({ at, text, until: Math.min(ticks[index + 1]?.at ?? end, end) }));
  const visible = spans.filter(({ at, until }) => x(until) - x(at) > minNamedWidth);
  return [...grid, ...visible.map(({ at, text, until }) => timeLabel((at + until) / 2, text))];
}

function traffic(buckets: Buckets, { x, y }: Axes): string[] {
  const runs = splitRuns(buckets).map((run) =>
    run.map((bucket) => ({ bucket, x: String(roundToTenth(x(bucket.at))) })),
  );
  const points = (run: (typeof runs)[number], pick: Pick) =>
    run.map((point) => `${point.x} ${roundToTenth(y(pick(point.bucket)))}`).join('L');
  // Edges of areas are pale or below a line. Without smoothing, a chart renders in three quarters of the time.
  const area = (pick: Pick, colour: string, opacity: number) => {
    const areas = runs.map((run) => `M${run[0]!.x} ${plotArea.bottom}L${points(run, pick)}V${plotArea.bottom}Z`);
    return `<path d="${areas.join('')}" fill="${colour}" fill-opacity="${opacity}" shape-rendering="crispEdges"/>`;
  };
  // A one-pixel line renders in half the time of a wider one.
  const line = (pick: Pick, colour: string) =>
    `<path d="${runs.map((run) => `M${points(run, pick)}`).join('')}" fill="none" stroke="${colour}"/>`;
  const isAveraged = buckets.some(
    (bucket) => bucket !== undefined && bucket.inHighest + bucket.outHighest > bucket.inAverage + bucket.outAverage,
  );
  return [
    ...(isAveraged ? [area((bucket) => bucket.outHighest, colours.out, 0.16)] : []),
    ...(isAveraged ? [area((bucket) => bucket.inHighest, colours.in, 0.2)] : []),
    area((bucket) => bucket.inAverage, colours.in, 0.4),
    line((bucket) => bucket.inAverage, colours.in),
    line((bucket) => bucket.outAverage, colours.out),
  ];
}

/** Buckets without data interrupt the line. */
function splitRuns(buckets: Buckets): Bucket[][] {
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
  const text = `Port speed ${rateText(limit)}`;
  return [
    ruler(y(limit), colours.limit, '2 3'),
    label(plotArea.right - 4, y(limit) - 4, text, { anchor: 'end', colour: colours.limit, size: 11 }),
  ];
}

function ruler(height: number, colour: string, dashes: string): string {
  const line = `M${plotArea.left} ${pixelCentre(height)}H${plotArea.right}`;
  return `<path d="${line}" stroke="${colour}" stroke-width="1.6" stroke-dasharray="${dashes}"/>`;
}

function bandShape({ start, end }: Band, { x }: Axes, colour: string): string {
  const [left, width] = [roundToTenth(x(start)), Math.max(roundToTenth(x(end) - x(start)), 1)];
  return `<rect x="${left}" y="${plotArea.top}" width="${width}" height="${plotArea.bottom - plotArea.top}" fill="${colour}"/>`;
}

function emptyNote(buckets: Buckets): string {
  const isKnown = buckets.some((bucket) => bucket !== undefined);
  const text = isKnown ? 'No traffic in this period' : 'No data for this period';
  const [x, y] = [(plotArea.left + plotArea.right) / 2, (plotArea.top + plotArea.bottom) / 2];
  return label(x, y, text, { anchor: 'middle', colour: colours.faint, size: 13 });
}
