// The axes of all charts.
import type uPlot from 'uplot';
import { theme } from '../theme.ts';
import type { ChartColours } from './chart-colours.ts';

/** Of the axis of values, in pixels. */
export const axisWidth = 84;

export function axisOf({ text, grid }: ChartColours): uPlot.Axis {
  return {
    stroke: text,
    font: `12px ${theme.fontFamily}`,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid },
  };
}
