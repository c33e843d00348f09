// One message to a customer, for staff: its state, its text, and sending it again.
import { Alert, Group, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { MailFrame } from './mail-frame.tsx';
import { t } from '../../text/text.ts';

export function SentMessage({ id }: { id: string }): JSX.Element {
  const query = useStaffRead('mailGet', { id });
  const denial = usePermissionDenial()('operator:customers');
  const resend = useStaffChange('mailResend', { successMessage: t('Message queued') });
  return (
    <QueryResult query={query} lines={8}>
      {(mail) => {
        const isSummarized = mail.status === 'Held' || mail.status === 'Summarized';
        const summaryReason = isSummarized ? t('The message is part of a summary.') : undefined;
        return (
          <Stack>
            <Facts
              facts={[
                [t('Status'), <StateBadge key="status" state={mail.status} />],
                [t('Recipient'), mail.address],
                [t('Sent'), mail.sent === '' ? '' : <Timestamp key="sent" at={mail.sent} />],
                [t('Next attempt'), mail.next === '' ? '' : <Timestamp key="next" at={mail.next} />],
                [t('Relay'), mail.relay],
              ]}
            />
            {mail.error !== '' && (
              <Alert color="red" variant="light" title={t('Last error')} className="wrap-anywhere">
                {mail.error}
              </Alert>
            )}
            <Group>
              <ActionButton
                disabledReason={denial ?? summaryReason}
                loading={resend.isPending}
                onClick={() => resend.mutate({ id }, { onError: notifyError })}
              >
                {mail.status === 'Queued' ? t('Send now') : t('Send again')}
              </ActionButton>
            </Group>
            {mail.html !== '' && <MailFrame subject={mail.subject} html={mail.html} />}
          </Stack>
        );
      }}
    </QueryResult>
  );
}
