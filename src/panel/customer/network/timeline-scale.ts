// Coordinates of a timeline: time runs from left to right, rate from bottom to top.

export interface Scale {
  x(seconds: number): number;
  y(rate: number): number;
}
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function createScale(frame: Frame, from: number, until: number, max: number): Scale {
  const length = Math.max(1, until - from);
  const highest = Math.max(1, max);
  return {
    x: (seconds) => frame.left + ((seconds - from) / length) * (frame.right - frame.left),
    y: (rate) => frame.bottom - (rate / highest) * (frame.bottom - frame.top),
  };
}

const steps = [60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800];

/** Returns at most the given number of ticks, at round times in the viewer's time zone. */
export function timeTicks(from: number, until: number, max: number, offsetSeconds: number): number[] {
  const step = steps.find((length) => (until - from) / length <= max) ?? Math.ceil((until - from) / max);
  const first = Math.ceil((from + offsetSeconds) / step) * step - offsetSeconds;
  const ticks: number[] = [];
  for (let at = first; at <= until; at += step) ticks.push(at);
  return ticks;
}

/** Returns the outline of the samples as an SVG path, closed along the bottom. */
export function areaPath(scale: Scale, points: readonly { readonly at: number; readonly rate: number }[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return '';
  const place = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const line = points.map(({ at, rate }) => `L${place(scale.x(at), scale.y(rate))}`).join('');
  return `M${place(scale.x(first.at), scale.y(0))}${line}L${place(scale.x(last.at), scale.y(0))}Z`;
}
