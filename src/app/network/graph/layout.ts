// The measures and colours of a traffic chart. The two directions differ in shape and in lightness as well as in hue, so that
// they can be told apart without colours.

export const WIDTH = 860;
export const HEIGHT = 332;
export const PLOT = { left: 84, right: 832, top: 52, bottom: 236 } as const;

export const COLOUR = {
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

/** A tenth of a pixel is as fine as anyone sees. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** In the middle of a pixel, so that a line is one pixel and not two grey ones. */
export function crisp(value: number): number {
  return Math.floor(value) + 0.5;
}
