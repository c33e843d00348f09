// Messages to all customers: their state, what they say, and previews of every kind.
import { Alert, Anchor, Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange, useStaffRead } from '../data/operations.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { ItemDrawer } from '../parts/item-drawer.tsx';
import { useOpenItem } from '../parts/open-item.ts';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { MailFrame } from './mail/mail-frame.tsx';
import { MailPreviews } from './mail/mail-previews.tsx';
import { CustomerLink } from './parts/links.tsx';
import { FilterSelect } from './parts/search-bar.tsx';
import { ShowMore } from './parts/show-more.tsx';

const statuses = ['Queued', 'Held', 'Sent', 'Failed', 'Summarized'] as const;

export function StaffMailPage(): JSX.Element {
  const [view, setView] = useState('messages');
  return (
    <Page
      title="Email"
      description="Messages to customers"
      actions={
        <SegmentedControl
          value={view}
          onChange={setView}
          aria-label="View"
          data={[
            { value: 'messages', label: 'Messages' },
            { value: 'previews', label: 'Previews' },
          ]}
        />
      }
    >
      {view === 'previews' ? <MailPreviews /> : <Messages />}
    </Page>
  );
}

function Messages(): JSX.Element {
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const mails = useStaffPages('mailList', status === undefined ? {} : { status });
  const item = useOpenItem();
  const columns: readonly Column<Row<'mailList'>>[] = [
    { label: 'Time', isOneLine: true, cell: ({ created }) => <Timestamp at={created} /> },
    { label: 'Customer', cell: ({ account }) => (account === '0' ? '' : <CustomerLink account={account} />) },
    { label: 'Recipient', className: 'wrap-anywhere', cell: ({ address }) => address },
    {
      label: 'Subject',
      className: 'wrap-anywhere',
      cell: ({ id, subject, kind }) => (
        <Anchor component="button" size="sm" ta="left" onClick={() => item.open(id)}>
          {subject || kind}
        </Anchor>
      ),
    },
    { label: 'Status', cell: (mail) => <StateBadge state={mail.status} /> },
    { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
  ];
  return (
    <Stack>
      <Group>
        <FilterSelect label="Status" anyLabel="Any status" options={statuses} value={status} onChange={setStatus} />
      </Group>
      <QueryResult
        query={mails}
        lines={8}
        empty={<EmptyCard icon="mail" title={status === undefined ? 'No messages yet' : 'No such messages'} />}
      >
        {(all) => <TableCard label="Messages" columns={columns} rows={all} rowKey={({ id }) => id} minWidth={880} />}
      </QueryResult>
      <ShowMore query={mails} />
      <ItemDrawer item={item} size="xl" title={<Title order={2} size="h4" component="span" children="Message" />}>
        {(id) => <Message id={id} />}
      </ItemDrawer>
    </Stack>
  );
}

function Message({ id }: { id: string }): JSX.Element {
  const query = useStaffRead('mailGet', { id });
  const denial = usePermissionDenial()('operator:customers');
  const resend = useStaffChange('mailResend', { successMessage: 'Message queued' });
  return (
    <QueryResult query={query} lines={8}>
      {(mail) => {
        const isSummarized = mail.status === 'Held' || mail.status === 'Summarized';
        const summaryReason = isSummarized ? 'The message is part of a summary.' : undefined;
        return (
          <Stack>
            <Facts
              facts={[
                ['Status', <StateBadge key="status" state={mail.status} />],
                ['Recipient', mail.address],
                ['Sent', mail.sent === '' ? '' : <Timestamp key="sent" at={mail.sent} />],
                ['Next attempt', mail.next === '' ? '' : <Timestamp key="next" at={mail.next} />],
                ['Relay', mail.relay],
              ]}
            />
            {mail.error !== '' && (
              <Alert color="red" variant="light" title="Last error" className="wrap-anywhere">
                {mail.error}
              </Alert>
            )}
            <Group>
              <ActionButton
                disabledReason={denial ?? summaryReason}
                loading={resend.isPending}
                onClick={() => resend.mutate({ id })}
              >
                {mail.status === 'Queued' ? 'Send now' : 'Send again'}
              </ActionButton>
            </Group>
            {mail.html !== '' && <MailFrame subject={mail.subject} html={mail.html} />}
          </Stack>
        );
      }}
    </QueryResult>
  );
}
