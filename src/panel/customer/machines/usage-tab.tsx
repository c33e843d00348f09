// What a virtual machine used over time. Dragging over a chart zooms all of them in; the figures beside each describe the visible
// part in text.
import { Box, Button, Card, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useRef, useState, type JSX, type PointerEvent } from 'react';
import type { UsageSample } from '#sdk/v2.ts';
import { useRead } from '../../data/operations.ts';
import { customerApi } from '../../data/session.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyState, QueryResult } from '../../parts/query-result.tsx';
import { CustomSpan } from '../../parts/traffic-graph.tsx';
import {
  spanLabels,
  spanNames,
  toLocalInput,
  useSpanChoice,
  type SpanName,
  type TimeSpan,
} from '../../parts/traffic-span.ts';
import { useTrafficColours } from '../../parts/traffic-colours.ts';
import { bytesText } from '../../parts/traffic-units.ts';
import { toArea, toPath, type UsageSeries } from '../server/overview/usage-path.ts';
import { t } from '../../text/text.ts';
import { reduceSeries, selectSpan, usageCsv } from './usage-samples.ts';

const [width, height] = [600, 90];
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
  { label: 'CPU', field: 'cpu', text: (percent) => `${Math.round(percent)} %`, least: 100 },
  { label: t('Memory'), field: 'memory', text: bytesText, least: 1 },
  { label: t('Disk space'), field: 'disk', text: bytesText, least: 1 },
  { label: t('Disk reads'), field: 'diskread', text: rateText, least: 1 },
  { label: t('Disk writes'), field: 'diskwritten', text: rateText, least: 1 },
];

export function UsageTab({ service }: { readonly service: string }): JSX.Element {
  const { name, span, choose, set } = useSpanChoice();
  const [zoom, setZoom] = useState<TimeSpan>();
  const { start, end: stop } = span;
  const samples = useRead('deviceUsageList', { service, start, stop }, { keepsPrevious: true });
  const load = async (): Promise<string> => usageCsv(await customerApi().deviceUsageList({ service, start, stop }));
  return (
    <Card>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('Time range')}
            data={spanNames.map((value) => ({ value, label: spanLabels[value] }))}
            value={name}
            onChange={(next) => {
              setZoom(undefined);
              choose(next as SpanName);
            }}
          />
          <Group gap="xs">
            {zoom === undefined ? (
              <Text size="xs" c="dimmed" visibleFrom="sm">
                {t('Drag over the graph to zoom')}
              </Text>
            ) : (
              <Button size="compact-xs" variant="light" onClick={() => setZoom(undefined)}>
                {t('Reset zoom')}
              </Button>
            )}
            <DownloadButton
              size="xs"
              fileName={`usage-${service}-${toLocalInput(start).slice(0, 10)}.csv`}
              type="text/csv"
              load={load}
              errorTitle="Something went wrong"
            >
              {t('Download CSV')}
            </DownloadButton>
          </Group>
        </Group>
        {name === 'Custom' && (
          <CustomSpan
            span={span}
            set={(next) => {
              setZoom(undefined);
              set(next);
            }}
          />
        )}
        <QueryResult query={samples} lines={8}>
          {(all) => <Charts samples={all} span={zoom ?? span} setZoom={setZoom} />}
        </QueryResult>
        <Text size="xs" c="dimmed">
          {t('Five-minute averages are kept for 400 days. Traffic is in the network section.')}
        </Text>
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
  const visible = samples.filter(({ start }) => Number(start) >= span.start && Number(start) < span.end);
  const charts = resources.flatMap((resource) => {
    const series = visible.map(({ [resource.field]: value }) => (value === '' ? null : Number(value)));
    return series.some((value) => value !== null) ? [{ resource, series }] : [];
  });
  if (charts.length === 0)
    return (
      <EmptyState icon="graph" title={t('No usage data')}>
        {t('Nothing was measured in this time range.')}
      </EmptyState>
    );
  const [from, until] = [span.start, span.end].map((time) => toLocalInput(time).replace('T', ' '));
  return (
    <Stack gap="md">
      {charts.map(({ resource, series }) => (
        <Chart key={resource.field} resource={resource} series={series} span={span} setZoom={setZoom} />
      ))}
      <Group justify="space-between">
        <Text size="xs" className="numbers" c="dimmed">
          {from}
        </Text>
        <Text size="xs" className="numbers" c="dimmed">
          {until}
        </Text>
      </Group>
    </Stack>
  );
}

interface ChartProps extends Pick<ChartsProps, 'span' | 'setZoom'> {
  readonly resource: Resource;
  readonly series: UsageSeries;
}

function Chart({ resource: { label, text, least }, series, span, setZoom }: ChartProps): JSX.Element {
  const colours = useTrafficColours();
  const { selection, handlers } = useDragSelection((positions) => {
    const selected = selectSpan(span, positions);
    if (selected !== undefined) setZoom(selected);
  });
  const measured = series.filter((value) => value !== null);
  const peak = measured.reduce((most, value) => Math.max(most, value), 0);
  const average = measured.reduce((sum, value) => sum + value, 0) / measured.length;
  const drawn = reduceSeries(series, width);
  const area = { width, height, max: Math.max(least, peak * 1.05) };
  const figures = t('average {average}, peak {peak}', { average: text(average), peak: text(peak) });
  return (
    <Box>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{label}</Text>
        <Text size="sm" className="numbers" c="dimmed">
          {figures}
        </Text>
      </Group>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width="100%"
        height={height}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${figures}`}
        style={{ display: 'block', cursor: 'crosshair', touchAction: 'pan-y' }}
        {...handlers}
      >
        <line x1={0} x2={width} y1={height} y2={height} stroke={colours.grid} strokeWidth={2} />
        <path d={toArea(drawn, area)} fill={colours.inwardFill} />
        <path
          d={toPath(drawn, area)}
          fill="none"
          stroke={colours.inward}
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
        {selection !== undefined && (
          <rect
            x={Math.min(...selection) * width}
            width={Math.abs(selection[1] - selection[0]) * width}
            height={height}
            fill={colours.grid}
            opacity={0.6}
          />
        )}
      </svg>
    </Box>
  );
}

type Positions = readonly [number, number];

/** Positions are from 0 at the left to 1 at the right. */
function useDragSelection(onSelect: (positions: Positions) => void) {
  const [selection, setSelection] = useState<Positions>();
  const origin = useRef<number>(undefined);
  const positionOf = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>): number => {
    const { left, width: shown } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / shown));
  };
  const end = (): void => {
    origin.current = undefined;
    setSelection(undefined);
  };
  return {
    selection,
    handlers: {
      onPointerDown(event: PointerEvent<SVGSVGElement>) {
        event.currentTarget.setPointerCapture(event.pointerId);
        origin.current = positionOf(event);
      },
      onPointerMove(event: PointerEvent<SVGSVGElement>) {
        if (origin.current !== undefined) setSelection([origin.current, positionOf(event)]);
      },
      onPointerUp(event: PointerEvent<SVGSVGElement>) {
        if (origin.current !== undefined) onSelect([origin.current, positionOf(event)]);
        end();
      },
      onPointerCancel: end,
    },
  };
}
