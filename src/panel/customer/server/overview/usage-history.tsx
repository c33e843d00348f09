// What a virtual machine used in the last 24 hours, as one line per resource. The text beside each line has the same figures.
import { Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { UsageSample } from '#sdk/v2.ts';
import { useRead } from '../../../data/operations.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { bytesText, percentText } from '../../../parts/traffic-units.ts';
import { useChartColours } from '../../../parts/chart-colours.ts';
import { toArea, toPath, type UsageSeries } from './usage-path.ts';
import { t } from '../../../text/text.ts';

/** A new sample arrives every five minutes. */
const refetchMs = 300_000;
const [width, height] = [300, 44];
const intervalSeconds = 300;

const resources: readonly {
  readonly label: string;
  readonly of: (sample: UsageSample) => string;
  readonly text: (value: number) => string;
  /** The top of the scale, if no value exceeds it. */
  readonly least: number;
}[] = [
  { label: 'CPU', of: ({ cpu }) => cpu, text: (percent) => percentText(Math.round(percent)), least: 100 },
  { label: t('Memory'), of: ({ memory }) => memory, text: bytesText, least: 1 },
  {
    label: t('Disk writes'),
    of: ({ diskwritten }) => diskwritten,
    text: (bytes) => `${bytesText(bytes / intervalSeconds)}/s`,
    least: 1,
  },
];

/** Renders nothing before the first samples. */
export function UsageHistory({ service }: { service: string }): JSX.Element | null {
  const { data = [] } = useRead('deviceUsageList', { service }, { refetchMs });
  const lines = resources.flatMap((resource) => {
    const series = data.map((sample) => (resource.of(sample) === '' ? null : Number(resource.of(sample))));
    return series.some((value) => value !== null) ? [{ ...resource, series }] : [];
  });
  if (lines.length === 0) return null;
  return (
    <Stack gap="sm">
      {lines.map(({ label, series, text, least }) => (
        <UsageGraph key={label} label={label} series={series} text={text} least={least} />
      ))}
    </Stack>
  );
}

interface UsageGraphProps {
  readonly label: string;
  readonly series: UsageSeries;
  readonly text: (value: number) => string;
  readonly least: number;
}

function UsageGraph({ label, series, text, least }: UsageGraphProps): JSX.Element {
  const colours = useChartColours();
  const measured = series.filter((value) => value !== null);
  const peak = Math.max(...measured);
  const average = measured.reduce((sum, value) => sum + value, 0) / measured.length;
  const area = { width, height, max: Math.max(least, peak * 1.05) };
  const figures = t('average {average}, peak {peak}', { average: text(average), peak: text(peak) });
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{t('{label}, last 24 hours', { label })}</Text>
        <Dimmed className="numbers">{figures}</Dimmed>
      </Group>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width="100%"
        height={height}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('{label} in the last 24 hours: {figures}', { label, figures })}
        style={{ display: 'block' }}
      >
        <line x1={0} x2={width} y1={height} y2={height} stroke={colours.grid} strokeWidth={2} />
        <path d={toArea(series, area)} fill={colours.fills[0]} />
        <path
          d={toPath(series, area)}
          fill="none"
          stroke={colours.series[0]}
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </div>
  );
}
