// Messages that were sent by email, and which of them the person receives.
import { Alert, Anchor, Code, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { usePages } from '../data/pages.ts';
import { useRead, type Result } from '../data/operations.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { ItemDrawer } from '../parts/item-drawer.tsx';
import { LoadOlder } from '../parts/load-older.tsx';
import { useOpenItem, type OpenItem } from '../parts/open-item.ts';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Section } from '../parts/section.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { rich } from '../text/rich.ts';
import { t } from '../text/text.ts';
import { MailChoices } from './mail/mail-choices.tsx';

type Mail = Result<'mailGet'>[number];

export function MailPage(): JSX.Element {
  const settings = useRead('mailSettingsGet', {});
  const item = useOpenItem();
  return (
    <Page title={t('Email')} description={t('Messages sent to you, and which of them you receive')}>
      <QueryResult query={settings}>
        {(current) =>
          current.enabled ? (
            <>
              {current.undeliverable.map(({ address, diagnostic }) => (
                <Alert key={address} color="red" variant="light" mb="md" className="wrap-anywhere">
                  {t('Messages to {address} bounced, so we no longer send to it: {diagnostic}', {
                    address,
                    diagnostic,
                  })}
                </Alert>
              ))}
              <Messages item={item} />
              <MailChoices settings={current} />
            </>
          ) : (
            <EmptyCard icon="mail" title={t('Email is off')}>
              {t('Your provider does not send notifications by email.')}
            </EmptyCard>
          )
        }
      </QueryResult>
    </Page>
  );
}

function Messages({ item }: { item: OpenItem }): JSX.Element {
  const mails = usePages(
    'mailGet',
    {},
    { refetchMs: 5000, isInProgress: ({ status }) => status === 'Queued' || status === 'Held' },
  );
  const columns: readonly Column<Mail>[] = [
    { label: t('Time'), isOneLine: true, cell: ({ created }) => <Timestamp at={created} /> },
    {
      label: t('Subject'),
      className: 'wrap-anywhere',
      cell: ({ id, subject }) =>
        subject === '' ? (
          <Dimmed>{t('Not sent yet')}</Dimmed>
        ) : (
          <Anchor component="button" size="sm" ta="left" onClick={() => item.open(id)}>
            {subject}
          </Anchor>
        ),
    },
    { label: t('Recipient'), className: 'wrap-anywhere', cell: ({ address }) => address },
    { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
  ];
  return (
    <Section title={t('Messages')}>
      <QueryResult
        query={mails}
        lines={6}
        empty={
          <EmptyCard icon="mail" title={t('No messages yet')}>
            {t('Messages appear here once they are sent.')}
          </EmptyCard>
        }
      >
        {(all) => (
          <>
            <TableCard label={t('Messages')} columns={columns} rows={all} rowKey={({ id }) => id} minWidth={720} />
            <LoadOlder query={mails} />
          </>
        )}
      </QueryResult>
      <ItemDrawer item={item} title={t('Message')}>
        {(id) => <Message id={id} />}
      </ItemDrawer>
    </Section>
  );
}

function Message({ id }: { id: string }): JSX.Element {
  const query = useRead('mailGet', { id });
  return (
    <QueryResult query={query} lines={8}>
      {([mail]) => (
        <Stack>
          <Text fw={600}>{mail!.subject}</Text>
          <Dimmed>
            {rich('To {address}, {time}', { address: mail!.address, time: <Timestamp at={mail!.created} /> })}
          </Dimmed>
          {mail!.diagnostic !== '' && (
            <Alert color="red" variant="light" title={t('The message bounced')} className="wrap-anywhere">
              {mail!.diagnostic}
            </Alert>
          )}
          <Code block className="wrap-anywhere">
            {mail!.text}
          </Code>
        </Stack>
      )}
    </QueryResult>
  );
}
