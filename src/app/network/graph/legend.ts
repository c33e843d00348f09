// What stands under a traffic chart: the figures of each direction, the 95th percentile, and what shaded times mean.
import { MARK, type Series } from '#kernel/traffic/series.ts';
import type { TrafficStatistics } from '#kernel/traffic/statistics.ts';
import { label } from './label.ts';
import { COLOUR, PLOT } from './layout.ts';
import { bytesText, rateText } from './units.ts';

export interface LegendData {
  readonly statistics: TrafficStatistics;
  readonly series: Series;
  readonly inHighest: number;
  readonly outHighest: number;
}

const TOP = PLOT.bottom + 46;
const LINE_HEIGHT = 19;
const COLUMNS = { last: 250, average: 365, highest: 480, total: 590 } as const;
const ASIDE = 630;

export function legend({ statistics, series, inHighest, outHighest }: LegendData): string[] {
  const { percentile } = statistics;
  const aside = { weight: 'semibold', size: 12 } as const;
  const value = percentile.intervals > 0 ? rateText(percentile.bitsPerSecond) : '–';
  return [
    ...Object.entries(COLUMNS).map(([name, x]) => {
      const head = `${name[0]!.toUpperCase()}${name.slice(1)}`;
      return label(x, TOP, head, { anchor: 'end', colour: COLOUR.faint, size: 11 });
    }),
    ...direction(1, 'In', COLOUR.in, {
      last: rateText(statistics.inLastBitsPerSecond),
      average: rateText(statistics.inAverageBitsPerSecond),
      highest: rateText(inHighest),
      total: bytesText(statistics.inBytes),
    }),
    ...direction(2, 'Out', COLOUR.out, {
      last: rateText(statistics.outLastBitsPerSecond),
      average: rateText(statistics.outAverageBitsPerSecond),
      highest: rateText(outHighest),
      total: bytesText(statistics.outBytes),
    }),
    `<path d="M${ASIDE} ${baseline(1) - 3.5}h26" stroke="${COLOUR.percentile}" stroke-width="1.6" stroke-dasharray="6 4"/>`,
    label(ASIDE + 34, baseline(1), '95th percentile', { colour: COLOUR.text, ...aside }),
    label(PLOT.right, baseline(1), value, { anchor: 'end', colour: COLOUR.percentile, ...aside }),
    ...shades(series),
  ];
}

function direction(line: number, name: string, colour: string, values: Record<keyof typeof COLUMNS, string>): string[] {
  return [
    `<rect x="${PLOT.left}" y="${baseline(line) - 10}" width="18" height="10" rx="2" fill="${colour}"/>`,
    label(PLOT.left + 26, baseline(line), name, { colour: COLOUR.text, weight: 'semibold' }),
    ...Object.entries(COLUMNS).map(([column, x]) =>
      label(x, baseline(line), values[column as keyof typeof COLUMNS], { anchor: 'end', colour: COLOUR.text }),
    ),
  ];
}

function shades({ marks }: Series): string[] {
  const kinds = [
    { mark: MARK.missing, name: 'no data', colour: COLOUR.unknown },
    { mark: MARK.attack, name: 'attack', colour: COLOUR.attack },
  ].filter(({ mark }) => marks.some((some) => (some & mark) !== 0));
  return kinds.flatMap(({ name, colour }, index) => {
    const at = ASIDE + index * 90;
    const frame = `fill="${colour}" stroke="${COLOUR.gridMajor}"`;
    return [
      `<rect x="${at + 0.5}" y="${baseline(2) - 9.5}" width="25" height="10" rx="2" ${frame}/>`,
      label(at + 34, baseline(2), name, { colour: COLOUR.faint, size: 11 }),
    ];
  });
}

function baseline(line: number): number {
  return TOP + line * LINE_HEIGHT;
}
