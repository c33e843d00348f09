// Suspends, resumes and terminates a service. Each is a workflow; only one runs at a time for a service.
import { Checkbox, Group, Select, Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange, type StaffResult } from '../../data/operations.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorAlert } from '../../parts/query-result.tsx';
import { ReasonButton } from '../../parts/form-button.tsx';
import { workflowTitle } from '../parts/workflow-steps.tsx';
import { t, tData } from '../../text/text.ts';

export type Service = StaffResult<'serviceGet'>;
type SuspendMethod = 'power' | 'ports' | 'nothing';
const suspendMethods = [
  { value: '', label: t('Default: switch ports, or power if it has none') },
  { value: 'power', label: t('Power') },
  { value: 'ports', label: t('Switch ports') },
  { value: 'nothing', label: t('Nothing') },
];

export function ServiceActions({ service }: { service: Service }): JSX.Element {
  const denial = usePermissionDenial();
  const suspend = useStaffChange('serviceSuspend', {
    successMessage: t('Suspending {name}', { name: service.hostname }),
  });
  const resume = useStaffChange('serviceResume', { successMessage: t('Resuming {name}', { name: service.hostname }) });
  const terminate = useStaffChange('serviceTerminate', {
    successMessage: t('Terminating {name}', { name: service.hostname }),
  });
  const [method, setMethod] = useState<SuspendMethod | ''>('');
  const [isUnreachable, setUnreachable] = useState(false);
  const { id, hostname, status } = service;
  const busyReason =
    service.work.length > 0
      ? t('Already running: {work}', { work: service.work.map(workflowTitle).join(', ') })
      : undefined;
  const statusReason = (required: string): string | undefined =>
    status === required ? undefined : t('The service is {status}.', { status: tData(status).toLowerCase() });
  // For unpaid invoices, which cut nothing off.
  const isOnlyFrozen = status === 'Suspended' && service.suspension === '';
  return (
    <>
      {resume.error !== null && <ErrorAlert error={resume.error} />}
      <Group gap="xs">
        <ReasonButton
          variant="default"
          title={t('Suspend {name}?', { name: hostname })}
          description={t('The service is cut off until you resume it. The customer sees the reason.')}
          confirmLabel={t('Suspend')}
          disabledReason={
            denial('operator:suspend') ?? (isOnlyFrozen ? undefined : statusReason('Active')) ?? busyReason
          }
          onConfirm={(reason) => suspend.mutateAsync({ id, reason, how: method || undefined })}
          extraFields={
            <Select
              label={t('Disable')}
              data={suspendMethods}
              value={method}
              allowDeselect={false}
              onChange={(next) => setMethod((next ?? '') as SuspendMethod | '')}
            />
          }
        />
        <ActionButton
          variant="default"
          disabledReason={denial('operator:suspend') ?? statusReason('Suspended') ?? busyReason}
          loading={resume.isPending}
          onClick={() => resume.mutate({ id })}
        >
          {t('Resume')}
        </ActionButton>
        <ConfirmButton
          variant="light"
          color="red"
          disabledReason={
            denial('operator:services') ??
            (status === 'Terminated' ? t('The service is terminated.') : undefined) ??
            busyReason
          }
          question={t('Terminate {name}?', { name: hostname })}
          consequence={
            <Stack gap="sm">
              {t(
                'The service is powered off, billing ends, its addresses return to the pool, and a virtual machine is deleted with its disks. This cannot be undone.',
              )}
              <Checkbox
                label={t('The device is unreachable, so do not wait for it')}
                checked={isUnreachable}
                onChange={(event) => setUnreachable(event.currentTarget.checked)}
              />
            </Stack>
          }
          confirmText={hostname}
          confirmLabel={t('Terminate')}
          onConfirm={() => terminate.mutateAsync({ id, hostname, ...(isUnreachable ? { how: 'nothing' } : {}) })}
        />
      </Group>
    </>
  );
}
