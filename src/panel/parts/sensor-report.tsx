// The sensors of a server as last read, and the event log of its BMC.
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { SensorHealth, SensorKind } from '#contract/shapes/sensors.ts';
import type { Result } from '../data/operations.ts';
import { decimalText } from './traffic-units.ts';
import { Dimmed } from './dimmed.tsx';
import { PlainTable, type Column } from './table-card.tsx';
import { StateBadge } from './state-badge.tsx';
import { Timestamp } from './timestamp.tsx';
import { rich } from '../text/rich.ts';
import { t } from '../text/text.ts';

type Report = Result<'deviceSensorsGet'>;
type Sensor = Report['sensors'][number];

const kindNames: Readonly<Record<SensorKind, string>> = {
  temperature: t('Temperature'),
  fan: t('Fan'),
  power: t('Power draw'),
  psu: t('Power supply'),
  drive: t('Drive'),
  voltage: t('Voltage'),
  current: t('Current'),
  processor: t('Processor'),
  memory: t('Memory'),
  battery: t('Battery'),
};
/** In English: StateBadge translates them. */
const healthNames: Readonly<Record<SensorHealth, string>> = {
  ok: 'OK',
  warning: 'Warning',
  critical: 'Critical',
  unknown: 'Unknown',
  absent: 'Not present',
};

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const sensorColumns: readonly Column<Sensor>[] = [
  {
    label: t('Sensor'),
    className: 'wrap-anywhere',
    cell: ({ name, kind, detail }) => (
      <>
        {name}
        <Dimmed size="xs">{detail === '' ? kindNames[kind] : capitalize(detail)}</Dimmed>
      </>
    ),
  },
  {
    label: t('Reading'),
    isNumber: true,
    isOneLine: true,
    cell: ({ value, unit }) => (value === '' ? '–' : decimalText(`${value} ${unit}`)),
  },
  { label: t('Health'), cell: ({ health }) => <StateBadge state={healthNames[health]} /> },
];

export function SensorReport({ report }: { report: Report }): JSX.Element {
  const { state, read, sensors, log } = report;
  if (state === 'unsupported') return <Text size="sm">{t('The BMC has no sensors.')}</Text>;
  return (
    <Stack gap="sm">
      {state === 'unreachable' && (
        <Alert color="orange" variant="light" title={t('Current readings unknown')}>
          {t('The BMC did not respond to the last check.')}
        </Alert>
      )}
      <Dimmed>{rich('Last read: {time}', { time: <Timestamp at={read} isRelative fallback={t('Not yet')} /> })}</Dimmed>
      {sensors.length > 0 && (
        <PlainTable
          label={t('Sensors')}
          columns={sensorColumns}
          rows={sensors}
          rowKey={({ name }) => name}
          minWidth={320}
        />
      )}
      <Title order={3} size="h5">
        {t('Event log')}
      </Title>
      {log.length === 0 ? <Dimmed>{t('No entries')}</Dimmed> : <EventLog log={log} />}
    </Stack>
  );
}

const entriesShownFirst = 10;

function EventLog({ log }: { log: Report['log'] }): JSX.Element {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <Stack gap={8}>
      {log.slice(0, showsAll ? log.length : entriesShownFirst).map(({ time, seen, severity, text }, index) => (
        <Group key={index} gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Text size="sm" className="wrap-anywhere">
              {text}
            </Text>
            <Dimmed size="xs">
              {time === '' ? (
                rich('BMC clock not set; read {time}', { time: <Timestamp at={seen} /> })
              ) : (
                <Timestamp at={time} />
              )}
            </Dimmed>
          </div>
          {severity !== 'ok' && <StateBadge state={healthNames[severity]} />}
        </Group>
      ))}
      {!showsAll && log.length > entriesShownFirst && (
        <Button variant="default" size="xs" onClick={() => setShowsAll(true)}>
          {t('Show all {count} entries', { count: log.length })}
        </Button>
      )}
    </Stack>
  );
}
