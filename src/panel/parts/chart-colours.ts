// Colours of all charts, for light and dark mode. The first two are the brand's, and mean incoming and outgoing.
import { useComputedColorScheme } from '@mantine/core';

const light = {
  series: ['#0b7285', '#6741d9', '#e8590c', '#2b8a3e', '#d6336c', '#f08c00', '#868e96'],
  /** Below the line of the series. */
  fills: ['rgba(11, 114, 133, 0.14)', 'rgba(103, 65, 217, 0.10)'],
  percentile: '#c92a2a',
  committed: '#495057',
  attack: 'rgba(224, 49, 49, 0.16)',
  text: '#495057',
  grid: 'rgba(0, 0, 0, 0.08)',
} as const;
export type ChartColours = Readonly<Record<Exclude<keyof typeof light, 'series' | 'fills'>, string>> & {
  readonly series: readonly string[];
  readonly fills: readonly string[];
};
const dark: ChartColours = {
  series: ['#3bc9db', '#b197fc', '#ff922b', '#69db7c', '#f783ac', '#ffd43b', '#adb5bd'],
  fills: ['rgba(59, 201, 219, 0.16)', 'rgba(177, 151, 252, 0.12)'],
  percentile: '#ff8787',
  committed: '#ced4da',
  attack: 'rgba(255, 107, 107, 0.22)',
  text: '#c1c2c5',
  grid: 'rgba(255, 255, 255, 0.09)',
};

export function useChartColours(): ChartColours {
  return useComputedColorScheme('light') === 'dark' ? dark : light;
}

/** Returns the colour of a series; there are more series than colours only in odd reports. */
export function seriesColour({ series }: ChartColours, index: number): string {
  return series[index % series.length]!;
}
