// Draws values over time with uPlot, and those at the pointer or, with the keyboard, at a chosen interval. A separate
// module, so that uPlot is loaded only when a chart is shown.
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState, type JSX } from 'react';
import uPlot from 'uplot';
import { axisOf, axisWidth } from './chart-axis.ts';
import { seriesColour, useChartColours, type ChartColours } from './chart-colours.ts';
import { dateFormats } from './dates.ts';
import { LegendEntry } from './chart-legend.tsx';
import classes from './time-canvas.module.css';
import { t } from '../text/text.ts';

export interface Span {
  readonly from: number;
  readonly until: number;
}
export interface TimeSeries {
  readonly name: string;
  /** One for each start; null leaves a gap in the line. */
  readonly values: readonly (number | null)[];
}
/** A line across the chart, such as the 95th percentile. */
export interface Level {
  readonly value: number;
  readonly colour: string;
  readonly dash: number[];
}
/** Shaded parts, such as attacks. */
export interface Bands {
  readonly name: string;
  readonly colour: string;
  readonly spans: readonly (readonly [from: number, until: number])[];
}
export interface TimeCanvasProps {
  /** Of the intervals, in Unix seconds. */
  readonly starts: readonly number[];
  readonly series: readonly TimeSeries[];
  readonly format: (value: number) => string;
  /** The top of the scale, if no value exceeds it. */
  readonly least: number;
  readonly levels?: readonly Level[];
  readonly bands?: Bands;
  readonly span: Span;
  /** Describes the chart to people who cannot see it. */
  readonly label: string;
  readonly height: number;
  readonly onZoom: (span: Span) => void;
}

const minZoomSeconds = 600;
/** Between labels of the axis of values. */
const labelSpacePx = 30;

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

export function TimeCanvas(props: TimeCanvasProps): JSX.Element {
  const { starts, series, format, least, levels, bands, span, label, height, onZoom } = props;
  const colours = useChartColours();
  const container = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(null);
  const [point, setPoint] = useState<Point>();
  useEffect(() => {
    const element = container.current!;
    const drawing = { series, format, least, levels, bands, span, height, onZoom, colours, onPoint: setPoint };
    const data = [[...starts], ...series.map(({ values }) => [...values])] as uPlot.AlignedData;
    const plot = new uPlot(plotOptions(drawing, element.clientWidth), data, element);
    drawn.current = plot;
    const resizeObserver = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resizeObserver.observe(element);
    return () => {
      resizeObserver.disconnect();
      plot.destroy();
    };
  }, [starts, series, format, least, levels, bands, span, height, onZoom, colours]);
  const first = starts.findIndex((start) => start >= span.from);
  const last = starts.findLastIndex((start) => start <= span.until);
  const index = point?.index ?? last;
  const move = (to: number): void => moveCursor(drawn.current, props, to);
  return (
    <div className={classes['graph']}>
      <div ref={container} role="img" aria-label={label} className={classes['canvas']} style={{ minHeight: height }} />
      {/* Browsers give it the keys that choose an interval, and screen readers say its values. */}
      <input
        type="range"
        className={classes['keys']}
        aria-label={t('Interval of the graph')}
        aria-valuetext={pointText(props, index)}
        min={first}
        max={last}
        value={index}
        onChange={({ currentTarget }) => move(Number(currentTarget.value))}
        onFocus={() => move(index)}
        onBlur={() => setPoint(undefined)}
      />
      {point !== undefined && <PointValues chart={props} colours={colours} point={point} />}
    </div>
  );
}

/** An interval, and where it is in the chart, from 0 to 1. */
interface Point {
  readonly index: number;
  readonly left: number;
}

function moveCursor(plot: uPlot | null, { starts, series }: TimeCanvasProps, index: number): void {
  const highest = Math.max(...series.map(({ values }) => values[index] ?? 0));
  plot?.setCursor({ left: plot.valToPos(starts[index]!, 'x'), top: plot.valToPos(highest, 'y') });
}

function valueText({ format }: TimeCanvasProps, value: number | null | undefined): string {
  return typeof value === 'number' ? format(value) : t('no data');
}

function pointText(chart: TimeCanvasProps, index: number): string {
  const time = dateFormats().dayClock(new Date(chart.starts[index]! * 1000));
  const values = chart.series.map(({ name, values: all }) => `${name} ${valueText(chart, all[index])}`);
  return `${time}: ${values.join(', ')}`;
}

interface PointValuesProps {
  readonly chart: TimeCanvasProps;
  readonly colours: ChartColours;
  readonly point: Point;
}

/** On the side of the pointer that has more space. */
function PointValues({ chart, colours, point: { index, left } }: PointValuesProps): JSX.Element {
  const start = chart.starts[index]!;
  const side = left < 0.5 ? { left: `calc(${left * 100}% + 14px)` } : { right: `calc(${(1 - left) * 100}% + 14px)` };
  return (
    <div className={classes['values']} style={side} aria-hidden="true">
      <strong className="numbers">{dateFormats().dayClock(new Date(start * 1000))}</strong>
      {chart.series.map(({ name, values }, order) => (
        <LegendEntry
          key={name}
          colour={seriesColour(colours, order)}
          name={name}
          value={valueText(chart, values[index])}
        />
      ))}
      {chart.bands?.spans.some(([from, until]) => from <= start && start < until) && (
        <LegendEntry colour={chart.bands.colour} name={chart.bands.name} />
      )}
    </div>
  );
}

/** Returns a date whose local time in the browser is that of the chosen zone, so that labels are at round times. */
function localDate(seconds: number): Date {
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() + dateFormats().offset(date) + date.getTimezoneOffset() * 60_000);
}

type Drawing = Pick<TimeCanvasProps, 'series' | 'format' | 'least' | 'span' | 'height' | 'onZoom'> & {
  readonly levels: readonly Level[] | undefined;
  readonly bands: Bands | undefined;
  readonly colours: ChartColours;
  readonly onPoint: (point: Point | undefined) => void;
};

function plotOptions(drawing: Drawing, width: number): uPlot.Options {
  const { series, format, least, levels = [], bands, span, height, onZoom, colours, onPoint } = drawing;
  const axis = axisOf(colours);
  const highestLevel = Math.max(least, ...levels.map(({ value }) => value));
  return {
    width,
    height,
    tzDate: localDate,
    padding: [8, 28, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: [span.from, span.until] },
      y: { range: (_plot, _min, max) => [0, Math.max(max ?? 0, highestLevel) * 1.08] },
    },
    axes: [
      { ...axis, space: 80, values: (_plot, timestamps, _axis, _space, step) => timestamps.map(timeLabel(step)) },
      { ...axis, size: axisWidth, space: labelSpacePx, values: (_plot, values) => values.map(format) },
    ],
    series: [
      {},
      ...series.map(({ name }, index) => ({
        label: name,
        stroke: seriesColour(colours, index),
        fill: colours.fills[index % colours.fills.length]!,
        width: 1.5,
        spanGaps: false,
        points: { show: false },
      })),
    ],
    hooks: {
      drawClear: [(plot) => bands !== undefined && shadeBands(plot, bands)],
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

function shadeBands(plot: uPlot, { colour, spans }: Bands): void {
  const { left, top, width, height } = plot.bbox;
  plot.ctx.save();
  plot.ctx.beginPath();
  plot.ctx.rect(left, top, width, height);
  plot.ctx.clip();
  plot.ctx.fillStyle = colour;
  for (const [from, until] of spans) {
    const begin = plot.valToPos(from, 'x', true);
    // Wide enough to be visible in a month's graph.
    plot.ctx.fillRect(begin, top, Math.max(3, plot.valToPos(until, 'x', true) - begin), height);
  }
  plot.ctx.restore();
}

function drawLevel(plot: uPlot, { value, colour, dash }: Level): void {
  const { left, width } = plot.bbox;
  const y = plot.valToPos(value, 'y', true);
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
