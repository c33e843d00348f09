// Draws stacked bars with uPlot. A separate module, so that uPlot is loaded only when a chart is shown.
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, type JSX } from 'react';
import uPlot from 'uplot';
import type { BarChartProps } from './bar-series.ts';
import { axisOf, axisWidth } from './chart-axis.ts';
import { seriesColour, type ChartColours } from './chart-colours.ts';

export interface BarCanvasProps extends BarChartProps {
  readonly colours: ChartColours;
}

const height = 260;
const characterWidth = 8;

export function BarCanvas(props: BarCanvasProps): JSX.Element {
  const { labels, series, format, label, colours } = props;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current!;
    const positions = labels.map((_, index) => index);
    const heights = stackValues(series.map(({ values }) => values));
    // The highest bars are drawn first, and the others in front of them.
    const drawn = series.map(({ name }, index) => ({ name, index })).toReversed();
    const data = [positions, ...drawn.map(({ index }) => heights[index]!)] as uPlot.AlignedData;
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        padding: [12, 12, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: [-0.5, labels.length - 0.5] },
          y: { range: (_plot, _min, max) => [0, Math.max(max ?? 0, 1) * 1.08] },
        },
        axes: [
          {
            ...axisOf(colours),
            grid: { show: false },
            splits: (self) => visiblePositions(labels, self.width),
            values: (_plot, splits) => splits.map((position) => labels[position] ?? ''),
          },
          { ...axisOf(colours), size: axisWidth, values: (_plot, amounts) => amounts.map(format) },
        ],
        series: [
          {},
          ...drawn.map(({ name, index }) => ({
            label: name,
            width: 0,
            fill: seriesColour(colours, index),
            paths: uPlot.paths.bars!({ size: [0.6, 64] }),
            points: { show: false },
          })),
        ],
      },
      data,
      element,
    );
    const resizeObserver = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resizeObserver.observe(element);
    return () => {
      resizeObserver.disconnect();
      plot.destroy();
    };
  }, [labels, series, format, colours]);
  return (
    <div ref={container} role="img" aria-label={label} style={{ minHeight: height, minWidth: 0, overflow: 'hidden' }} />
  );
}

/** A bar begins at the end of the one below it. Values below zero have no bar. */
function stackValues(values: readonly (readonly number[])[]): number[][] {
  const stacked: number[][] = [];
  for (const row of values)
    stacked.push(row.map((value, index) => Math.max(0, value) + (stacked.at(-1)?.[index] ?? 0)));
  return stacked;
}

/** Leaves labels out that would overlap. */
function visiblePositions(labels: readonly string[], width: number): number[] {
  const labelWidth = (Math.max(...labels.map(({ length }) => length)) + 1) * characterWidth;
  const step = Math.max(1, Math.ceil((labels.length * labelWidth) / Math.max(width - axisWidth, 1)));
  return [...labels.keys()].filter((position) => position % step === 0);
}
