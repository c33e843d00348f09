// Messages to all customers: their state, what they say, and previews of every kind.
import { Anchor, Group, SegmentedControl, Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { ItemDrawer } from '../parts/item-drawer.tsx';
import { useOpenItem } from '../parts/open-item.ts';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { MailPreviews } from './mail/mail-previews.tsx';
import { SentMessage } from './mail/sent-message.tsx';
import { CustomerLink } from './parts/links.tsx';
import { StatusFilter } from './parts/search-bar.tsx';
import { PagedTable } from './parts/paged-table.tsx';
import { t } from '../text/text.ts';

const statuses = ['Queued', 'Held', 'Sent', 'Failed', 'Bounced', 'Summarized'] as const;

export function StaffMailPage(): JSX.Element {
  const [view, setView] = useState('messages');
  return (
    <Page
      title={t('Email')}
      description={t('Messages to customers')}
      actions={
        <SegmentedControl
          value={view}
          onChange={setView}
          aria-label={t('View')}
          data={[
            { value: 'messages', label: t('Messages') },
            { value: 'previews', label: t('Previews') },
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
  const mails = useStaffPages('mailList', { status });
  const item = useOpenItem();
  const columns: readonly Column<Row<'mailList'>>[] = [
    { label: t('Time'), isOneLine: true, cell: ({ created }) => <Timestamp at={created} /> },
    { label: t('Customer'), cell: ({ account }) => (account === '0' ? '' : <CustomerLink account={account} />) },
    { label: t('Recipient'), className: 'wrap-anywhere', cell: ({ address }) => address },
    {
      label: t('Subject'),
      className: 'wrap-anywhere',
      cell: ({ id, subject, kind }) => (
        <Anchor component="button" size="sm" ta="left" onClick={() => item.open(id)}>
          {subject || kind}
        </Anchor>
      ),
    },
    { label: t('Status'), cell: (mail) => <StateBadge state={mail.status} /> },
    { label: t('Attempts'), isNumber: true, cell: ({ attempts }) => attempts },
  ];
  return (
    <Stack>
      <Group>
        <StatusFilter options={statuses} value={status} onChange={setStatus} />
      </Group>
      <PagedTable
        query={mails}
        lines={8}
        label={t('Messages')}
        columns={columns}
        minWidth={880}
        empty={
          <EmptyCard icon="mail" title={status === undefined ? t('No messages yet') : t('No matching messages')}>
            {status === undefined ? t('Messages appear here once they are sent.') : t('Choose another status above.')}
          </EmptyCard>
        }
      />
      <ItemDrawer item={item} size="xl" title={t('Message')}>
        {(id) => <SentMessage id={id} />}
      </ItemDrawer>
    </Stack>
  );
}
