// Restricts a device during maintenance or by a lock, and scans a server's hardware.
import { Alert, Card, Code, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { pollMs } from '../../data/staff-pages.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { ErrorAlert } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { Icon } from '../../shell/icons.tsx';
import { ReasonButton } from '../../parts/form-button.tsx';
import { t } from '../../text/text.ts';

/** Lock and maintenance of a server or virtual machine. */
export function DeviceRestrictions({ device }: { device: string }): JSX.Element {
  const fleet = useStaffRead('fleetGet', {}, { refetchMs: pollMs });
  const denial = usePermissionDenial()('operator:equipment');
  const lock = useStaffChange('deviceLock', { successMessage: t('{device} locked', { device }) });
  const unlock = useStaffChange('deviceUnlock', { successMessage: t('{device} unlocked', { device }) });
  const startMaintenance = useStaffChange('deviceMaintenanceBegin', {
    successMessage: t('Maintenance of {device} started', { device }),
  });
  const endMaintenance = useStaffChange('deviceMaintenanceEnd', {
    successMessage: t('Maintenance of {device} ended', { device }),
  });
  const restrictions = (fleet.data?.held ?? []).filter((restriction) => restriction.device === device);
  const isRestricted = (kind: 'locked' | 'maintenance'): boolean =>
    restrictions.some((restriction) => restriction.kind === kind);
  const error = unlock.error ?? endMaintenance.error;
  return (
    <Stack gap="sm">
      {restrictions.map(({ kind, reason, operator, since }) => (
        <Alert
          key={kind}
          color="orange"
          variant="light"
          icon={<Icon name="warning" />}
          title={kind === 'locked' ? t('Locked') : t('Under maintenance')}
        >
          {reason}
          <Dimmed size="xs">
            {operator}, <Timestamp at={since} isRelative />
          </Dimmed>
        </Alert>
      ))}
      {error !== null && <ErrorAlert error={error} />}
      <Group gap="xs">
        {isRestricted('locked') ? (
          <ActionButton
            variant="default"
            disabledReason={denial}
            loading={unlock.isPending}
            onClick={() => unlock.mutate({ device })}
          >
            {t('Unlock')}
          </ActionButton>
        ) : (
          <ReasonButton
            variant="default"
            title={t('Lock {device}?', { device })}
            description={t('The customer cannot control the device until you unlock it. The customer sees the reason.')}
            confirmLabel={t('Lock')}
            disabledReason={denial}
            onConfirm={(reason) => lock.mutateAsync({ device, reason })}
          />
        )}
        {isRestricted('maintenance') ? (
          <ActionButton
            variant="default"
            disabledReason={denial}
            loading={endMaintenance.isPending}
            onClick={() => endMaintenance.mutate({ device })}
          >
            {t('End maintenance')}
          </ActionButton>
        ) : (
          <ReasonButton
            variant="default"
            title={t('Start maintenance of {device}?', { device })}
            description={t(
              'The customer is notified with the reason and cannot control the device until maintenance ends.',
            )}
            confirmLabel={t('Start maintenance')}
            disabledReason={denial}
            onConfirm={(reason) => startMaintenance.mutateAsync({ device, reason })}
          />
        )}
      </Group>
    </Stack>
  );
}

/** Compares the hardware that the BMC reports with the stored inventory. */
export function HardwareScan({ server }: { server: string }): JSX.Element {
  const denial = usePermissionDenial()('operator:equipment');
  const scan = useStaffChange('deviceDiscover', { invalidates: [] });
  const save = useStaffChange('deviceDiscover', {
    successMessage: t('Hardware inventory saved'),
    invalidates: ['auditList'],
  });
  const result = scan.data;
  const isSaved = save.data !== undefined;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <ActionButton
          variant="default"
          icon="search"
          disabledReason={denial}
          loading={scan.isPending}
          onClick={() => {
            save.reset();
            scan.mutate({ server, dryrun: true });
          }}
        >
          {t('Scan hardware')}
        </ActionButton>
        {result !== undefined && result.differences.length > 0 && !isSaved && (
          <ActionButton loading={save.isPending} disabledReason={denial} onClick={() => save.mutate({ server })}>
            {t('Save results')}
          </ActionButton>
        )}
      </Group>
      {scan.error !== null && <ErrorAlert error={scan.error} />}
      {save.error !== null && <ErrorAlert error={save.error} />}
      {result?.differences.length === 0 && <Text size="sm">{t('The hardware matches the inventory.')}</Text>}
      {result?.differences.map(({ category, before, after }) => (
        <Card key={category} padding="sm">
          <Text size="sm" fw={600}>
            {category}
          </Text>
          <Lines sign="−" label={t('Inventory')} lines={before} />
          <Lines sign="+" label={t('Scanned')} lines={after} />
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
