// Dimensions and colours of a traffic chart. The two directions differ in shape and lightness as well as hue, for
// colour-blind readers.

export const chartWidth = 860;
export const chartHeight = 332;
export const plotArea = { left: 84, right: 832, top: 52, bottom: 236 } as const;

export const colours = {
  paper: '#ffffff',
  text: '#1f2933',
  faint: '#66727f',
  grid: '#e6eaee',
  gridMajor: '#cdd4db',
  axis: '#9aa5b1',
  in: '#12a594',
  out: '#3451d1',
  percentile: '#d6304a',
  limit: '#8d6b00',
  unknown: '#f1f3f5',
  attack: '#fdecee',
} as const;

/** Rounds to a tenth of a pixel, which is finer than anyone sees. */
export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Aligns to the middle of a pixel, so that a line is one pixel wide instead of two grey ones. */
export function pixelCentre(value: number): number {
  return Math.floor(value) + 0.5;
}
