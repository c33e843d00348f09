// Colours of traffic graphs, for light and dark mode.
import { useComputedColorScheme } from '@mantine/core';

const light = {
  inward: '#0b7285',
  inwardFill: 'rgba(11, 114, 133, 0.14)',
  outward: '#6741d9',
  outwardFill: 'rgba(103, 65, 217, 0.10)',
  percentile: '#c92a2a',
  committed: '#495057',
  attack: 'rgba(224, 49, 49, 0.16)',
  text: '#495057',
  grid: 'rgba(0, 0, 0, 0.08)',
};
export type TrafficColours = Readonly<typeof light>;
const dark: TrafficColours = {
  inward: '#3bc9db',
  inwardFill: 'rgba(59, 201, 219, 0.16)',
  outward: '#b197fc',
  outwardFill: 'rgba(177, 151, 252, 0.12)',
  percentile: '#ff8787',
  committed: '#ced4da',
  attack: 'rgba(255, 107, 107, 0.22)',
  text: '#c1c2c5',
  grid: 'rgba(255, 255, 255, 0.09)',
};

export function useTrafficColours(): TrafficColours {
  return useComputedColorScheme('light') === 'dark' ? dark : light;
}
