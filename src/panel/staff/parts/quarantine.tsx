// An engineer's actions on a server in quarantine.
import { Group, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { reclaimSteps } from '#contract/states/servers.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange } from '../../data/operations.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ReasonButton } from '../../parts/form-button.tsx';
import { ErrorAlert } from '../../parts/query-result.tsx';
import type { Fleet } from '../fleet/concerns.ts';
import { t, tData } from '../../text/text.ts';

export type QuarantinedServer = Fleet['quarantined'][number];

export function QuarantineActions({ server, step }: Pick<QuarantinedServer, 'server' | 'step'>): JSX.Element {
  const denial = usePermissionDenial()('operator:equipment');
  const retry = useStaffChange('reclaimRetry', { successMessage: t('Retrying {server}', { server }) });
  const signOff = useStaffChange('reclaimSignOff', { successMessage: t('Step of {server} signed off', { server }) });
  return (
    <Stack gap="xs">
      {retry.error !== null && <ErrorAlert error={retry.error} />}
      <Group gap="xs" wrap="nowrap">
        <ActionButton
          size="xs"
          variant="default"
          disabledReason={denial}
          loading={retry.isPending}
          onClick={() => retry.mutate({ server })}
          aria-label={t('Retry {server}', { server })}
        >
          {t('Retry')}
        </ActionButton>
        <ReasonButton
          size="xs"
          variant="light"
          color="red"
          title={t('Sign off {server}?', { server })}
          description={t(
            '“{step}” counts as done although it could not be verified, and the server can go to the next customer. The certificate shows your name and the reason to both customers.',
            { step: tData(reclaimSteps[step]) },
          )}
          confirmLabel={t('Sign off')}
          confirmText={server}
          disabledReason={denial}
          onConfirm={(reason) => signOff.mutateAsync({ server, step, reason })}
          aria-label={t('Sign off {server}', { server })}
        />
      </Group>
    </Stack>
  );
}
