// Converts samples to the paths of an SVG graph, which has a gap wherever nothing was measured.
export type UsageSeries = readonly (number | null)[];

export interface PlotArea {
  readonly width: number;
  readonly height: number;
  /** The value at the top. */
  readonly max: number;
}

export function toPath(series: UsageSeries, { width, height, max }: PlotArea): string {
  const step = width / Math.max(1, series.length - 1);
  const round = (value: number): number => Math.round(value * 10) / 10;
  return series
    .map((value, index) => {
      if (value === null) return '';
      const [x, y] = [round(index * step), round(height - (value / max) * height)];
      const isFirst = (series[index - 1] ?? null) === null;
      // A sample between two gaps is drawn as a dot.
      const isAlone = isFirst && (series[index + 1] ?? null) === null;
      return `${isFirst ? 'M' : 'L'}${x} ${y}${isAlone ? 'h0.5' : ''}`;
    })
    .join('');
}

/** Returns the area below the line. */
export function toArea(series: UsageSeries, area: PlotArea): string {
  return toPath(series, area).replaceAll(/M([\d.]+) [^M]+/g, (line, start: string) => {
    const isDot = line.includes('h');
    return isDot ? '' : `${line}V${area.height}H${start}Z`;
  });
}
