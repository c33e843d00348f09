// The sensors of a server for staff, with its open faults.
import { Alert, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffRead } from '../../data/operations.ts';
import { pollMs } from '../../data/staff-pages.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { capitalize, SensorReport } from '../../parts/sensor-report.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { rich } from '../../text/rich.ts';

export function ServerSensors({ server }: { server: string }): JSX.Element {
  const report = useStaffRead('deviceSensorsGet', { server }, { refetchMs: pollMs });
  return (
    <QueryResult query={report} lines={4}>
      {(known) => (
        <Stack gap="sm">
          {known.faults.map(({ sensor, severity, detail, since }) => (
            <Alert key={sensor} color={severity === 'critical' ? 'red' : 'orange'} variant="light" title={sensor}>
              {capitalize(detail)}
              <Dimmed size="xs">{rich('Confirmed {time}', { time: <Timestamp at={since} isRelative /> })}</Dimmed>
            </Alert>
          ))}
          <SensorReport report={known} />
        </Stack>
      )}
    </QueryResult>
  );
}
