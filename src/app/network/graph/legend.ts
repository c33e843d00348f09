// The legend below a traffic chart: figures of each direction, the 95th percentile, and the meaning of shaded periods.
import { sampleMarks, type Series } from '#traffic/series.ts';
import type { TrafficStatistics } from '#traffic/statistics.ts';
import { label } from './label.ts';
import { colours, plotArea } from './layout.ts';
import { bytesText, rateText } from './units.ts';

export interface LegendData {
  readonly statistics: TrafficStatistics;
  readonly series: Series;
  readonly inHighest: number;
  readonly outHighest: number;
}

const legendTop = plotArea.bottom + 46;
const legendLineHeight = 19;
const legendColumns = { last: 250, average: 365, highest: 480, total: 590 } as const;
const asideLeft = 630;

export function legend({ statistics, series, inHighest, outHighest }: LegendData): string[] {
  const { percentile } = statistics;
  const aside = { weight: 'semibold', size: 12 } as const;
  const value = percentile.intervals > 0 ? rateText(percentile.bitsPerSecond) : '–';
  return [
    ...Object.entries(legendColumns).map(([name, x]) => {
      const head = `${name[0]!.toUpperCase()}${name.slice(1)}`;
      return label(x, legendTop, head, { anchor: 'end', colour: colours.faint, size: 11 });
    }),
    ...directionRow(1, 'In', colours.in, {
      last: rateText(statistics.inLastBitsPerSecond),
      average: rateText(statistics.inAverageBitsPerSecond),
      highest: rateText(inHighest),
      total: bytesText(statistics.inBytes),
    }),
    ...directionRow(2, 'Out', colours.out, {
      last: rateText(statistics.outLastBitsPerSecond),
      average: rateText(statistics.outAverageBitsPerSecond),
      highest: rateText(outHighest),
      total: bytesText(statistics.outBytes),
    }),
    `<path d="M${asideLeft} ${baseline(1) - 3.5}h26" stroke="${colours.percentile}" stroke-width="1.6" stroke-dasharray="6 4"/>`,
    label(asideLeft + 34, baseline(1), '95th percentile', { colour: colours.text, ...aside }),
    label(plotArea.right, baseline(1), value, { anchor: 'end', colour: colours.percentile, ...aside }),
    ...shadeLegend(series),
  ];
}

function directionRow(
  line: number,
  name: string,
  colour: string,
  values: Record<keyof typeof legendColumns, string>,
): string[] {
  return [
    `<rect x="${plotArea.left}" y="${baseline(line) - 10}" width="18" height="10" rx="2" fill="${colour}"/>`,
    label(plotArea.left + 26, baseline(line), name, { colour: colours.text, weight: 'semibold' }),
    ...Object.entries(legendColumns).map(([column, x]) =>
      label(x, baseline(line), values[column as keyof typeof legendColumns], { anchor: 'end', colour: colours.text }),
    ),
  ];
}

function shadeLegend({ marks }: Series): string[] {
  const kinds = [
    { mark: sampleMarks.missing, name: 'no data', colour: colours.unknown },
    { mark: sampleMarks.attack, name: 'attack', colour: colours.attack },
  ].filter(({ mark }) => marks.some((interval) => (interval & mark) !== 0));
  return kinds.flatMap(({ name, colour }, index) => {
    const at = asideLeft + index * 90;
    const frame = `fill="${colour}" stroke="${colours.gridMajor}"`;
    return [
      `<rect x="${at + 0.5}" y="${baseline(2) - 9.5}" width="25" height="10" rx="2" ${frame}/>`,
      label(at + 34, baseline(2), name, { colour: colours.faint, size: 11 }),
    ];
  });
}

function baseline(line: number): number {
  return legendTop + line * legendLineHeight;
}
