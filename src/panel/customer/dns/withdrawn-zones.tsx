// Zones that the account no longer has because the name went to somebody else. Their records can still be exported.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import type { WithdrawnZone } from '#sdk/v2.ts';
import { withdrawalReasons } from '#text/event-text.ts';
import { customerApi } from '../../data/session.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';
import { unicodeName } from './unicode-name.ts';

const columns: readonly Column<WithdrawnZone>[] = [
  { label: t('Zone'), fw: 600, className: 'wrap-anywhere', cell: ({ name }) => unicodeName(name) },
  { label: t('Reason'), cell: ({ reason }) => withdrawalReasons[reason] },
  { label: t('Date'), isOneLine: true, cell: ({ timestamp }) => <Timestamp at={timestamp} /> },
  {
    label: t('Actions'),
    width: 1,
    cell: ({ domain_id, name }) => (
      <DownloadButton
        size="compact-sm"
        fileName={`${name}.zone`}
        type="text/dns"
        load={() => customerApi().zoneFileGet({ domain: domain_id })}
        errorTitle={t('Export failed')}
      >
        {t('Export')}
      </DownloadButton>
    ),
  },
];

export function WithdrawnZones({ zones }: { zones: readonly WithdrawnZone[] }): JSX.Element {
  return (
    <Stack gap="md">
      <Dimmed>
        {t('We no longer answer for these names. You can export the records that you had, and add a zone again.')}
      </Dimmed>
      <TableCard
        label={t('Withdrawn zones')}
        columns={columns}
        rows={zones}
        rowKey={({ domain_id }) => domain_id}
        minWidth={640}
      />
    </Stack>
  );
}
