// A device and what staff do with it: hold it back from its customer, let it go, look into it.
import { Alert, Card, Code, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/read.ts';
import { watchMs } from '../../data/staff-pages.ts';
import { usePowerRefusal } from '../../data/who.ts';
import { Act } from '../../parts/act.tsx';
import { Failed } from '../../parts/answer.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Icon } from '../../shell/icons.tsx';
import { ReasonAct } from './form-act.tsx';

/** Lock and maintenance, of a server or a machine. */
export function DeviceHolds({ device }: { device: string }): JSX.Element {
  const fleet = useStaffRead('fleetGet', {}, { everyMs: watchMs });
  const refusal = usePowerRefusal()('operator:equipment');
  const lock = useStaffChange('deviceLock', { done: `${device} is locked.` });
  const unlock = useStaffChange('deviceUnlock', { done: `${device} is unlocked.` });
  const begin = useStaffChange('deviceMaintenanceBegin', { done: `${device} is under maintenance.` });
  const end = useStaffChange('deviceMaintenanceEnd', { done: `${device} is back in service.` });
  const held = (fleet.data?.held ?? []).filter((hold) => hold.device === device);
  const isHeld = (kind: 'locked' | 'maintenance'): boolean => held.some((hold) => hold.kind === kind);
  const failed = unlock.error ?? end.error;
  return (
    <Stack gap="sm">
      {held.map(({ kind, reason, operator, since }) => (
        <Alert
          key={kind}
          color="orange"
          variant="light"
          icon={<Icon name="warning" />}
          title={kind === 'locked' ? 'Locked' : 'Under maintenance'}
        >
          {reason}
          <Text size="xs" c="dimmed">
            {operator}, <Moment at={since} ago />
          </Text>
        </Alert>
      ))}
      {failed !== null && <Failed error={failed} />}
      <Group gap="xs">
        {isHeld('locked') ? (
          <Act variant="default" reason={refusal} loading={unlock.isPending} onClick={() => unlock.mutate({ device })}>
            Unlock
          </Act>
        ) : (
          <ReasonAct
            variant="default"
            title={`Lock ${device}?`}
            about="Commands of its customer are refused until it is unlocked. He is told the reason."
            yes="Lock"
            reason={refusal}
            send={(reason) => lock.mutateAsync({ device, reason })}
          >
            Lock
          </ReasonAct>
        )}
        {isHeld('maintenance') ? (
          <Act variant="default" reason={refusal} loading={end.isPending} onClick={() => end.mutate({ device })}>
            End maintenance
          </Act>
        ) : (
          <ReasonAct
            variant="default"
            title={`Begin maintenance of ${device}?`}
            about="Its customer is told at once, with the reason, and his commands are refused until it ends."
            yes="Begin maintenance"
            reason={refusal}
            send={(reason) => begin.mutateAsync({ device, reason })}
          >
            Maintenance
          </ReasonAct>
        )}
      </Group>
    </Stack>
  );
}

/** What the controller tells of a server's parts, beside what is on record. */
export function Discover({ server }: { server: string }): JSX.Element {
  const refusal = usePowerRefusal()('operator:equipment');
  const look = useStaffChange('deviceDiscover', { changes: [] });
  const keep = useStaffChange('deviceDiscover', { done: 'The record is up to date.', changes: ['auditList'] });
  const shown = look.data;
  const isKept = keep.data !== undefined;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Act
          variant="default"
          leftSection={<Icon name="search" size={16} />}
          reason={refusal}
          loading={look.isPending}
          onClick={() => {
            keep.reset();
            look.mutate({ server, dryrun: true });
          }}
        >
          Read its parts
        </Act>
        {shown !== undefined && shown.differences.length > 0 && !isKept && (
          <Act loading={keep.isPending} reason={refusal} onClick={() => keep.mutate({ server })}>
            Keep what was read
          </Act>
        )}
      </Group>
      {look.error !== null && <Failed error={look.error} />}
      {keep.error !== null && <Failed error={keep.error} />}
      {shown?.differences.length === 0 && <Text size="sm">The controller tells what is on record.</Text>}
      {shown?.differences.map(({ category, before, after }) => (
        <Card key={category} padding="sm">
          <Text size="sm" fw={600}>
            {category}
          </Text>
          <Lines sign="−" label="On record" lines={before} />
          <Lines sign="+" label="Read" lines={after} />
        </Card>
      ))}
    </Stack>
  );
}

function Lines({ sign, label, lines }: { sign: string; label: string; lines: readonly string[] }): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <Code block mt={4} aria-label={label} role="group" style={{ whiteSpace: 'pre-wrap' }}>
      {lines.map((line) => `${sign} ${line}`).join('\n')}
    </Code>
  );
}
