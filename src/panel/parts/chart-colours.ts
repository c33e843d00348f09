// Colours of bar charts, for light and dark mode.
import { useComputedColorScheme } from '@mantine/core';

export interface ChartColours {
  /** Of the series, in order. */
  readonly series: readonly string[];
  readonly text: string;
  readonly grid: string;
}

const light: ChartColours = {
  series: ['#1c7ed6', '#0ca678', '#e8590c', '#7048e8', '#d6336c', '#f08c00', '#868e96'],
  text: '#495057',
  grid: 'rgba(0, 0, 0, 0.08)',
};
const dark: ChartColours = {
  series: ['#4dabf7', '#38d9a9', '#ff922b', '#9775fa', '#f783ac', '#ffd43b', '#adb5bd'],
  text: '#c1c2c5',
  grid: 'rgba(255, 255, 255, 0.09)',
};

export function useChartColours(): ChartColours {
  return useComputedColorScheme('light') === 'dark' ? dark : light;
}
