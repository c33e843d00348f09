// Banners over every staff page for problems of the whole installation: paused billing, and a rejected site file.
import { Alert, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { pollMs } from '../../data/staff-pages.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../shell/icons.tsx';
import { t } from '../../text/text.ts';

export function InstallationAlerts(): JSX.Element | null {
  const { data } = useStaffRead('installationGet', {}, { refetchMs: pollMs });
  if (data === undefined || (data.billing === 'running' && data.sitefile === '')) return null;
  return (
    <Stack gap="xs" mb="md">
      {data.billing === 'paused' && <BillingPaused time={data.time} lastTime={data.lasttime} />}
      {data.sitefile !== '' && (
        <Alert
          color="orange"
          variant="light"
          icon={<Icon name="warning" />}
          title={t('Site file rejected')}
          role="status"
        >
          <Text size="sm" className="wrap-anywhere">
            {data.sitefile}
          </Text>
          <Text size="sm">
            {t(
              'The server runs with the state in its database. Fix the file, then run “hostyard apply” on the server.',
            )}
          </Text>
        </Alert>
      )}
    </Stack>
  );
}

function BillingPaused({ time, lastTime }: { time: string; lastTime: string }): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const resume = useStaffChange('billingResume', { successMessage: t('Billing resumed') });
  const date = time.slice(0, 10);
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={t('Billing paused')} role="status">
      <Group justify="space-between" p={3}>
        <Text size="sm">
          {t(
            'The server’s clock went from {before} to {now} UTC. No invoices are issued and nobody is suspended until you confirm the date.',
            { before: lastTime, now: time },
          )}
        </Text>
        <ConfirmButton
          isInRow
          disabledReason={denial}
          question={t('Is today {date}?', { date })}
          consequence={t(
            'Everything due by {date} will be billed, and late customers suspended. This cannot be undone. If the date is wrong, correct the server’s clock instead. The date of this computer is {today}.',
            { date, today: new Date().toISOString().slice(0, 10) },
          )}
          confirmText={date}
          confirmLabel={t('Resume billing')}
          onConfirm={() => resume.mutateAsync({ date })}
        >
          {t('Confirm date')}
        </ConfirmButton>
      </Group>
    </Alert>
  );
}
