// What a virtual machine used over time. Dragging over a chart zooms all of them in; the figures beside each describe the visible
// part in text.
import { Box, Card, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useCallback, useMemo, useState, type JSX } from 'react';
import type { UsageSample } from '#sdk/v2.ts';
import { useRead } from '../../data/operations.ts';
import { customerApi } from '../../data/session.ts';
import { toLocalInput } from '../../parts/dates.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyState, LoadingLines, QueryResult } from '../../parts/query-result.tsx';
import { SpanSelect, ZoomHint } from '../../parts/span-select.tsx';
import type { Span } from '../../parts/time-canvas.tsx';
import { useSpanChoice, type TimeSpan } from '../../parts/traffic-span.ts';
import { bytesText, percentText } from '../../parts/traffic-units.ts';
import { t } from '../../text/text.ts';
import { reduceSamples, usageCsv } from './usage-samples.ts';

const TimeCanvas = lazy(async () => ({ default: (await import('../../parts/time-canvas.tsx')).TimeCanvas }));

const height = 130;
/** More would not be visible. */
const maxPoints = 1000;
const intervalSeconds = 300;
const rateText = (bytes: number): string => `${bytesText(bytes / intervalSeconds)}/s`;

interface Resource {
  readonly label: string;
  readonly field: Exclude<keyof UsageSample, 'start'>;
  readonly text: (value: number) => string;
  /** The top of the scale, if no value exceeds it. */
  readonly least: number;
}
const resources: readonly Resource[] = [
  { label: 'CPU', field: 'cpu', text: (percent) => percentText(Math.round(percent)), least: 100 },
  { label: t('Memory'), field: 'memory', text: bytesText, least: 1 },
  { label: t('Disk space'), field: 'disk', text: bytesText, least: 1 },
  { label: t('Disk reads'), field: 'diskread', text: rateText, least: 1 },
  { label: t('Disk writes'), field: 'diskwritten', text: rateText, least: 1 },
];

export function UsageTab({ service }: { readonly service: string }): JSX.Element {
  const [zoom, setZoom] = useState<TimeSpan>();
  const choice = useSpanChoice(() => setZoom(undefined));
  const { span } = choice;
  const { start, end: stop } = span;
  const samples = useRead('deviceUsageList', { service, start, stop }, { keepsPrevious: true });
  const load = async (): Promise<string> => usageCsv(await customerApi().deviceUsageList({ service, start, stop }));
  return (
    <Card>
      <Stack gap="sm">
        <SpanSelect choice={choice}>
          <Group gap="xs">
            <ZoomHint isZoomed={zoom !== undefined} reset={() => setZoom(undefined)} />
            <DownloadButton
              size="xs"
              fileName={`usage-${service}-${toLocalInput(start).slice(0, 10)}.csv`}
              type="text/csv"
              load={load}
            >
              {t('Download CSV')}
            </DownloadButton>
          </Group>
        </SpanSelect>
        <QueryResult query={samples} lines={8}>
          {(all) => <Charts samples={all} span={zoom ?? span} setZoom={setZoom} />}
        </QueryResult>
        <Dimmed size="xs">{t('Five-minute averages are kept for 400 days. Traffic is in the network section.')}</Dimmed>
      </Stack>
    </Card>
  );
}

interface ChartsProps {
  readonly samples: readonly UsageSample[];
  readonly span: TimeSpan;
  readonly setZoom: (zoom: TimeSpan) => void;
}

function Charts({ samples, span, setZoom }: ChartsProps): JSX.Element {
  const visible = useMemo(
    () => samples.filter(({ start }) => Number(start) >= span.start && Number(start) < span.end),
    [samples, span],
  );
  const measured = resources.filter(({ field }) => visible.some(({ [field]: value }) => value !== ''));
  if (measured.length === 0)
    return (
      <EmptyState icon="graph" title={t('No usage data')}>
        {t('No data for this time range.')}
      </EmptyState>
    );
  return (
    <Stack gap="md">
      {measured.map((resource) => (
        <Chart key={resource.field} resource={resource} samples={visible} span={span} setZoom={setZoom} />
      ))}
    </Stack>
  );
}

function Chart({ resource, samples, span, setZoom }: ChartsProps & { readonly resource: Resource }): JSX.Element {
  const { label, field, text, least } = resource;
  const { starts, values } = useMemo(() => reduceSamples(samples, field, maxPoints), [samples, field]);
  const series = useMemo(() => [{ name: label, values }], [label, values]);
  const shown = useMemo<Span>(() => ({ from: span.start, until: span.end }), [span]);
  const zoom = useCallback(
    ({ from, until }: Span) => setZoom({ start: Math.round(from), end: Math.round(until) }),
    [setZoom],
  );
  const all = samples.flatMap(({ [field]: value }) => (value === '' ? [] : [Number(value)]));
  const figures = t('average {average}, peak {peak}', {
    average: text(all.reduce((sum, value) => sum + value, 0) / all.length),
    peak: text(all.reduce((most, value) => Math.max(most, value), 0)),
  });
  return (
    <Box>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Dimmed className="numbers">{figures}</Dimmed>
      </Group>
      <Suspense fallback={<LoadingLines lines={4} />}>
        <TimeCanvas
          starts={starts}
          series={series}
          format={text}
          least={least}
          span={shown}
          label={`${label}: ${figures}`}
          height={height}
          onZoom={zoom}
        />
      </Suspense>
    </Box>
  );
}
