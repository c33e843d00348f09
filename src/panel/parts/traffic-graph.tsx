// The traffic of a service over time: in and out, the 95th percentile across it, attacks shaded. Dragging over a part of it zooms;
// the figures below are those of what is seen, and say in words what the drawing shows.
import { Box, Button, Card, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type JSX } from 'react';
import type { TrafficSample } from '#sdk/v2.ts';
import { useRead } from '../data/read.ts';
import { customer } from '../data/session.ts';
import { Icon } from '../shell/icons.tsx';
import { Answer, Awaited, Empty } from './answer.tsx';
import { rateText } from './amounts.ts';
import { saveFile } from './save-file.ts';
import { sayFailure } from './say-failure.ts';
import type { Span } from './traffic-canvas.tsx';
import { useTrafficColours } from './traffic-colours.ts';
import { summaryOf, trafficMeasured, trafficOf, trafficWithin, type Traffic } from './traffic-data.ts';
import { TrafficFigures } from './traffic-figures.tsx';
import { TrafficLegend } from './traffic-legend.tsx';
import {
  localText,
  secondsOfLocal,
  spanFault,
  spanNames,
  useSpan,
  type SpanName,
  type TimeSpan,
} from './traffic-span.ts';

const TrafficCanvas = lazy(async () => ({ default: (await import('./traffic-canvas.tsx')).TrafficCanvas }));

export interface TrafficGraphProps {
  readonly service: string;
  /** What the price includes, in bits per second; empty where traffic is not billed. */
  readonly committed?: string | undefined;
}

export function TrafficGraph({ service, committed = '' }: TrafficGraphProps): JSX.Element {
  const { name, span, choose, set } = useSpan();
  const samples = useRead('trafficGet', { service, start: span.start, end: span.end }, { keepsLast: true });
  const [zoom, setZoom] = useState<Span>();
  const withoutZoom = <T,>(change: (next: T) => void) => {
    return (next: T): void => {
      setZoom(undefined);
      change(next);
    };
  };
  return (
    <Card>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Time shown"
            data={[...spanNames]}
            value={name}
            onChange={withoutZoom((next) => choose(next as SpanName))}
          />
          <CsvButton service={service} span={span} />
        </Group>
        {name === 'Custom' && <CustomSpan span={span} set={withoutZoom(set)} />}
        <Answer of={samples} lines={8}>
          {(found) => (
            <Drawing
              samples={found as readonly TrafficSample[]}
              span={span}
              committed={Number(committed)}
              zoom={zoom}
              setZoom={setZoom}
              isOlder={samples.isPlaceholderData}
            />
          )}
        </Answer>
      </Stack>
    </Card>
  );
}

function CsvButton({ service, span: { start, end } }: { service: string; span: TimeSpan }): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const text = (await customer().trafficGet({ service, start, end, format: 'csv' })) as string;
      const name = `traffic-${service}-${localText(start).slice(0, 10)}-${localText(end).slice(0, 10)}.csv`;
      saveFile({ name, type: 'text/csv', bytes: new TextEncoder().encode(text) });
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={isBusy}
      onClick={() => void save()}
    >
      Download CSV
    </Button>
  );
}

function CustomSpan({ span, set }: { span: TimeSpan; set: (span: TimeSpan) => void }): JSX.Element {
  const [from, setFrom] = useState(localText(span.start));
  const [until, setUntil] = useState(localText(span.end));
  const [start, end] = [secondsOfLocal(from), secondsOfLocal(until)];
  const fault = spanFault(start, end);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === undefined) set({ start: start!, end: end! });
      }}
    >
      <Group align="flex-start" gap="xs">
        <TextInput
          size="xs"
          type="datetime-local"
          label="From"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          size="xs"
          type="datetime-local"
          label="Until"
          value={until}
          error={fault}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <Button size="xs" mt={22} type="submit" variant="light">
          Show
        </Button>
      </Group>
    </form>
  );
}

interface DrawingProps {
  readonly samples: readonly TrafficSample[];
  readonly span: TimeSpan;
  readonly committed: number;
  readonly zoom: Span | undefined;
  readonly setZoom: (zoom: Span | undefined) => void;
  /** Samples of the span before, until those of this one are there. */
  readonly isOlder: boolean;
}

function Drawing({ samples, span, committed, zoom, setZoom, isOlder }: DrawingProps): JSX.Element {
  const colours = useTrafficColours();
  const [point, setPoint] = useState<number | null>(null);
  const traffic = useMemo(() => trafficOf(samples), [samples]);
  const drawn = useMemo(() => trafficMeasured(traffic), [traffic]);
  const seen = useMemo<Traffic>(
    () => (zoom === undefined ? traffic : trafficWithin(traffic, zoom.from, zoom.until)),
    [traffic, zoom],
  );
  const summary = useMemo(() => summaryOf(seen), [seen]);
  const whole = useMemo<Span>(() => ({ from: span.start, until: span.end }), [span]);
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
      { rate: percentile, colour: colours.percentile, dash: [6, 4] },
      ...(committed > 0 ? [{ rate: committed, colour: colours.committed, dash: [2, 4] }] : []),
    ],
    [percentile, committed, colours],
  );
  if (summary === undefined)
    return (
      <Empty icon="graph" title="No traffic was measured">
        {zoom === undefined ? 'Nothing is known of this time.' : 'Nothing is known of this part.'}
        {zoom !== undefined && (
          <Box mt="xs">
            <Button size="xs" variant="default" onClick={reset}>
              Show all of it
            </Button>
          </Box>
        )}
      </Empty>
    );
  const label =
    `Traffic in and out over time. 95th percentile ${rateText(summary.percentile)}; ` +
    `at most ${rateText(summary.in.peak)} in and ${rateText(summary.out.peak)} out.`;
  return (
    <Stack gap="xs" opacity={isOlder ? 0.5 : 1} aria-busy={isOlder}>
      <Group justify="space-between" gap="xs" mih={30}>
        <TrafficLegend
          colours={colours}
          traffic={drawn}
          point={point}
          percentile={percentile}
          committed={committed}
          hasAttacks={seen.attacks.length > 0}
        />
        {zoom === undefined ? (
          <Text size="xs" c="dimmed" visibleFrom="sm">
            Drag over the graph to zoom
          </Text>
        ) : (
          <Button size="compact-xs" variant="light" onClick={reset}>
            Reset zoom
          </Button>
        )}
      </Group>
      <Suspense fallback={<Awaited lines={7} />}>
        <TrafficCanvas
          traffic={drawn}
          levels={levels}
          colours={colours}
          span={zoom ?? whole}
          label={label}
          onZoom={setZoom}
          onPoint={setPoint}
        />
      </Suspense>
      <TrafficFigures summary={summary} hasAttacks={seen.attacks.length > 0} />
    </Stack>
  );
}
