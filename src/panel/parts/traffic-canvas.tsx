// Draws a traffic graph with uPlot, and the values at the pointer or, with the keyboard, at a chosen interval. A separate
// module, so that uPlot is loaded only when a graph is shown.
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState, type JSX } from 'react';
import uPlot from 'uplot';
import { theme } from '../theme.ts';
import { dateFormats } from './dates.ts';
import { LegendEntry } from './traffic-legend.tsx';
import { rateText } from './traffic-units.ts';
import type { TrafficColours } from './traffic-colours.ts';
import type { Traffic } from './traffic-data.ts';
import classes from './traffic-canvas.module.css';
import { t } from '../text/text.ts';

export interface Span {
  readonly from: number;
  readonly until: number;
}
/** A line across the graph, such as the 95th percentile. */
export interface Level {
  readonly rate: number;
  readonly colour: string;
  readonly dash: number[];
}
export interface TrafficCanvasProps {
  readonly traffic: Traffic;
  readonly levels: readonly Level[];
  readonly colours: TrafficColours;
  readonly span: Span;
  readonly label: string;
  readonly onZoom: (span: Span) => void;
}

/** Formats the labels of the time axis: the date is added below the first label and the first one of each day. */
function timeLabel(stepSeconds: number): (seconds: number, index: number) => string {
  return (seconds, index) => {
    const { clock, shortDay } = dateFormats();
    const date = new Date(seconds * 1000);
    if (stepSeconds >= 86_400) return shortDay(date);
    const isNewDay = shortDay(date) !== shortDay(new Date((seconds - stepSeconds) * 1000));
    return index === 0 || isNewDay ? `${clock(date)}\n${shortDay(date)}` : clock(date);
  };
}

const height = 280;
const minZoomSeconds = 600;

export function TrafficCanvas(props: TrafficCanvasProps): JSX.Element {
  const { traffic, levels, colours, span, label, onZoom } = props;
  const container = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(null);
  const [point, setPoint] = useState<Point>();
  useEffect(() => {
    const element = container.current!;
    const { starts, inRates, outRates } = traffic;
    const options = plotOptions({ traffic, levels, colours, span, onZoom, onPoint: setPoint }, element.clientWidth);
    const plot = new uPlot(options, [[...starts], [...inRates], [...outRates]], element);
    drawn.current = plot;
    const resizeObserver = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resizeObserver.observe(element);
    return () => {
      resizeObserver.disconnect();
      plot.destroy();
    };
  }, [traffic, levels, colours, span, onZoom]);
  const first = traffic.starts.findIndex((start) => start >= span.from);
  const last = traffic.starts.findLastIndex((start) => start <= span.until);
  const index = point?.index ?? last;
  return (
    <div className={classes['graph']}>
      <div ref={container} role="img" aria-label={label} className={classes['canvas']} style={{ minHeight: height }} />
      {/* Browsers give it the keys that choose an interval, and screen readers say its values. */}
      <input
        type="range"
        className={classes['keys']}
        aria-label={t('Interval of the graph')}
        aria-valuetext={pointText(traffic, index)}
        min={first}
        max={last}
        value={index}
        onChange={({ currentTarget }) => moveCursor(drawn.current, traffic, Number(currentTarget.value))}
        onFocus={() => moveCursor(drawn.current, traffic, index)}
        onBlur={() => setPoint(undefined)}
      />
      {point !== undefined && <PointValues traffic={traffic} colours={colours} point={point} />}
    </div>
  );
}

/** An interval, and where it is in the graph, from 0 to 1. */
interface Point {
  readonly index: number;
  readonly left: number;
}

function moveCursor(plot: uPlot | null, { starts, inRates, outRates }: Traffic, index: number): void {
  const highest = Math.max(inRates[index] ?? 0, outRates[index] ?? 0);
  plot?.setCursor({ left: plot.valToPos(starts[index]!, 'x'), top: plot.valToPos(highest, 'y') });
}

const rateOrNone = (rate: number | null | undefined): string =>
  typeof rate === 'number' ? rateText(rate) : t('no data');

function pointText({ starts, inRates, outRates }: Traffic, index: number): string {
  return t('{time}: {in} in, {out} out', {
    time: dateFormats().dayClock(new Date(starts[index]! * 1000)),
    in: rateOrNone(inRates[index]),
    out: rateOrNone(outRates[index]),
  });
}

interface PointValuesProps extends Pick<TrafficCanvasProps, 'traffic' | 'colours'> {
  readonly point: Point;
}

/** On the side of the pointer that has more space. */
function PointValues({ traffic, colours, point: { index, left } }: PointValuesProps): JSX.Element {
  const { starts, inRates, outRates, attacks } = traffic;
  const start = starts[index]!;
  const side = left < 0.5 ? { left: `calc(${left * 100}% + 14px)` } : { right: `calc(${(1 - left) * 100}% + 14px)` };
  return (
    <div className={classes['values']} style={side} aria-hidden="true">
      <strong className="numbers">{dateFormats().dayClock(new Date(start * 1000))}</strong>
      <LegendEntry colour={colours.inward} name={t('In')} value={rateOrNone(inRates[index])} />
      <LegendEntry colour={colours.outward} name={t('Out')} value={rateOrNone(outRates[index])} />
      {attacks.some(([from, until]) => from <= start && start < until) && (
        <LegendEntry colour={colours.attack} name={t('Attack')} />
      )}
    </div>
  );
}

type PlotProps = Omit<TrafficCanvasProps, 'label'> & { readonly onPoint: (point: Point | undefined) => void };

function plotOptions({ traffic, levels, colours, span, onZoom, onPoint }: PlotProps, width: number): uPlot.Options {
  const axis = {
    stroke: colours.text,
    font: `12px ${theme.fontFamily}`,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid },
  };
  const series = { width: 1.5, spanGaps: false, points: { show: false } };
  const highestLevel = Math.max(1000, ...levels.map(({ rate }) => rate));
  return {
    width,
    height,
    padding: [8, 28, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: [span.from, span.until] },
      y: { range: (_plot, _min, max) => [0, Math.max(max ?? 0, highestLevel) * 1.08] },
    },
    axes: [
      { ...axis, space: 80, values: (_plot, timestamps, _axis, _space, step) => timestamps.map(timeLabel(step)) },
      { ...axis, size: 84, values: (_plot, rates) => rates.map(rateText) },
    ],
    series: [
      {},
      { ...series, label: t('In'), stroke: colours.inward, fill: colours.inwardFill },
      { ...series, label: t('Out'), stroke: colours.outward, fill: colours.outwardFill },
    ],
    hooks: {
      drawClear: [(plot) => shadeAttacks(plot, traffic, colours.attack)],
      draw: [(plot) => levels.forEach((level) => drawLevel(plot, level))],
      setCursor: [
        (plot) => {
          const { idx, left = -1 } = plot.cursor;
          if (typeof idx !== 'number' || left < 0) return onPoint(undefined);
          onPoint({ index: idx, left: (plot.bbox.left / devicePixelRatio + left) / plot.width });
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width: selected } = plot.select;
          const [from, until] = [plot.posToVal(left, 'x'), plot.posToVal(left + selected, 'x')];
          if (until - from >= minZoomSeconds) onZoom({ from, until });
        },
      ],
    },
  };
}

function shadeAttacks(plot: uPlot, { attacks }: Traffic, colour: string): void {
  const { left, top, width, height: plotHeight } = plot.bbox;
  plot.ctx.save();
  plot.ctx.beginPath();
  plot.ctx.rect(left, top, width, plotHeight);
  plot.ctx.clip();
  plot.ctx.fillStyle = colour;
  for (const [from, until] of attacks) {
    const begin = plot.valToPos(from, 'x', true);
    // Wide enough to be visible in a month's graph.
    plot.ctx.fillRect(begin, top, Math.max(3, plot.valToPos(until, 'x', true) - begin), plotHeight);
  }
  plot.ctx.restore();
}

function drawLevel(plot: uPlot, { rate, colour, dash }: Level): void {
  const { left, width } = plot.bbox;
  const y = plot.valToPos(rate, 'y', true);
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(left, y);
  ctx.lineTo(left + width, y);
  ctx.stroke();
  ctx.restore();
}
