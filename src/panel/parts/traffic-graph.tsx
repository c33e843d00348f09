// A service's traffic over time, with its 95th percentile and attacks. Dragging zooms in; the figures below describe
// the visible part in text.
import { Box, Button, Card, Group, Stack } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type JSX } from 'react';
import type { TrafficSample } from '#sdk/v2.ts';
import { useDeviceApi, useRead } from '../data/operations.ts';
import { toLocalInput } from './dates.ts';
import { DownloadButton } from './download-button.tsx';
import { QueryResult, LoadingLines, EmptyState } from './query-result.tsx';
import { SpanSelect, ZoomHint } from './span-select.tsx';
import { rateText } from './traffic-units.ts';
import type { Span } from './time-canvas.tsx';
import { useChartColours } from './chart-colours.ts';
import { summarizeTraffic, hideUnmeasured, toTraffic, sliceTraffic, type Traffic } from './traffic-data.ts';
import { TrafficFigures } from './traffic-figures.tsx';
import { TrafficLegend } from './traffic-legend.tsx';
import { useSpanChoice, type TimeSpan } from './traffic-span.ts';
import { t } from '../text/text.ts';

const TimeCanvas = lazy(async () => ({ default: (await import('./time-canvas.tsx')).TimeCanvas }));

const height = 280;
/** Bits per second. */
const leastRate = 1000;

export interface TrafficGraphProps {
  readonly service: string;
  /** Committed rate in bits per second; empty if traffic is not billed. */
  readonly committed?: string | undefined;
}

export function TrafficGraph({ service, committed = '' }: TrafficGraphProps): JSX.Element {
  const [zoom, setZoom] = useState<Span>();
  const choice = useSpanChoice(() => setZoom(undefined));
  const { span } = choice;
  const samples = useRead('trafficGet', { service, start: span.start, end: span.end }, { keepsPrevious: true });
  return (
    <Card>
      <Stack gap="sm">
        <SpanSelect choice={choice}>
          <CsvButton service={service} span={span} />
        </SpanSelect>
        <QueryResult query={samples} lines={8}>
          {(data) => (
            <Graph
              samples={data as readonly TrafficSample[]}
              span={span}
              committed={Number(committed)}
              zoom={zoom}
              setZoom={setZoom}
              isStale={samples.isPlaceholderData}
            />
          )}
        </QueryResult>
      </Stack>
    </Card>
  );
}

function CsvButton({ service, span: { start, end } }: { service: string; span: TimeSpan }): JSX.Element {
  const { client } = useDeviceApi();
  const dates = [start, end].map((time) => toLocalInput(time).slice(0, 10));
  return (
    <DownloadButton
      size="xs"
      fileName={`traffic-${service}-${dates.join('-')}.csv`}
      type="text/csv"
      load={async () => (await client().trafficGet({ service, start, end, format: 'csv' })) as string}
    >
      {t('Download CSV')}
    </DownloadButton>
  );
}

interface GraphProps {
  readonly samples: readonly TrafficSample[];
  readonly span: TimeSpan;
  readonly committed: number;
  readonly zoom: Span | undefined;
  readonly setZoom: (zoom: Span | undefined) => void;
  /** True while the samples are still those of the previous span. */
  readonly isStale: boolean;
}

function Graph({ samples, span, committed, zoom, setZoom, isStale }: GraphProps): JSX.Element {
  const colours = useChartColours();
  const traffic = useMemo(() => toTraffic(samples), [samples]);
  const plotted = useMemo(() => hideUnmeasured(traffic), [traffic]);
  const visible = useMemo<Traffic>(
    () => (zoom === undefined ? traffic : sliceTraffic(traffic, zoom.from, zoom.until)),
    [traffic, zoom],
  );
  const summary = useMemo(() => summarizeTraffic(visible), [visible]);
  const fullSpan = useMemo<Span>(() => ({ from: span.start, until: span.end }), [span]);
  const reset = useCallback(() => setZoom(undefined), [setZoom]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') reset();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [reset]);
  const percentile = summary?.percentile ?? 0;
  const levels = useMemo(
    () => [
      { value: percentile, colour: colours.percentile, dash: [6, 4] },
      ...(committed > 0 ? [{ value: committed, colour: colours.committed, dash: [2, 4] }] : []),
    ],
    [percentile, committed, colours],
  );
  const series = useMemo(
    () => [
      { name: t('In'), values: plotted.inRates },
      { name: t('Out'), values: plotted.outRates },
    ],
    [plotted],
  );
  const bands = useMemo(
    () => ({ name: t('Attack'), colour: colours.attack, spans: plotted.attacks }),
    [plotted, colours],
  );
  if (summary === undefined)
    return (
      <EmptyState icon="graph" title={t('No traffic data')}>
        {zoom === undefined ? t('No data for this time range.') : t('No data for this part of the graph.')}
        {zoom !== undefined && (
          <Box mt="xs">
            <Button size="xs" variant="default" onClick={reset}>
              {t('Reset zoom')}
            </Button>
          </Box>
        )}
      </EmptyState>
    );
  const label = t('Traffic in and out over time. 95th percentile {percentile}. Peak {in} in, {out} out.', {
    percentile: rateText(summary.percentile),
    in: rateText(summary.in.peak),
    out: rateText(summary.out.peak),
  });
  return (
    <Stack gap="xs" opacity={isStale ? 0.5 : 1} aria-busy={isStale}>
      <Group justify="space-between" gap="xs" mih={30}>
        <TrafficLegend
          colours={colours}
          percentile={percentile}
          committed={committed}
          hasAttacks={visible.attacks.length > 0}
        />
        <ZoomHint isZoomed={zoom !== undefined} reset={reset} />
      </Group>
      <Suspense fallback={<LoadingLines lines={7} />}>
        <TimeCanvas
          starts={plotted.starts}
          series={series}
          format={rateText}
          least={leastRate}
          levels={levels}
          bands={bands}
          height={height}
          span={zoom ?? fullSpan}
          label={label}
          onZoom={setZoom}
        />
      </Suspense>
      <TrafficFigures summary={summary} hasAttacks={visible.attacks.length > 0} />
    </Stack>
  );
}
