// Stacked bars with a legend, for amounts by month or by age. A table next to it has the exact figures.
import { Card, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense, type JSX } from 'react';
import type { BarChartProps } from './bar-series.ts';
import { seriesColour, useChartColours } from './chart-colours.ts';
import { LegendEntry } from './chart-legend.tsx';
import { LoadingLines } from './query-result.tsx';

const BarCanvas = lazy(async () => ({ default: (await import('./bar-canvas.tsx')).BarCanvas }));

export function BarChart(props: BarChartProps): JSX.Element {
  const colours = useChartColours();
  return (
    <Card>
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {props.title}
        </Text>
        {props.series.length > 1 && (
          <Group gap="md" style={{ rowGap: 2 }}>
            {props.series.map(({ name }, index) => (
              <LegendEntry key={name} colour={seriesColour(colours, index)} name={name} />
            ))}
          </Group>
        )}
        <Suspense fallback={<LoadingLines lines={7} />}>
          <BarCanvas {...props} colours={colours} />
        </Suspense>
      </Stack>
    </Card>
  );
}
